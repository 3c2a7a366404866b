import { Address, internal, toNano } from '@ton/core';
import type { FastifyInstance } from 'fastify';
import assert from 'node:assert/strict';
import { signedTransfer } from '../../../bench/support/signedTransfer';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { chainStatus } from '../../../src/toolkit/localnet/control/localnetStatus';
import { createServer } from '../../../src/toolkit/localnet/server/createServer';
import type { TraceSource } from '../../../src/toolkit/trace/readTraces';
import { LiveLines, listedLine } from '../../../src/toolkit/trace/liveLines';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { TraceFeed } from '../../../src/toolkit/trace/traceFeed';
import { SteppedClock } from '../../support/steppedClock';
import { addressOf, mineWith, testChain, transfer } from '../localnet/support/testChain';

const bob = addressOf('bob');

/** A chain, its server, and a feed that reads from it. */
class Followed {
  readonly clock = new SteppedClock();
  readonly lines: LiveLines;
  readonly errors: unknown[] = [];
  readonly requests: string[] = [];
  readonly feed: TraceFeed;
  changes = 0;
  fresh: string[] = [];
  seqno = 0;

  constructor(
    readonly chain: LocalChain,
    readonly server: FastifyInstance,
    lines = new LiveLines(),
  ) {
    this.lines = lines;
    const source: TraceSource = {
      request: async (endpoint, parameters) => {
        const query = Object.entries(parameters).flatMap(([name, value]) =>
          [value].flat().flatMap((one) => (one === undefined ? [] : [`${name}=${String(one)}`])),
        );
        const url = `/api/v3/${endpoint}?${query.join('&')}`;
        this.requests.push(url);
        return JSON.parse((await server.inject(url)).body) as unknown;
      },
    };
    this.feed = new TraceFeed({
      lines,
      source: () => Promise.resolve(source),
      describe: (model, chain) => {
        const context = new TraceContext(model, { names: new Map([[bob, 'bob']]) });
        const key = model.id ?? '';
        return Promise.resolve(listedLine(context, { key, network: 'Local', chain, isMine: false }));
      },
      onChange: (fresh) => {
        this.changes += 1;
        this.fresh = fresh.map(({ what }) => what);
      },
      onError: (error) => this.errors.push(error),
      clock: this.clock,
    });
    this.feed.watch(true);
  }

  static async begin(): Promise<Followed> {
    const chain = await testChain();
    return new Followed(chain, await createServer(chain));
  }

  /** Alice pays Bob each of these amounts, in separate blocks. */
  async pay(...coins: string[]): Promise<void> {
    for (const amount of coins) {
      await mineWith(this.chain, transfer('alice', { seqno: this.seqno++, to: bob, value: toNano(amount) }));
    }
  }

  /** Alice sends to this many new accounts at once. */
  async fanOut(count: number): Promise<void> {
    const messages = Array.from({ length: count }, (_, number) =>
      internal({ to: new Address(0, Buffer.alloc(32, `account ${number}`)), value: 1n, bounce: false }),
    );
    await mineWith(this.chain, signedTransfer(namedAccounts[0]!, this.seqno++, messages));
  }

  tell(): void {
    const { chain, turns, transactions } = chainStatus(this.chain);
    this.feed.tell({ chain, turns, transactions });
  }

  /** Updates the feed and lets it read. */
  async read(): Promise<void> {
    const before = this.changes + this.errors.length;
    const requests = this.requests.length;
    this.tell();
    for (let turn = 0; turn < 10_000 && this.changes + this.errors.length === before; turn += 1) {
      // The time of a read counts, so little time passes here.
      if (this.requests.length === requests) {
        this.clock.advance(500);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(this.errors, []);
    assert.ok(this.changes > before, 'it has read');
  }

  texts(): string[] {
    return this.lines
      .list(this.feed.chain)
      .map(({ what, isUndone, hasMore }) => `${isUndone ? '~ ' : ''}${what}${hasMore ? ' …' : ''}`);
  }
}

describe('the feed of a local network', () => {
  let opened: Followed[] = [];
  const begin = async (): Promise<Followed> => {
    const followed = await Followed.begin();
    opened.push(followed);
    return followed;
  };
  afterEach(async () => {
    for (const { feed, server } of opened) {
      feed.close();
      await server.close();
    }
    opened = [];
  });

  it('lists what happens automatically, newest first', async () => {
    const followed = await begin();
    await followed.pay('1');
    await followed.read();
    await followed.pay('2', '3');
    await followed.read();
    assert.deepEqual(followed.texts(), ['transfer 3 TON', 'transfer 2 TON', 'transfer 1 TON']);
    assert.deepEqual(followed.fresh, ['transfer 3 TON', 'transfer 2 TON']);
  });

  it('reads once for everything that happens between two reads', async () => {
    const followed = await begin();
    await followed.pay('1');
    await followed.read();
    for (let told = 0; told < 100; told += 1) {
      await followed.pay('0.1');
      followed.tell();
    }
    await followed.read();
    assert.equal(followed.requests.length, 2);
    assert.equal(followed.lines.list().length, 51, 'the newest page, and what was there before');
  });

  it('reads fewer traces at once if they are long, and more if they are short', async () => {
    const followed = await begin();
    await followed.pay(...Array.from({ length: 12 }, () => '0.1'));
    await followed.read();
    await followed.read();
    assert.equal(followed.lines.list().length, 12, 'the first page was full of short traces');
    for (let fan = 0; fan < 3; fan += 1) {
      await followed.fanOut(200);
    }
    await followed.pay('1');
    await followed.read();
    await followed.pay('2');
    await followed.read();
    const limits = followed.requests.map((url) => Number(/limit=(\d+)/.exec(url)?.[1]));
    assert.deepEqual(limits.slice(0, 3), [10, 50, 50]);
    assert.ok(limits.at(-1)! >= 5 && limits.at(-1)! < 20, String(limits));
    assert.equal(followed.lines.list().length, 17, 'nothing is missing');
  });

  it('does not read while nothing happens, nor once the network has stopped', async () => {
    const followed = await begin();
    await followed.pay('1');
    await followed.read();
    followed.tell();
    followed.clock.advance(60_000);
    await followed.pay('2');
    followed.feed.tell(undefined);
    followed.clock.advance(60_000);
    assert.equal(followed.requests.length, 1);
  });

  it('reads rarely while nobody is looking', async () => {
    const followed = await begin();
    await followed.pay('1');
    await followed.read();
    followed.feed.watch(false);
    await followed.pay('2');
    followed.tell();
    followed.clock.advance(4_900);
    assert.equal(followed.requests.length, 1);
    followed.clock.advance(200);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(followed.requests.length, 2);
  });

  it('marks what a restore has undone, and nothing else', async () => {
    const followed = await begin();
    await followed.pay('1');
    const { seqno } = followed.chain.ledger.last;
    await followed.pay('2', '3');
    await followed.read();
    await followed.chain.restore(seqno);
    await followed.read();
    assert.deepEqual(followed.texts(), ['~ transfer 3 TON', '~ transfer 2 TON', 'transfer 1 TON']);
    followed.seqno = 1;
    await followed.pay('4');
    await followed.read();
    assert.deepEqual(followed.texts()[0], 'transfer 4 TON');
  });

  it('lists what happens again after a restore above what does not', async () => {
    const followed = await begin();
    await followed.pay('1');
    const { seqno } = followed.chain.ledger.last;
    await followed.pay('2', '3');
    await followed.read();
    const [, second] = followed.lines.list().map(({ key }) => key);
    await followed.chain.restore(seqno);
    await followed.read();
    // The same message in the same block at the same time is the same trace.
    followed.seqno = 1;
    await followed.pay('2');
    await followed.read();
    assert.deepEqual(followed.texts(), ['transfer 2 TON', '~ transfer 3 TON', 'transfer 1 TON']);
    assert.equal(followed.lines.list()[0]?.key, second);
  });

  it('finds undone traces beyond the newest page', async () => {
    const followed = await begin();
    await followed.pay('1');
    const { seqno } = followed.chain.ledger.last;
    await followed.pay('2');
    await followed.read();
    await followed.chain.restore(seqno);
    followed.seqno = 1;
    await followed.pay(...Array.from({ length: 60 }, () => '0.1'));
    await followed.read();
    assert.deepEqual(followed.texts().slice(-3), [
      'transfer 0.1 TON …',
      '~ transfer 2 TON',
      'transfer 1 TON',
    ]);
  });

  it('loads on demand what it skipped', async () => {
    const followed = await begin();
    await followed.pay('1');
    await followed.read();
    await followed.pay(...Array.from({ length: 60 }, (_, index) => `0.${index + 101}`));
    await followed.read();
    assert.equal(followed.texts().length, 51);
    const gap = followed.lines.list().find(({ hasMore }) => hasMore === true);
    assert.ok(gap);
    await followed.feed.older(gap);
    assert.deepEqual(followed.texts(), [
      ...Array.from({ length: 60 }, (_, index) => `transfer 0.${160 - index} TON`.replace(/0 TON$/, ' TON')),
      'transfer 1 TON',
    ]);
  });

  it('checks the saved lines after a restart', async () => {
    const followed = await begin();
    await followed.pay('1');
    const { seqno } = followed.chain.ledger.last;
    await followed.pay('2');
    await followed.read();
    const kept = JSON.parse(JSON.stringify(followed.lines.list())) as never;
    await followed.chain.restore(seqno);
    const again = new Followed(followed.chain, followed.server, new LiveLines(kept));
    await again.read();
    assert.deepEqual(again.texts(), ['~ transfer 2 TON', 'transfer 1 TON']);
    again.feed.close();
  });

  it('starts an empty list when the network is reset', async () => {
    const followed = await begin();
    await followed.pay('1');
    await followed.read();
    await followed.chain.reset();
    await followed.read();
    assert.deepEqual(
      followed.texts().filter((text) => !text.startsWith('~')),
      [],
    );
  });

  it('keeps cleared traces off the list, whatever the chain does', async () => {
    const followed = await begin();
    await followed.pay('1');
    const { seqno } = followed.chain.ledger.last;
    await followed.pay('2');
    await followed.read();
    followed.lines.clear();
    await followed.pay('3');
    await followed.read();
    assert.deepEqual(followed.texts(), ['transfer 3 TON']);
    await followed.chain.restore(seqno);
    followed.seqno = 1;
    await followed.pay('4');
    await followed.read();
    assert.deepEqual(followed.texts(), ['transfer 4 TON', '~ transfer 3 TON']);
  });

  it('keeps at most its capacity, and says that there are more', async () => {
    const followed = await begin();
    const few = new Followed(followed.chain, followed.server, new LiveLines([], 3));
    await few.pay('1', '2', '3', '4', '5');
    await few.read();
    assert.deepEqual(few.texts(), ['transfer 5 TON', 'transfer 4 TON', 'transfer 3 TON …']);
    few.feed.close();
  });
});
