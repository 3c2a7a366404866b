import assert from 'node:assert/strict';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { silentLog } from '../../../src/toolkit/base/log';
import { watchBlocks } from '../../../src/toolkit/payments/watchBlocks';
import { systemClock } from '../../../src/toolkit/base/time';

/** A chain of block hashes by seqno; each block has one transaction, named after its hash. */
class Chain {
  hashes: string[] = [];
  down = false;

  get access(): Access {
    const answer = <T>(value: T): Promise<T> =>
      this.down
        ? Promise.reject(new WorkbenchError({ code: 'unreachable', kind: 'network', message: 'down' }))
        : Promise.resolve(value);
    const v3 = {
      masterchainInfo: () =>
        answer({ last: { seqno: this.hashes.length - 1, root_hash: this.hashes.at(-1) } }),
      blocks: ({ seqno }: { seqno: number }) => answer({ blocks: [{ root_hash: this.hashes[seqno] }] }),
      transactionsByMasterchainBlock: ({ seqno }: { seqno: number }) =>
        answer({ transactions: [{ hash: this.hashes[seqno] }] }),
    };
    return { v3 } as unknown as Access;
  }
}

describe('payments: watching blocks', () => {
  /** Runs these steps, one after each look; resolves with the transactions seen. */
  const watch = async (
    chain: Chain,
    seqno: number | undefined,
    steps: (() => void)[],
    onBack = (): void => undefined,
  ): Promise<string[]> => {
    const seen: string[] = [];
    const stopping = new AbortController();
    const clock = {
      ...systemClock,
      sleep: () => {
        const step = steps.shift();
        if (step === undefined) {
          stopping.abort();
        } else {
          step();
        }
        return Promise.resolve();
      },
    };
    await watchBlocks({
      ...{ access: chain.access, clock, log: silentLog, signal: stopping.signal, seqno },
      pause: () => clock.sleep(),
      onBack: () => {
        onBack();
        return Promise.resolve();
      },
      onTransactions: (transactions) => {
        seen.push(...transactions.map(({ hash }) => String(hash)));
        return Promise.resolve();
      },
      onSeen: () => Promise.resolve(),
    });
    return seen;
  };

  it('leaves out no block and sees none twice', async () => {
    const chain = new Chain();
    chain.hashes = ['a0', 'a1', 'a2'];
    const seen = await watch(chain, 0, [
      () => chain.hashes.push('a3'),
      () => undefined,
      () => chain.hashes.push('a4', 'a5', 'a6'),
    ]);
    assert.deepEqual(seen, ['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
  });

  it('goes on where it was after the network did not answer', async () => {
    const chain = new Chain();
    chain.hashes = ['a0', 'a1'];
    const seen = await watch(chain, 1, [
      () => (chain.down = true),
      () => chain.hashes.push('a2'),
      () => (chain.down = false),
    ]);
    assert.deepEqual(
      seen.filter((hash) => hash === 'a2'),
      ['a2'],
    );
  });

  it('sees the new blocks of a network that went back, even if there are more than before', async () => {
    const chain = new Chain();
    chain.hashes = ['a0', 'a1', 'a2', 'a3'];
    const seen = await watch(chain, 3, [
      () => (chain.hashes = ['a0', 'a1', 'b2']),
      () => (chain.hashes = ['a0', 'c1', 'c2', 'c3', 'c4']),
    ]);
    for (const hash of ['b2', 'c1', 'c2', 'c3', 'c4']) {
      assert.ok(seen.includes(hash), hash);
    }
  });

  it('says each time that what was seen may be undone, also if that happened while nobody looked', async () => {
    const chain = new Chain();
    chain.hashes = ['a0', 'a1', 'a2', 'a3'];
    const backs: string[] = [];
    await watch(
      chain,
      3,
      [
        () => chain.hashes.push('a4'),
        () => (chain.hashes = ['a0', 'a1', 'b2']),
        () => chain.hashes.push('b3', 'b4', 'b5'),
        () => (chain.hashes = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6']),
      ],
      () => backs.push(chain.hashes.at(-1) ?? ''),
    );
    assert.deepEqual(backs, ['a3', 'b2', 'c6']);
  });
});
