import {
  Address,
  Cell,
  beginCell,
  internal,
  loadShardAccount,
  loadTransaction,
  storeTransaction,
  toNano,
} from '@ton/core';
import assert from 'node:assert/strict';
import { createAccess } from '../../../src/toolkit/access/createAccess';
import { createSandboxEmulator } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../../../src/toolkit/execution/emulator/emulator';
import { importNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import type { ErrorCode } from '../../../src/toolkit/base/errorCodes';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { Localnet } from '../../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';
import type { ReplayInputs } from '../../../src/toolkit/replay/replayInputs';
import { readReplayEdits } from '../../../src/toolkit/replay/replayInputs';
import { openReplayFile, replayFileText } from '../../../src/toolkit/replay/replayFile';
import { replayJson } from '../../../src/toolkit/replay/replayJson';
import { ReplaySource } from '../../../src/toolkit/replay/replaySource';
import { replayText } from '../../../src/toolkit/replay/replayReport';
import { replayedTrace } from '../../../src/toolkit/replay/gatherGetMethod';
import { compareReplay, runReplay } from '../../../src/toolkit/replay/runReplay';
import { parseOneCell } from '../../../src/toolkit/stack/parseOneCell';
import { isEmulation } from '../../../src/toolkit/trace/isEmulated';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { checkFlows } from '../../support/checkFlows';
import { addressOf, transfer } from '../localnet/support/testChain';

describe('a replay', () => {
  let network: Localnet;
  let emulator: Emulator;
  let source: ReplaySource;
  /** Alice's external message, and the last of two transactions in which bob gets coins in one block. */
  let sent: ReplayInputs;
  let received: ReplayInputs;

  before(async () => {
    [network, emulator] = await Promise.all([
      startLocalnet({ port: 0, mode: { kind: 'manual' }, log: silentLog }),
      createSandboxEmulator(),
    ]);
    const { v2, v3 } = network;
    const access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
    for (const name of ['alice', 'carol']) {
      const boc = transfer(name, { seqno: 0, to: addressOf('bob'), value: toNano('1') }).toString('base64');
      await access.v3.message({ boc });
    }
    await fetch(`${network.control}/mine`, { method: 'POST', body: '{}' });
    source = new ReplaySource(access);
    const newest = async (name: string): Promise<string> => {
      const { transactions } = await access.v3.transactions({ account: [addressOf(name)], limit: 1 });
      return transactions![0]!.hash!;
    };
    sent = await source.gather(await newest('alice'));
    received = await source.gather(await newest('bob'));
  });
  after(() => network.close());

  const edited = async (inputs: ReplayInputs, ...texts: string[]) => {
    const readers = {
      cell: (text: string) => Promise.resolve(parseOneCell(text)),
      address: (name: string) => Promise.resolve(addressOf(name)),
    };
    return runReplay(inputs, emulator, { edits: await readReplayEdits(texts, inputs, readers) });
  };
  const field = ({ differences }: Awaited<ReturnType<typeof runReplay>>, name: string) =>
    differences.find((one) => one.field === name);

  it('runs the earlier transactions of the account first, and is exact', async () => {
    assert.equal(received.earlier.length, 1);
    const replay = await runReplay(received, emulator);
    assert.deepEqual([replay.verdict, replay.differences], ['exact', []]);
    assert.equal(replay.divergedBefore, undefined);
  });

  it('compares messages to the same account with the same opcode, in their order', () => {
    const happened = Cell.fromBase64(sent.target.boc);
    const sending = (...messages: readonly [to: string, opcode: number, value: string][]): Cell => {
      const transaction = loadTransaction(happened.beginParse());
      transaction.outMessages.clear();
      for (const [index, [to, opcode, value]] of messages.entries()) {
        const body = beginCell().storeUint(opcode, 32).endCell();
        const one = internal({ to: Address.parse(addressOf(to)), value: toNano(value), bounce: true, body });
        const info = { ...one.info, src: Address.parse(addressOf('alice')) };
        transaction.outMessages.set(index, { ...one, info });
      }
      transaction.outMessagesCount = messages.length;
      return beginCell().store(storeTransaction(transaction)).endCell();
    };
    const { differences } = compareReplay(
      sending(['bob', 1, '1'], ['carol', 2, '2'], ['carol', 2, '3']),
      sending(['carol', 3, '9'], ['carol', 2, '2'], ['bob', 1, '5'], ['carol', 2, '4']),
    );
    const told = differences.flatMap((one) =>
      one.field.endsWith(': value') ? [[one.field, one.original, one.replayed]] : [],
    );
    const nano = (value: string): string => toNano(value).toString();
    assert.deepEqual(told, [
      ['message 1: value', nano('1'), nano('5')],
      ['message 3: value', nano('3'), nano('4')],
      ['message 4: value', undefined, nano('9')],
    ]);
  });

  it('names the accounts of messages', async () => {
    const replay = await edited(sent, 'balance=0.01');
    const report = { inputs: sent, replay, edits: ['balance=0.01'], recording: undefined, requests: 0 };
    const text = replayText(report, undefined, (address) =>
      address === addressOf('bob') ? 'bob' : undefined,
    );
    assert.match(text, /message 1: to +bob +none/);
  });

  it('comes from a file alone', async () => {
    const inputs = openReplayFile(replayFileText(sent));
    assert.deepEqual(inputs, sent);
    assert.equal((await runReplay(inputs, emulator)).verdict, 'exact');
  });

  it('names the first field that differs', async () => {
    const alone = await runReplay({ ...received, earlier: [] }, emulator);
    assert.equal(alone.verdict, 'same-computation');
    assert.equal(alone.differences[0]?.field, 'previous transaction');
    const poorer = await edited(received, 'balance=0.5');
    assert.equal(poorer.verdict, 'same-computation');
    assert.deepEqual(
      poorer.differences.map(({ field: name }) => name),
      ['account before', 'account afterward'],
    );
  });

  it('shows what a change would have changed', async () => {
    const later = await edited(received, 'time=+31536000');
    assert.ok(
      BigInt(field(later, 'storage fee')!.replayed!) > BigInt(field(later, 'storage fee')!.original!),
    );
    const from = await edited(received, 'sender=carol', 'value=2.5ton');
    const message = from.replayed.inMessage!.info;
    assert.ok(message.type === 'internal');
    assert.equal(message.value.coins, toNano('2.5'));
    assert.ok(message.src.equals(Address.parse(addressOf('carol'))));
    const signed = await edited(sent, 'data=b(u1 1, u32 5, u32 0, u256 7, u1 0)', 'signature=ignored').catch(
      (error: unknown) => error,
    );
    assert.ok(WorkbenchError.is(signed, 'replay-refused'), String(signed));
  });

  it('with changes is a trace that never happened, whose books add up', async () => {
    const replay = await edited(received, 'value=2.5ton');
    const context = new TraceContext(replayedTrace({ replay, inputs: received }));
    assert.equal(isEmulation(context.model), true);
    const [node] = context.model.nodes;
    assert.deepEqual([node?.account, node?.message?.value], [received.account, toNano('2.5')]);
    const before = loadShardAccount(Cell.fromBase64(replay.stateBefore).beginParse()).account;
    assert.equal(node?.transaction?.account_state_before?.balance, before?.storage.balance.coins);
    assert.deepEqual(
      checkFlows(context)[0]?.parties.map(({ kind }) => kind),
      ['outside', 'account', 'fees'],
    );
  });

  it('changes every part that can be changed', async () => {
    const wallet = 'data=b(u1 1, u32 0, u32 0, u256 7, u1 0)';
    const own = loadShardAccount(Cell.fromBase64(received.state.shardAccount).beginParse()).account!;
    assert.ok(own.storage.state.type === 'active');
    const ownData = own.storage.state.state.data!.toBoc().toString('hex');
    const exit = (run: Awaited<ReturnType<typeof edited>>): unknown => field(run, 'exit code')?.replayed;
    // ACCEPT; THROW 55: code of one's own instead of the wallet's.
    const code = 'code=b(u32 0xf800f237)';
    assert.equal(exit(await edited(received, code)), '55');
    assert.equal((await edited(received, 'body=b(u32 0, u8 65)')).replayed.inMessage!.body.bits.length, 40);
    const after = (await edited(received, wallet)).outcome.shardAccount;
    const state = loadShardAccount(Cell.fromBase64(after).beginParse()).account!.storage.state;
    assert.ok(state.type === 'active');
    assert.notEqual(state.state.data!.toBoc().toString('hex'), ownData);
    // Gas prices of the configuration, doubled: the gas fee follows.
    const prices = importNetworkConfig(received.config, 'test').parameters.get(21)!;
    const [head, price] = [prices.bits.substring(0, 144), prices.bits.substring(144, 64)];
    const doubled = beginCell()
      .storeBits(head)
      .storeUint(2n * BigInt(`0x${price.toString()}`), 64)
      .storeBits(prices.bits.substring(208, prices.bits.length - 208))
      .endCell();
    const dearer = await runReplay(received, emulator, { edits: { config: new Map([[21, doubled]]) } });
    const fee = field(dearer, 'gas fee');
    assert.ok(fee !== undefined && BigInt(fee.replayed!) > BigInt(fee.original!));
    assert.ok(dearer.config.parameters.get(21)!.equals(doubled));
    // A wallet whose key is another one accepts only if signatures are ignored.
    const alice = loadShardAccount(Cell.fromBase64(sent.state.shardAccount).beginParse()).account!;
    assert.ok(alice.storage.state.type === 'active');
    const { bits } = alice.storage.state.state.data!;
    // Wallet v5: flag, seqno, wallet id, public key.
    const otherKey = beginCell()
      .storeBits(bits.substring(0, 65))
      .storeUint(7, 256)
      .storeBits(bits.substring(321, bits.length - 321))
      .endCell();
    const refused = await runReplay(sent, emulator, { edits: { data: otherKey } }).catch(
      (error: unknown) => error,
    );
    assert.ok(WorkbenchError.is(refused, 'replay-refused'), String(refused));
    const ignored = await runReplay(sent, emulator, { edits: { data: otherKey, ignoreSignatures: true } });
    assert.equal(ignored.replayed.outMessagesCount, 1);
  });

  it('is worded as edited, never as something that happened', async () => {
    const replay = await edited(received, 'balance=0.5');
    const report = { inputs: received, replay, recording: undefined, edits: ['balance=0.5'], requests: 5 };
    assert.match(replayText(report), /^Edited: this did not happen\. Changed: balance=0\.5\.\n/);
    assert.equal(replayJson(report)['verdict'], 'edited');
    const plain = { ...report, replay: await runReplay(received, emulator), edits: [] };
    assert.match(
      replayText(plain),
      /^Exact: the replayed transaction is identical, byte for byte\.\n[^]*requests +5$/m,
    );
  });

  const refuses = async (code: ErrorCode, ...texts: string[]): Promise<void> => {
    const error = await edited(sent, ...texts).catch((thrown: unknown) => thrown);
    assert.ok(WorkbenchError.is(error, code), `${texts.join(' ')}: ${String(error)}`);
  };

  it('refuses changes that make no sense', async () => {
    for (const text of [
      '',
      'body',
      'foo=1',
      'value=x',
      'time=soon',
      'time=-99999999999',
      'signature=on',
      'config.x=1',
    ]) {
      await refuses('replay-edit-invalid', text);
    }
    await refuses('replay-edit-invalid', 'balance=1', 'balance=2');
    await refuses('replay-impossible', 'value=1');
    await refuses('not-one-cell', 'body=1');
  });

  it('says so if the network does not know the transaction', async () => {
    const error = await source.gather('00'.repeat(32)).catch((thrown: unknown) => thrown);
    assert.ok(WorkbenchError.is(error, 'replay-not-found'));
  });

  it('says which API is missing', async () => {
    const { v2, v3 } = network;
    for (const [missing, given] of [
      ['v2', { v3 }],
      ['v3', { v2 }],
    ] as const) {
      const half = createAccess({ network: { name: 'Half', kind: 'custom', globalId: -239, ...given } });
      const error = await new ReplaySource(half).gather('00'.repeat(32)).catch((thrown: unknown) => thrown);
      assert.ok(WorkbenchError.is(error, 'replay-impossible'), String(error));
      assert.match(error.message, new RegExp(`^Half has no ${missing} API, and a replay needs both`));
    }
  });

  it('says so if the service has only a newer state, or does not give the transaction', async () => {
    const { v2, v3 } = network;
    const access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
    const hash = Cell.fromBase64(sent.target.boc).hash().toString('hex');
    const failure = async (changed: Partial<typeof access.v2>): Promise<string> => {
      const service = { ...access, v2: { ...access.v2, ...changed } };
      const error = await new ReplaySource(service).gather(hash).catch((thrown: unknown) => thrown);
      assert.ok(WorkbenchError.is(error, 'replay-impossible'), String(error));
      return error.message;
    };
    const newest = await failure({
      getShardAccountCell: ({ address }) => access.v2.getShardAccountCell({ address }),
    });
    assert.match(newest, /gave a state of 0:[0-9a-f]{64} that is newer than the transaction\.$/);
    const nothing = await failure({ getTransactions: () => Promise.resolve([]) });
    assert.match(nothing, /did not give the transaction [0-9a-f]{64} itself\.$/);
  });

  it('refuses files that are none, wherever they are wrong', () => {
    const whole = JSON.parse(replayFileText(sent)) as Record<string, unknown>;
    const refused = (value: unknown): void => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      assert.throws(
        () => openReplayFile(text),
        (error) => WorkbenchError.is(error, 'replay-file-invalid'),
        text.slice(0, 100),
      );
    };
    for (const value of ['', '{', 'null', '[]', '1', {}, { ...whole, version: 0 }, { ...whole, more: 1 }]) {
      refused(value);
    }
    for (const key of Object.keys(whole)) {
      const { [key]: _, ...rest } = whole;
      if (key === 'seqno' || key === 'isOurs') {
        // A transaction of a test is in no block, and one of a public network was not run here.
        assert.equal(openReplayFile(JSON.stringify(rest))[key], undefined);
      } else {
        refused(rest);
      }
      refused({ ...whole, [key]: null });
    }
    const cell = beginCell().storeUint(1, 8).endCell().toBoc().toString('base64');
    const state = { ...(whole['state'] as object), shardAccount: cell };
    const target = { ...(whole['target'] as object), boc: cell };
    refused({ ...whole, state });
    refused({ ...whole, target });
    refused({ ...whole, config: cell });
    refused({ ...whole, libraries: ['AAAA'] });
    refused({ ...whole, earlier: [target] });
  });
});
