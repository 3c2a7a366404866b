import assert from 'node:assert/strict';
import { Address, Cell, toNano } from '@ton/core';
import { pace } from '../../../scripts/lib/pace.mjs';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { editMessage } from '../../../src/toolkit/replay/replayEdits';
import { pastMessage } from '../../../src/toolkit/replay/replayErrors';
import { traceSourceOf } from '../../../src/toolkit/access/traceSourceOf';
import { findTrace } from '../../../src/toolkit/trace/findTrace';
import type { TraceModel } from '../../../src/toolkit/trace/traceModel';
import { messageToResend, prepareResend } from '../../../src/toolkit/workflows/messageToResend';
import { sendAgain } from '../../../src/toolkit/workflows/followMessage';
import type { SendAgainParameters } from '../../../src/toolkit/workflows/followMessage';
import { callControl } from '../../../src/toolkit/localnet/callControl';
import { controlOf } from '../../../src/toolkit/localnet/controlOf';
import { servedChain } from '../localnet/support/servedChain';
import type { ServedChain } from '../localnet/support/servedChain';
import { addressOf, mineWith, transfer } from '../localnet/support/testChain';

const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(addressOf) as [string, string, string];

describe('sending the message of a trace again', () => {
  let served: ServedChain;
  let trace: TraceModel;
  let root: string;
  /** What alice's wallet sent. */
  let message: Cell;
  let control: string;
  const balance = (address: string): bigint => served.chain.ledger.accounts.get(address)?.facts.balance ?? 0n;
  const history = (): string[] => served.chain.ledger.transactions.map(({ hash }) => hash);

  beforeEach(async () => {
    served = await servedChain({ mode: { kind: 'automatic', delay: 1 } });
    control = controlOf(served.access.network) ?? '';
    await mineWith(served.chain, transfer('alice', { seqno: 0, to: bob, value: toNano('1') }));
    root = served.chain.ledger.transactions.find(({ account }) => account.address === alice)?.hash ?? '';
    await mineWith(served.chain, transfer('carol', { seqno: 0, to: bob, value: toNano('7') }));
    const [model] = await findTrace(traceSourceOf(served.access), root, {
      signal: AbortSignal.timeout(10_000 * pace),
    });
    assert.ok(model);
    trace = model;
    const received = served.chain.ledger.transaction(messageToResend(trace, namedAccounts)?.node.hash ?? '');
    const cell = pastMessage(Cell.fromBoc(received?.boc ?? Buffer.alloc(0))[0]!);
    assert.ok(cell);
    message = cell;
  });
  afterEach(() => served.close());

  /** The message of the trace with another value. */
  const prepare = async (signal: AbortSignal, sender?: Address): ReturnType<typeof prepareResend> => {
    const isSigned = messageToResend(trace, namedAccounts)?.isSigned;
    const edited = editMessage(message, { value: toNano('3'), sender });
    return prepareResend(served.access, edited, isSigned === true, namedAccounts, signal);
  };
  const again = (more: Partial<SendAgainParameters> = {}): ReturnType<typeof sendAgain> =>
    sendAgain({
      ...{ access: served.access, trace: root, prepare, signal: AbortSignal.timeout(20_000 * pace) },
      ...more,
    });

  it('signs it anew on the state from before, and everything can be brought back', async () => {
    const [before, bobs, alices] = [history(), balance(bob), balance(alice)];
    const { model, undo, seqno } = await again();
    assert.equal(model.nodes[0]?.account, alice);
    assert.equal(model.nodes[1]?.account, bob);
    assert.equal(model.nodes[1]?.message?.value, toNano('3'));
    // 3 instead of 1, and without the 7 of the later trace.
    assert.equal(bobs - balance(bob) > toNano('4.9') && bobs - balance(bob) < toNano('5.1'), true);
    const preview = await callControl(control, 'restorePreview', { seqno });
    assert.equal(preview.traces, 1);
    await callControl(control, 'undoRestore', { undo });
    assert.deepEqual(history(), before);
    assert.deepEqual([balance(bob), balance(alice)], [bobs, alices]);
  });

  it('goes out in the name of another sender, signed if that is a wallet of the network', async () => {
    const { model } = await again({ prepare: (signal) => prepare(signal, Address.parseRaw(carol)) });
    assert.equal(model.nodes[0]?.account, carol);
    const anyone = new Address(0, Buffer.alloc(32, 7));
    const forged = await again({
      trace: model.nodes[0].hash ?? '',
      prepare: (signal) => prepare(signal, anyone),
    });
    assert.equal(forged.model.nodes[0]?.account, bob);
    assert.equal(forged.model.nodes[0].message?.source, anyone.toRawString());
  });

  it('does not wait for blocks that are made by hand', async () => {
    served.chain.mode = { kind: 'manual' };
    const { model } = await again();
    assert.equal(model.nodes.length, 2);
  });

  it('changes nothing if the message cannot be prepared, is refused, or the user cancels', async () => {
    const before = history();
    const back = { hint: 'Nothing has changed: the local network is back where it was.' };
    await assert.rejects(again({ prepare: () => Promise.reject(new Error('no wallet')) }), back);
    assert.deepEqual(history(), before);
    // Its signature is wrong.
    const refused = transfer('alice', { seqno: 9, to: bob, value: 1n });
    await assert.rejects(
      again({
        prepare: (signal) =>
          prepareResend(served.access, Cell.fromBoc(refused)[0]!, false, namedAccounts, signal),
      }),
      back,
    );
    assert.deepEqual(history(), before);
    const canceled = new AbortController();
    await assert.rejects(
      again({
        signal: canceled.signal,
        prepare: () => {
          canceled.abort();
          return prepare(canceled.signal);
        },
      }),
      back,
    );
    assert.deepEqual(history(), before);
    await assert.rejects(again({ trace: 'ab'.repeat(32) }), { code: 'localnet-refused' });
    assert.deepEqual(history(), before);
  });

  it('is refused on every other network', async () => {
    const access = { ...served.access, network: { ...served.access.network, kind: 'testnet' as const } };
    await assert.rejects(again({ access }), { code: 'send-again-local-only' });
  });

  it('means what a wallet sent, not its signed request', () => {
    const meant = messageToResend(trace, namedAccounts);
    assert.deepEqual([meant?.node.account, meant?.isSigned, meant?.others], [bob, true, 0]);
    // Unknown wallets cannot sign: then their request itself is meant.
    assert.equal(messageToResend(trace, [])?.node.account, alice);
  });
});
