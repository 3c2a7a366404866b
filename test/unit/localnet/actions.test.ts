/* oxlint-disable typescript/no-unsafe-assignment, typescript/no-unsafe-member-access, typescript/no-unsafe-return, typescript/no-unsafe-argument -- answers are JSON, judged field by field */
import assert from 'node:assert/strict';
import { NftCollection, NftItem } from '@ton-community/assets-sdk';
import { Address, beginCell, Cell, toNano } from '@ton/core';
import fc from 'fast-check';
import type { Answer, Scenario } from './support/scenario';
import { scenario } from './support/scenario';
import { addressOnWire, hashOnWire } from './support/onWire';
import { addressOf, mineWith, transfer } from './support/testChain';

const [alice, bob, carol, dave] = ['alice', 'bob', 'carol', 'dave'].map(addressOf).map(addressOnWire) as [
  string,
  string,
  string,
  string,
];
const onWire = (address: Address): string => addressOnWire(address.toRawString());

/** An account as a comment. */
const nobody = `0:${'ab'.repeat(32)}`;

/** What `/actions` can be filtered by. */
interface Filter {
  account?: string;
  action_type?: string[];
  exclude_action_type?: string[];
  tx_hash?: string[];
  msg_hash?: string[];
  trace_id?: string[];
  action_id?: string[];
  mc_seqno?: number;
  start_lt?: string;
  end_lt?: string;
  start_utime?: number;
  end_utime?: number;
}

describe('actions of the local network', () => {
  let s: Scenario;
  let collection: NftCollection;
  /** Every action with its accounts, oldest first, as `/traces` tells them: without the index. */
  let all: Answer[];
  let hashesOf: Map<string, string[]>;

  before(async () => {
    s = await scenario();
    const admin = Address.parseRaw(alice);
    const content = beginCell().storeUint(1, 8).storeStringTail('https://example.org/').endCell();
    const contents = beginCell().storeRef(content).storeRef(Cell.EMPTY).endCell();
    collection = NftCollection.createFromConfig({ admin, content: contents });
    const to = collection.address.toRawString();
    let seqno = 5;
    const fromAlice = (body: Cell, init?: typeof collection.init): Promise<unknown> =>
      mineWith(
        s.chain,
        transfer('alice', {
          seqno: seqno++,
          to,
          value: toNano('1'),
          bounce: true,
          body,
          ...(init && { init }),
        }),
      );
    await fromAlice(Cell.EMPTY, collection.init);
    // Deploys item 0 for dave, who is told nothing of it.
    const item = beginCell().storeAddress(Address.parseRaw(dave)).storeRef(Cell.EMPTY).endCell();
    const mint = beginCell().storeUint(1, 32).storeUint(0, 64).storeUint(0, 64).storeCoins(toNano('0.05'));
    mint.storeRef(item);
    await fromAlice(mint.endCell());
    // An item that is there already is not made again.
    await fromAlice(mint.endCell());
    for (const [number, name] of ['carol', 'erin', 'carol'].entries()) {
      const comment = { to: number === 1 ? bob : alice, value: 1n, body: `number ${number}` };
      await mineWith(s.chain, transfer(name, { seqno: Math.floor(number / 2), ...comment }));
    }
    await mineWith(s.chain, transfer('erin', { seqno: 1, to: bob, value: 1n, body: nobody }));
    const traces: Answer[] = (await s.get('/api/v3/traces?include_actions=true&limit=1000&sort=asc')).body
      .traces;
    all = traces.flatMap((trace: Answer) => trace.actions);
    hashesOf = new Map(
      s.chain.ledger.transactions.map((record) => [
        hashOnWire(record.hash),
        [record.inMessage, ...record.outMessages].flatMap((message) =>
          message === null ? [] : [message.hash, message.normalized ?? message.hash].map(hashOnWire),
        ),
      ]),
    );
  });
  after(() => s.server.close());

  const ask = async (filter: Filter, more: Record<string, unknown> = {}): Promise<Answer[]> => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...filter, ...more })) {
      [value].flat().forEach((one) => query.append(name, String(one)));
    }
    const { status, body } = await s.get(`/api/v3/actions?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.actions;
  };
  const accountsOf = new Map<string, string[]>();

  /** The same filters, one action after the other. */
  const matches = (filter: Filter, action: Answer): boolean => {
    const has = <T>(list: T[] | undefined, ...values: T[]): boolean =>
      list === undefined || values.some((value) => list.includes(value));
    if (filter.action_id !== undefined) {
      return filter.action_id.includes(action.action_id);
    }
    const hashes: string[] = action.transactions;
    const endLt = BigInt(action.trace_end_lt);
    return (
      has(filter.action_type, action.type) &&
      !(filter.exclude_action_type ?? []).includes(action.type) &&
      has(filter.trace_id, action.trace_id) &&
      has(filter.tx_hash, ...hashes) &&
      has(filter.msg_hash, ...hashes.flatMap((hash) => hashesOf.get(hash) ?? [])) &&
      (filter.account === undefined || (accountsOf.get(action.action_id) ?? []).includes(filter.account)) &&
      (filter.mc_seqno === undefined || action.trace_mc_seqno_end === filter.mc_seqno) &&
      (filter.start_lt === undefined || endLt >= BigInt(filter.start_lt)) &&
      (filter.end_lt === undefined || endLt <= BigInt(filter.end_lt)) &&
      (filter.start_utime === undefined || action.trace_end_utime >= filter.start_utime) &&
      (filter.end_utime === undefined || action.trace_end_utime <= filter.end_utime)
    );
  };

  it('are found by every account they name, with or without transactions, and by no other', async () => {
    const item = onWire(NftItem.createFromConfig({ index: 0n, collection: collection.address }).address);
    const [mint, ...others] = await ask({ account: dave }, { include_accounts: true });
    assert.deepEqual([mint.type, mint.details.owner, others.length], ['nft_mint', dave, 0]);
    assert.deepEqual([...mint.accounts].sort(), [dave, item].sort());
    const [sent] = await ask({ action_type: ['jetton_transfer'] }, { include_accounts: true });
    assert.deepEqual(
      [...sent.accounts].sort(),
      [alice, bob, ...[s.aliceJettons, s.bobJettons].map(addressOnWire)].sort(),
    );
    assert.deepEqual(await ask({ account: onWire(s.minter.address), action_type: ['jetton_transfer'] }), []);
  });

  it('keep a comment as it is, which is no participant', async () => {
    const found = await ask({ action_type: ['ton_transfer'] }, { limit: 100 });
    assert.ok(found.some(({ details }) => details.comment === nobody));
    assert.deepEqual(await ask({ account: nobody }), []);
  });

  it('have the payload of a jetton transfer also where it is a comment', async () => {
    const [{ details }] = await ask({ action_type: ['jetton_transfer'] });
    const [told] = (await s.get('/api/v3/jetton/transfers')).body.jetton_transfers;
    assert.equal(details.comment, 'for you');
    assert.equal(details.forward_payload, told.forward_payload);
  });

  it('match every filter exactly as a search through all of them', async () => {
    (await ask({}, { limit: 1000, include_accounts: true })).forEach((action) =>
      accountsOf.set(action.action_id, action.accounts),
    );
    assert.deepEqual(
      [...accountsOf.keys()],
      all.map((action) => action.action_id).reverse(),
      'every action, newest first',
    );
    const types = [...new Set(all.map((action) => action.type as string)), 'nothing_like_it'];
    const some = <T>(values: T[]): fc.Arbitrary<T[] | undefined> =>
      fc.option(fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }), {
        nil: undefined,
      });
    const one = <T>(values: T[]): fc.Arbitrary<T | undefined> =>
      fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 });
    const ends = all.map((action) => action.trace_end_lt as string);
    const utimes = all.map((action) => action.trace_end_utime as number).flatMap((time) => [time, time + 1]);
    const ranges = {
      start_lt: one(ends),
      end_lt: one(ends),
      start_utime: one(utimes),
      end_utime: one(utimes),
    };
    const common = {
      account: one([alice, bob, carol, dave, s.bobJettons, `0:${'AB'.repeat(32)}`]),
      action_type: some(types),
      exclude_action_type: some(types),
    };
    const seqnos = all.map((action) => action.trace_mc_seqno_end as number);
    const filters = fc.oneof(
      fc.record({ ...common, ...ranges }),
      fc.record({ ...common, tx_hash: some([...hashesOf.keys()]) }),
      fc.record({ ...common, msg_hash: some([...hashesOf.values()].flat()) }),
      fc.record({ ...common, trace_id: some(all.map((action) => action.trace_id as string)) }),
      fc.record({ ...common, mc_seqno: one(seqnos) }),
      fc.record({ action_id: some([...accountsOf.keys(), Buffer.alloc(32, 7).toString('base64')]) }),
    );
    const page = fc.record({
      limit: fc.integer({ min: 1, max: 20 }),
      offset: fc.integer({ min: 0, max: 12 }),
      sort: fc.constantFrom('asc', 'desc'),
    });
    const given = (filter: object): Filter =>
      Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
    await fc.assert(
      fc.asyncProperty(filters, page, async (filter, { limit, offset, sort }) => {
        const expected = all.filter((action) => matches(given(filter), action));
        const ordered = sort === 'asc' ? expected : expected.reverse();
        assert.deepEqual(
          (await ask(given(filter), { limit, offset, sort })).map((action) => action.action_id),
          ordered.slice(offset, offset + limit).map((action) => action.action_id),
        );
      }),
      { numRuns: 400 },
    );
  });

  it('stay as they were if a contract later changes, and start over with the chain', async () => {
    const before = await ask({ action_type: ['nft_mint'] });
    assert.equal(before.length, 1);
    const code = Cell.EMPTY.toBoc().toString('base64');
    await s.post('/control/setAccount', { address: before[0].details.nft_item, code });
    await s.chain.mine();
    assert.deepEqual((await s.get('/api/v3/nft/items')).body.nft_items, []);
    assert.deepEqual(await ask({ action_type: ['nft_mint'] }), before);
    assert.deepEqual(await ask({ trace_id: [before[0].trace_id], action_type: ['nft_mint'] }), before);
    await s.chain.restore(s.comment.block.seqno);
    assert.deepEqual(
      (await ask({})).map((action) => action.type),
      ['ton_transfer'],
    );
  });
});
