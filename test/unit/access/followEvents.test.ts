import assert from 'node:assert/strict';
import type { Access } from '../../../src/toolkit/access/createAccess';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { EventRecovery } from '../../../src/toolkit/access/eventRecovery';
import type { FollowedEvent } from '../../../src/toolkit/access/followEvents';
import { followEvents } from '../../../src/toolkit/access/followEvents';
import { HastyClock } from '../../support/hastyClock';

const [busy, quiet] = ['a', 'b'].map((digit) => `0:${digit.repeat(64)}`) as [string, string];
/** Where it streams cannot be told from its URL. */
const network = { name: 'Plain', kind: 'custom', v3: 'https://ton.example/rpc', globalId: -3 } as const;

/** A service that has no stream, and answers each path as it is told. */
function serviceOf(answer: (url: URL) => { status?: number; body: object }): {
  access: Access;
  asked: URL[];
} {
  const asked: URL[] = [];
  const access = createAccess({
    ...{ network, clock: new HastyClock() },
    requestsPerSecond: () => undefined,
    transport: ({ url }) => {
      const at = new URL(url);
      const isFirst = at.pathname.endsWith('/masterchainInfo');
      if (!isFirst) {
        asked.push(at);
      }
      const { status = 200, body } = isFirst ? { body: { last: { end_lt: '1000' } } } : answer(at);
      return Promise.resolve({
        ...{ status, header: () => undefined },
        body: Buffer.from(JSON.stringify(body)),
      });
    },
  });
  return { access, asked };
}

const hashOf = (number: number): string => Buffer.alloc(32, number).toString('base64');
const transaction = (account: string, lt: bigint, number: number): object => ({
  ...{ account, lt: String(lt), hash: hashOf(number), trace_id: hashOf(9) },
});
const { signal } = new AbortController();

describe('what happened while there was no stream', () => {
  it('is read from where everything is known, also beside an account of which nothing is heard', async () => {
    let transactions = [transaction(busy, 1_000_000_000n, 1)];
    const { access, asked } = serviceOf((url) => ({
      body: {
        transactions: transactions.filter(
          (one) => BigInt((one as { lt: string }).lt) >= BigInt(url.searchParams.get('start_lt') ?? 0),
        ),
      },
    }));
    const recovery = new EventRecovery(access, { types: ['transactions'], addresses: [busy, quiet] });
    const told = async (): Promise<string[]> =>
      (await recovery.read(signal)).events.flatMap((event) =>
        event.type === 'transactions' ? event.transactions.map(({ lt }) => String(lt)) : [],
      );
    assert.deepEqual(await told(), ['1000000000']);
    // Another shard was late, in the same trace.
    transactions = [transaction(quiet, 950_000_000n, 2), ...transactions];
    assert.deepEqual(await told(), ['950000000']);
    assert.deepEqual(await told(), []);
    assert.deepEqual(
      asked.flatMap((url) => url.searchParams.getAll('start_lt')),
      ['1001', '900000001', '900000001'],
    );
  });

  it('has the name of its trace that the stream gives it: the normalized hash of the message that began it', async () => {
    const own = {
      ...transaction(busy, 2_000n, 9),
      in_msg: { hash: hashOf(3), hash_norm: hashOf(4) },
    };
    const later = transaction(quiet, 2_001n, 5);
    const namesOf = async (rows: object[], root: object[]): Promise<(string | undefined)[]> => {
      const { access } = serviceOf((url) => ({
        body: { transactions: url.searchParams.has('hash') ? root : rows },
      }));
      const recovery = new EventRecovery(access, { types: ['transactions'], addresses: [busy, quiet] });
      return (await recovery.read(signal)).events.map((event) =>
        'trace_external_hash_norm' in event ? event.trace_external_hash_norm : undefined,
      );
    };
    const norm = Buffer.from(hashOf(4), 'base64').toString('hex');
    assert.deepEqual(await namesOf([own, later], []), [norm], 'the root is among them');
    assert.deepEqual(await namesOf([later], [own]), [norm], 'the root is asked for');
    const id = Buffer.from(hashOf(9), 'base64').toString('hex');
    assert.deepEqual(await namesOf([later], []), [id], 'nobody knows it');
  });

  it('is a gap if it is too much, and the next reading goes on there', async () => {
    const { access, asked } = serviceOf((url) => {
      const offset = Number(url.searchParams.get('offset'));
      return {
        body: {
          actions: Array.from({ length: 1000 }, (_, index) => ({
            ...{ action_id: hashOf(7), type: 'ton_transfer', trace_end_lt: String(2000 + offset + index) },
          })),
          jetton_wallets: Array.from({ length: 1000 }, () => ({})),
        },
      };
    });
    const recovery = new EventRecovery(access, { types: ['actions'], addresses: [busy] });
    assert.equal((await recovery.read(signal)).isCut, true);
    assert.equal(recovery.sinceLt, 11_998n);
    assert.equal(asked.length, 10);
    const wallets = new EventRecovery(access, { types: ['jettons_change'], addresses: [busy] });
    assert.equal((await wallets.read(signal)).isCut, true);
  });

  it('asks for the jettons of every account', async () => {
    const { access, asked } = serviceOf(() => ({ body: { jetton_wallets: [] } }));
    const addresses = Array.from({ length: 150 }, (_, index) => `0:${String(index).padStart(64, '0')}`);
    await new EventRecovery(access, { types: ['jettons_change'], addresses }).read(signal);
    assert.equal(
      new Set(
        asked.flatMap((url) => url.searchParams.getAll('owner_address').flatMap((text) => text.split(','))),
      ).size,
      150,
    );
  });

  it('is told as a gap once, however often the service refuses to tell it', async () => {
    const stop = new AbortController();
    const told: FollowedEvent[] = [];
    let asked = 0;
    const { access } = serviceOf(() => {
      asked = told.some(({ kind }) => kind === 'polling') ? asked + 1 : 0;
      if (asked > 3) {
        stop.abort();
      }
      return { status: 403, body: { error: 'no' } };
    });
    const request = { types: ['transactions'], addresses: [busy] } as const;
    for await (const one of followEvents(access, request, { signal: stop.signal })) {
      told.push(one);
    }
    assert.deepEqual(told.map(({ kind }) => kind).sort(), ['gap', 'polling']);
    assert.ok(told.some((one) => one.kind === 'polling' && one.isForGood));
  });

  it('is asked for again, and is no gap, while the service only fails', async () => {
    const stop = new AbortController();
    let count = 0;
    const { access } = serviceOf(() => {
      count += 1;
      return count < 4
        ? { status: 500, body: { error: 'broken' } }
        : { body: { transactions: [transaction(busy, 2000n, 1)] } };
    });
    const told: string[] = [];
    const request = { types: ['transactions'], addresses: [busy] } as const;
    for await (const { kind } of followEvents(access, request, { signal: stop.signal })) {
      told.push(kind);
      if (kind === 'event') {
        stop.abort();
      }
    }
    assert.ok(!told.includes('gap') && told.at(-1) === 'event', told.join());
  });
});
