import { beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { traceSourceOf } from '../../../src/toolkit/access/traceSourceOf';
import type { Transport } from '../../../src/toolkit/access/transport';
import type { V3TraceNodeWire, V3TraceWire } from '../../../src/toolkit/api/v3Traces';
import type { ChainLookup, ChainTransaction } from '../../../src/toolkit/webhook/chain/chainOf';
import { chainOf, v3ChainLookup } from '../../../src/toolkit/webhook/chain/chainOf';
import type { ChainFieldName, ChainReport } from '../../../src/toolkit/webhook/chain/checkAgainstChain';
import { checkAgainstChain } from '../../../src/toolkit/webhook/chain/checkAgainstChain';
import { describeChainReport } from '../../../src/toolkit/webhook/chain/describeChainReport';
import { happenedTransfers } from '../../../src/toolkit/webhook/chain/happenedTransfers';
import type { TransferData } from '../../../src/toolkit/webhook/payload/payload';
import { transferPayload } from '../../../src/toolkit/webhook/payload/transferPayload';
import { referenceFolder } from '../../support/referenceFolder';
import { payload } from './support/sample';

interface Recording {
  traces: V3TraceWire[];
  metadata?: Record<string, { token_info?: { type?: string; extra?: unknown }[] }>;
}

const hashOf = (base64: string): string => Buffer.from(base64, 'base64').toString('hex');

/** A network that knows one recorded answer. */
function network(recording: Recording, withMetadata = true): ChainLookup {
  const [trace] = recording.traces;
  return v3ChainLookup((endpoint, { hash, trace_id: id }) => {
    const answers = {
      transactions: () => ({
        transactions: Object.values(trace?.transactions ?? {}).filter(
          (one) => hashOf(one?.hash ?? '') === hash?.[0],
        ),
      }),
      traces: () => ({
        traces: recording.traces.filter((one) => hashOf(one.trace_id ?? '') === id?.[0]),
        metadata: withMetadata ? (recording.metadata ?? {}) : {},
      }),
      jettonWallets: () => ({ jetton_wallets: [] }),
    };
    // As over the wire: what is read is converted in place.
    return Promise.resolve(JSON.parse(JSON.stringify(answers[endpoint]())) as unknown);
  });
}

/** Answers of the v3 API with the recording inside. */
function recordedTransport(recording: Recording): Transport {
  const transactions = Object.values(recording.traces[0]?.transactions ?? {});
  return ({ url }) => {
    const { pathname } = new URL(url);
    const answer = pathname.endsWith('/transactions')
      ? { transactions: transactions.slice(0, 1), address_book: {} }
      : pathname.endsWith('/traces')
        ? recording
        : { jetton_wallets: [], address_book: {}, metadata: {} };
    return Promise.resolve({
      status: 200,
      header: (name) => (name === 'content-type' ? 'application/json' : undefined),
      body: Buffer.from(JSON.stringify(answer)),
    });
  };
}

const verdicts = (report: ChainReport): Record<string, string> =>
  Object.fromEntries(report.fields.map(({ field, verdict }) => [field, verdict]));

const all = (verdict: string): Record<ChainFieldName, string> => ({
  txHash: verdict,
  traceId: verdict,
  amount: verdict,
  asset: verdict,
  sender: verdict,
  recipient: verdict,
  bodyHash: verdict,
  comment: verdict,
  success: verdict,
  time: verdict,
});

describe('webhook payments against the chain', () => {
  const read = (name: string): Recording =>
    JSON.parse(readFileSync(path.join(referenceFolder, 'traces', name), 'utf8')) as Recording;

  /** What the service would say of ton-sent-traces.json: 1 coin, no comment. */
  const coins = (): TransferData =>
    payload({
      amount: '1',
      rawAmount: '1000000000',
      senderAddr: '0:9DA971AF38D2F03ABDF308D5F91636A97E5A2B07A66C39D71D7CBAE3B032EDDC',
      recipientAddr: '0:4e3664faee814fbdb6c1cb36d72bac52d15e186c11ecd664fe1b3f1a7cfd801d',
      txHash: 'jfTlOCaG9CyuEgyU2NyCNVXZvdJ+MRwPD7YZM7Ezgas=',
      traceId: '9QeaIiXlgf8UD9boljxboc15XqfaJ2EWXLfH94apqEc=',
      bodyBase64Hash: 'lqKW0iTyhcZ77pPDD4owkVfw2qNdxbh+QQt4YwoJz8c=',
      commentToRecipient: undefined,
      date: new Date(1754154889_000).toISOString(),
    }).data;

  /** Of ft-sent-traces.json: 1 USDT with the comment "Hello!". */
  const jettons = (): TransferData =>
    payload({
      amount: '1',
      rawAmount: '1000000',
      asset: 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs',
      senderAddr: coins().senderAddr,
      recipientAddr: coins().recipientAddr,
      txHash: Buffer.from('jSE/gBnDgZOD8XG6nWYYvhoxQWQIMwI1S/8vyRJFu4A=', 'base64')
        .toString('hex')
        .toUpperCase(),
      traceId: 'jSE_gBnDgZOD8XG6nWYYvhoxQWQIMwI1S_8vyRJFu4A',
      bodyBase64Hash: 'pabMV6GVaDfFeP9hknjLSzz1mZihq2MQQDfOoD8f8mw=',
      commentToRecipient: 'Hello!',
      date: new Date(1754158183_000).toISOString(),
    }).data;

  it('match recorded payments in every field, in any spelling of hashes and addresses', async () => {
    const first = await checkAgainstChain(coins(), network(read('ton-sent-traces.json')));
    assert.deepEqual(verdicts(first), all('equal'));
    assert.equal(first.ok, true);
    const second = await checkAgainstChain(jettons(), network(read('ft-sent-traces.json')));
    assert.deepEqual(verdicts(second), all('equal'));
  });

  it('show each field that differs, and only that', async () => {
    const changes: [ChainFieldName, Partial<TransferData>][] = [
      ['amount', { rawAmount: '1000001' }],
      ['asset', { asset: 'TON' }],
      ['sender', { senderAddr: payload().data.senderAddr }],
      ['recipient', { recipientAddr: payload().data.recipientAddr }],
      ['bodyHash', { bodyBase64Hash: coins().bodyBase64Hash }],
      ['comment', { commentToRecipient: 'hello' }],
      ['success', { status: 'failed' }],
      ['time', { date: new Date(1754158183_000 + 3_600_000).toISOString() }],
    ];
    for (const [field, change] of changes) {
      const report = await checkAgainstChain(
        { ...jettons(), ...change },
        network(read('ft-sent-traces.json')),
      );
      assert.deepEqual(verdicts(report), { ...all('equal'), [field]: 'differs' });
      assert.equal(report.ok, false);
      assert.match(describeChainReport(report, 'Mainnet'), new RegExp(`✗ ${field}`));
    }
    const elsewhere = await checkAgainstChain(
      { ...coins(), traceId: 'ab'.repeat(32) },
      network(read('ton-sent-traces.json')),
    );
    assert.deepEqual(verdicts(elsewhere), { ...all('equal'), traceId: 'differs' });
  });

  it('may have the comment with the reference below it, as the mock of the payment API writes it', async () => {
    const lookup = network(read('ton-sent-traces.json'));
    const traces = (id: string): ReturnType<ChainLookup['trace']> => lookup.trace(id);
    const composed = beginCell().storeUint(0, 32).storeStringTail('Hello!\nReference: order-7').endCell();
    const withBody: ChainLookup = {
      transaction: (hash) => lookup.transaction(hash),
      trace: async (id) => {
        const trace = await traces(id);
        return trace && { ...trace, transactions: trace.transactions.map(withComment) };
      },
    };
    const withComment = (one: ChainTransaction): ChainTransaction =>
      one.message === undefined
        ? one
        : { ...one, message: { ...one.message, body: composed.toBoc().toString('base64') } };
    const verdictOf = async (data: Partial<TransferData>): Promise<string | undefined> =>
      verdicts(
        await checkAgainstChain(
          { ...coins(), commentToRecipient: 'Hello!', commentToSender: undefined, ...data },
          withBody,
        ),
      )['comment'];
    assert.equal(await verdictOf({ reference: 'order-7' }), 'equal');
    assert.equal(await verdictOf({ reference: 'order-8' }), 'differs');
    assert.equal(await verdictOf({ reference: 'order-7', commentToRecipient: 'Hello' }), 'differs');
  });

  it('say which body a hash is of: the jetton transfer or what it forwards', async () => {
    const lookup = network(read('ft-sent-traces.json'));
    const forwarded = beginCell().storeUint(0, 32).storeStringTail('Hello!').endCell().hash();
    const cases: [hash: string, verdict: string, note: RegExp][] = [
      [jettons().bodyBase64Hash, 'equal', /body of the jetton transfer/],
      [forwarded.toString('base64'), 'equal', /forwarded payload/],
      [forwarded.toString('base64url'), 'equal', /forwarded payload/],
      [coins().bodyBase64Hash, 'differs', /the chain has that of the body of the jetton transfer/],
      ['<BODY_BASE64_HASH>', 'unknown', /not a hash/],
    ];
    for (const [bodyBase64Hash, verdict, note] of cases) {
      const report = await checkAgainstChain({ ...jettons(), bodyBase64Hash }, lookup);
      const field = report.fields.find((one) => one.field === 'bodyHash');
      assert.equal(field?.verdict, verdict);
      assert.match(field?.note ?? '', note);
      assert.equal(report.ok, verdict !== 'differs');
    }
  });

  it("may use the user's own name for the native coin", async () => {
    const lookup = network(read('ton-sent-traces.json'));
    const renamed = { ...coins(), asset: 'DUCAT' };
    assert.deepEqual(verdicts(await checkAgainstChain(renamed, lookup)), {
      ...all('equal'),
      asset: 'differs',
    });
    assert.deepEqual(verdicts(await checkAgainstChain(renamed, lookup, 'ducat')), all('equal'));
  });

  it('are unknown where the chain says nothing', async () => {
    const nowhere = await checkAgainstChain(coins(), network(read('ft-sent-traces.json')));
    assert.deepEqual(verdicts(nowhere), all('unknown'));
    assert.equal(nowhere.ok, false);
    const odd = await checkAgainstChain(
      { ...coins(), txHash: '<TX_HASH>' },
      network(read('ton-sent-traces.json')),
    );
    assert.deepEqual(verdicts(odd), { ...all('equal'), txHash: 'unknown' });
    const nameless = await checkAgainstChain(jettons(), network(read('ft-sent-traces.json'), false));
    assert.deepEqual(verdicts(nameless), { ...all('equal'), asset: 'unknown' });
  });

  it('can be made from a real transfer, and then match it', async () => {
    for (const [name, count] of [
      ['ton-sent-traces.json', 1],
      ['ft-sent-traces.json', 1],
      ['v3_trace_fixture.json', 1],
    ] as const) {
      const recording = read(name);
      const lookup = network(recording);
      const trace = await lookup.trace(hashOf(recording.traces[0]?.trace_id ?? ''));
      assert.ok(trace);
      const transfers = happenedTransfers(trace);
      const recorded = recording.traces[0]?.transactions ?? {};
      assert.equal(transfers.length, count, name);
      for (const transfer of transfers) {
        const { lt } = recorded[Buffer.from(transfer.txHash, 'hex').toString('base64')] ?? {};
        assert.equal(String(transfer.lt), lt, name);
        const made = transferPayload(transfer, { reference: 'ref-1' });
        assert.deepEqual(verdicts(await checkAgainstChain(made.data, lookup)), all('equal'), name);
      }
    }
  });

  it('show that a bounced payment failed, and that the bounce is not a payment', async () => {
    const recording = read('ton-sent-traces.json');
    const lookup = network(recording);
    const id = hashOf(recording.traces[0]?.trace_id ?? '');
    const trace = await lookup.trace(id);
    const paid = trace?.transactions.at(-1);
    assert.ok(trace && paid?.message);
    const back: ChainTransaction = {
      ...paid,
      hash: 'ee'.repeat(32),
      account: paid.message.source,
      message: { ...paid.message, source: paid.account, bounced: true },
    };
    const bounced = { ...trace, transactions: [...trace.transactions, back] };
    assert.deepEqual(
      happenedTransfers(bounced).map(({ success }) => success),
      [false],
    );
    const report = await checkAgainstChain(coins(), { ...lookup, trace: () => Promise.resolve(bounced) });
    assert.deepEqual(verdicts(report), { ...all('equal'), success: 'differs' });
  });

  it('accept our own client, too', async () => {
    const recording = read('ft-sent-traces.json');
    const access = createAccess({
      network: { name: 'test', kind: 'custom', v3: 'http://127.0.0.1:9/api/v3', globalId: -239 },
      transport: recordedTransport(recording),
    });
    const lookup = chainOf(traceSourceOf(access), new AbortController().signal);
    assert.deepEqual(verdicts(await checkAgainstChain(jettons(), lookup)), all('equal'));
  });

  it("are found if only the trace's tree has their transactions", async () => {
    const recording = read('ft-sent-traces.json');
    const [trace] = recording.traces;
    assert.ok(trace?.trace && trace.transactions);
    const { transactions } = trace;
    const into = (node: V3TraceNodeWire): V3TraceNodeWire => ({
      tx_hash: node.tx_hash,
      transaction: transactions[node.tx_hash ?? ''],
      children: node.children?.map(into),
    });
    const inTree = { ...trace, trace: into(trace.trace), transactions: null, transactions_order: null };
    const lookup = v3ChainLookup((endpoint) =>
      Promise.resolve(
        JSON.parse(
          JSON.stringify(
            endpoint === 'traces'
              ? { ...recording, traces: [inTree] }
              : { transactions: [transactions[trace.trace_id ?? '']] },
          ),
        ),
      ),
    );
    assert.deepEqual(verdicts(await checkAgainstChain(jettons(), lookup)), all('equal'));
  });
});
