import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Account } from '@ton/core';
import { Cell, loadShardAccount } from '@ton/core';
import { root } from '../../../scripts/lib/root.mjs';
import { crc32c } from '../../../src/toolkit/base/crc32c';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { nodeDisk } from '../../../src/toolkit/base/journal/journalDisk';
import { writeTonFile } from '../../../src/toolkit/base/journal/tonFolder';
import { silentLog } from '../../../src/toolkit/base/log';
import { systemClock } from '../../../src/toolkit/base/time';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { readBaseline } from '../../../src/toolkit/gas/gasBaseline';
import { wholeAccount } from '../../../src/toolkit/localnet/chain/history';
import { readDump } from '../../../src/toolkit/localnet/dump/readDump';
import type { OpenChain } from '../../../src/toolkit/localnet/openChain';
import { openChain } from '../../../src/toolkit/localnet/openChain';
import { PaymentStore } from '../../../src/toolkit/payments/paymentStore';
import { parseDeployments } from '../../../src/toolkit/project/deployments';
import { openReplayFile } from '../../../src/toolkit/replay/replayFile';
import { readTestRecording } from '../../../src/toolkit/testRuns/testRecording';
import { WalletJournal } from '../../../src/toolkit/tonConnect/walletJournal';
import { openTraces } from '../../../src/toolkit/trace/traceFile';
import type { DeliveryEntry } from '../../../src/toolkit/webhook/journal/deliveryEntry';
import { readDeliveries } from '../../../src/toolkit/webhook/journal/deliveryEntry';
import { DeliveryStore } from '../../../src/toolkit/webhook/journal/deliveryStore';
import { defaultJournalLimits } from '../../../src/toolkit/webhook/journal/journal';
import type { OrderState } from '../../../src/toolkit/webhook/orders/orderBook';
import { HandOverJournal } from '../../../src/toolkit/workflows/handOverJournal';
import { PlanRecord } from '../../../src/toolkit/workflows/planRecord';
import { ManualClock } from '../localnet/support/testChain';

const emulator = createSandboxEmulator();

/** A file of version 0.2.0; its README says how each was made. */
function kept(name: string): Buffer {
  const bytes = readFileSync(path.join(root, 'test/reference/formats', name));
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

const alice = '0:8c95e4c24203c7721c7c5e1ba6907cbfaaaeec9c3aab1726e40ccc4d198dbda8';
const bob = '0:923af23116a4c546b97d679a63318d1c8041efed4eb5552b35634dcb55a07d02';
const counter = '0:5d19f7ce6010cf84eca17bb4c0168da667c60937a0adb67efbbdc3ac8fcf9297';

const isNewer = (error: unknown): boolean =>
  WorkbenchError.is(error, 'format-newer') && /Update TON Workbench\./.test(error.hint ?? '');

describe('files of version 0.2.0', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tonwb-formats-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const put = (name: string, content: Buffer): void => writeFileSync(path.join(folder, name), content);
  const openNetwork = async (): Promise<OpenChain> =>
    openChain({
      ...{
        emulator: await emulator,
        config: defaultNetworkConfig(),
        clock: new ManualClock(),
        log: silentLog,
      },
      ...{ mode: { kind: 'manual' }, stateDirectory: folder },
    });

  const openWallet = async (): Promise<WalletJournal> => WalletJournal.open(folder, silentLog);
  /** The file as a later version would begin it: the same header, with another digit. */
  const later = (content: Buffer): Buffer => {
    const bytes = Buffer.from(content);
    bytes.write('4', 6);
    bytes.writeUInt32BE(crc32c(bytes.subarray(0, 16)), 16);
    return bytes;
  };
  /** Opening a later journal is refused, and leaves it as it is. */
  const refusesLater = async (name: string, content: Buffer, open: () => Promise<unknown>): Promise<void> => {
    put(name, later(content));
    await assert.rejects(open(), isNewer, name);
    assert.deepEqual(readFileSync(path.join(folder, name)), later(content), name);
  };

  it('have the state of a local network', async () => {
    const content = kept('localnet-journal.log.gz');
    put('journal.log', content);
    const { chain, store } = await openNetwork();
    const { last, accounts } = chain.ledger;
    const stored = (address: string): Account | null | undefined => {
      const boc = wholeAccount(chain.ledger, accounts.get(address)!.versions.at(-1)!);
      return loadShardAccount(Cell.fromBoc(boc)[0]!.beginParse()).account;
    };
    assert.deepEqual(store?.problems, []);
    assert.deepEqual(
      [last.seqno, chain.settings.names, accounts.size, chain.config.origin],
      [5, { [counter]: 'Counter' }, 8, 'imported 2026-11-28T08:44:02.000Z'],
    );
    assert.deepEqual(
      [alice, bob, counter].map((address) => stored(address)?.storage.balance.coins),
      [999_997_388_148_392n, 1_000_001_499_603_593n, 1_099_169_199n],
    );
    const { state } = stored(counter)!.storage;
    const data = state.type === 'active' && state.state.data?.beginParse();
    assert.ok(data);
    // The owner, then what was set, and what was added.
    assert.deepEqual([data.loadAddress().toRawString(), data.loadInt(64)], [alice, 5 + 2]);
    await store?.close();
    await refusesLater('journal.log', content, openNetwork);
  });

  it('have a dump of a local network', async () => {
    const value = JSON.parse(kept('localnet-dump.json.gz').toString()) as object;
    const { base, settings, block } = await readDump(value, await emulator);
    assert.deepEqual({ ...base }, { seqno: 3, genUtime: 1_795_855_452, endLt: 4_000_003n });
    assert.deepEqual(settings.names, { [counter]: 'Counter' });
    assert.deepEqual(
      settings.genesis?.accounts.map(({ name }) => name),
      ['alice', 'bob'],
    );
    assert.deepEqual([block.changes.length, settings.libraries, settings.snapshots], [8, [], {}]);
    await assert.rejects(readDump({ ...value, version: 2 }, await emulator), (error) =>
      WorkbenchError.is(error, 'localnet-dump-version'),
    );
  });

  it('have deliveries of webhooks, and the states of old orders', async () => {
    const [name, states] = ['deliveries-000001.log', 'orders.log'];
    put(name, kept(`${name}.gz`));
    put(states, kept(`${states}.gz`));
    const entries: DeliveryEntry[] = [];
    const orders: OrderState[] = [];
    const read = async (): Promise<void> =>
      readDeliveries(folder, { onEntry: (one) => entries.push(one), onState: (one) => orders.push(one) });
    await read();
    assert.deepEqual(orders, [
      {
        ...{ reference: 'order-3', state: 'failed', deliveryId: 'mx000000-0001' },
        ...{ txHash: 'ab'.repeat(32), traceId: 'cd'.repeat(32), time: '2026-11-28T08:00:00.000Z' },
      },
    ]);
    const [entry] = entries;
    assert.ok(entries.length === 1 && entry?.kind === 'delivery');
    const { id, verdict, reference, payment, headers, body, forwarded } = entry.full;
    assert.deepEqual(
      [id, verdict, reference, payment?.rawAmount, headers.length, forwarded, entry.order?.state],
      ['mx05zcap-0001', 'accepted', 'order-7', '10500000000', 7, null, 'paid'],
    );
    assert.equal(
      createHash('sha256').update(body).digest('hex'),
      'aaab27b0430c583e7315a0f40b2b0c2500791ee146e3102307817b6219b880ca',
    );
    const open = async (): Promise<unknown> =>
      DeliveryStore.open({
        ...{ directory: folder, limits: defaultJournalLimits, disk: nodeDisk },
        ...{ clock: systemClock, log: silentLog },
      });
    await refusesLater(name, kept(`${name}.gz`), open);
    await refusesLater(name, kept(`${name}.gz`), read);
    await refusesLater(states, kept(`${states}.gz`), open);
  });

  it('have payments', async () => {
    const content = kept('payments.log.gz');
    put('payments.log', content);
    const open = async (): Promise<PaymentStore> =>
      PaymentStore.open({ directory: folder, clock: systemClock, log: silentLog });
    const store = await open();
    const [payment] = [...store.all()];
    assert.deepEqual(
      [store.size, store.pending, store.seqno, store.secret, store.problems],
      [1, 0, 4, 'whsec_635fb4ef98ed502eed8d196a1bfc537cade0f02d18fa92e2', []],
    );
    const { reference, status, rawAmount, recipient, txHash, webhook } = payment!;
    assert.deepEqual(
      [reference, status, rawAmount, recipient, webhook?.state],
      ['a899834a-69b3-45ac-8a13-886140f29552', 'success', '1500000000', bob, 'no-url'],
    );
    assert.equal(txHash, '4d4c32c3bec6d775cccb74e84073b104683d960c730a1f49f6dcdfed1c3453c0');
    await store.close();
    await refusesLater('payments.log', content, open);
  });

  it('have connections and requests of a test wallet', async () => {
    const content = kept('wallet.log.gz');
    put('wallet.log', content);
    const wallet = await openWallet();
    const { book } = wallet;
    const [session] = [...book.sessions.values()];
    const [request] = [...book.requests.values()];
    assert.deepEqual(
      [session?.id, session?.account, session?.dApp.name, session?.state, session?.lastId],
      ['aa'.repeat(32), 'alice', 'Shop', 'connected', '1'],
    );
    assert.deepEqual(
      [request?.number, request?.method, request?.verdict, book.last],
      [1, 'sendTransaction', { decision: 'approve' }, 1],
    );
    await wallet.close();
    await refusesLater('wallet.log', content, openWallet);
  });

  it('have a replay', () => {
    const text = kept('counter.tonreplay.gz').toString();
    const { account, seqno, state, earlier, target } = openReplayFile(text);
    assert.deepEqual([account, seqno, state.fidelity, earlier], [counter, 4, 'exact', []]);
    assert.equal(target.seed, '8d97fa31bb45b5b56537f48aa546349003f1da35e298e38e0cad07040f380e77');
    assert.throws(() => openReplayFile(text.replace('"version": 1', '"version": 2')), isNewer);
  });

  it('have a recording of tests', () => {
    const content = kept('counter.tontests.gz');
    const { header, records, isTruncated } = readTestRecording(content);
    assert.deepEqual([header.file, header.runner, isTruncated], ['tests/counter.test.js', 'mocha', false]);
    assert.deepEqual(
      records.map(({ kind, test, at }) => [kind, test, at?.line]),
      [
        ['message', 'Counter counts', 11],
        ['message', 'Counter counts', 12],
        ['message', 'Counter counts', 12],
        ['get', 'Counter counts', 13],
      ],
    );
    const next = Buffer.from(content.toString().replace('"version":1', '"version":2'));
    assert.throws(() => readTestRecording(next), isNewer);
  });

  it('have a trace', () => {
    const text = kept('trace.json.gz').toString();
    const [trace, ...others] = openTraces(text);
    assert.deepEqual(others, []);
    assert.equal(trace?.id, '0d9091af743537b7a15630af5c09966eeb9ffead156c80c09c234c88582b15a8');
    assert.deepEqual(
      trace.nodes.map(({ account }) => account),
      [alice, counter],
    );
    assert.throws(() => openTraces(text.replace('"version": 1', '"version": 2')), isNewer);
  });

  it('have a record of deployments', () => {
    const text = kept('deployments.json').toString();
    assert.deepEqual(parseDeployments(text, 'testnet.json'), {
      version: 1,
      network: 'Testnet',
      deployments: [
        {
          ...{ name: 'Counter', address: counter, source: 'contracts/counter.tolk' },
          codeHash: '76dfc917dc47b4d6460fbb0166c57b54d69b06fd3cb316a0cc387e46a2de85b1',
          ...{ compiler: '@ton/tolk-js 1.3.0', data: '{owner: alice, value: 5}' },
          transaction: '267d2d1004cee5365f9c7b192b74a751a277b114fdcbf749f6a6cd947ed5c1fe',
          time: '2026-11-28T09:00:00.000Z',
        },
      ],
    });
    const next = text.replace('"version": 1', '"version": 2');
    assert.throws(() => parseDeployments(next, 'testnet.json'), isNewer);
  });

  it('have a message that was handed to a wallet', () => {
    const text = kept('handed.json').toString();
    const journal = new HandOverJournal(folder);
    const read = (content: string): unknown => {
      writeTonFile(folder, 'handed-effbc0ca2cf98f90139d7138d8eaabc2.json', content);
      return journal.find('effbc0ca2cf98f90139d7138d8eaabc2700946e89d5aa6a060be1d99d37b3989');
    };
    const entry = {
      key: 'effbc0ca2cf98f90139d7138d8eaabc2700946e89d5aa6a060be1d99d37b3989',
      ...{ what: 'deploy Counter', way: 'link', network: 'Testnet' },
      ...{ at: 1_795_856_400_000, validUntil: 1_795_856_700, after: '1000001' },
    };
    assert.deepEqual(read(text), entry);
    assert.deepEqual(read(text.replace('"version": 1,', '')), entry);
    assert.throws(() => read(text.replace('"version": 1', '"version": 2')), isNewer);
  });

  it('have how far a plan is', () => {
    const text = kept('plan.json').toString();
    const read = (content: string): PlanRecord =>
      new PlanRecord(
        { read: () => content, write: () => undefined, remove: () => undefined },
        'setup.toncall',
      );
    const record = read(text);
    const done = record.action('1 deploy counter.tolk {owner: wallet, value: 0} 0.2ton as Counter');
    const open = record.action('1 send Counter Increase {queryId: 1, by: 2} 0.05ton');
    assert.deepEqual([done?.state, open?.state, open?.handed?.entry.after], ['done', 'handed', '1000001']);
    assert.equal(record.answer('@before'), '5');
    assert.throws(() => read(text.replace('"version": 1', '"version": 2')), isNewer);
  });

  it('have a baseline of gas', () => {
    const text = kept('gas-baseline.json').toString();
    const [[name, gas] = []] = [...readBaseline(text)];
    assert.ok(name === 'Counter Increase' && typeof gas === 'object');
    assert.deepEqual([gas.gas, gas.lines.length], [1442, 6]);
    assert.deepEqual([...readBaseline(text.replace('{', '{"version": 1,'))], [...readBaseline(text)]);
    assert.throws(() => readBaseline(text.replace('{', '{"version": 2,')), isNewer);
  });
});
