import { Address, SendMode, beginCell, internal } from '@ton/core';
import type { Cell, MessageRelaxed } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { modelFrom } from '../../support/modelFrom';
import { traceActions } from '../../../src/toolkit/trace/traceActions';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import type { V3TransactionWire as V3Transaction } from '../../../src/toolkit/api/v3Objects';
import { chain, fakeAccount, fakeHash, syntheticTrace, tellBody, wide } from './syntheticTrace';

const raw = (index: number): string => fakeAccount(index).toLowerCase();
const address = (index: number): Address => Address.parseRaw(raw(index));
const names = new Map(['alice', 'bob', 'carol', 'dave'].map((name, index) => [raw(index), name]));
const keys = keyPairFromSeed(Buffer.alloc(32, 5));

function order(to: number, value: string, body?: string | Cell): MessageRelaxed {
  return internal({ to: address(to), value, ...(body === undefined ? {} : { body }) });
}

const common = { seqno: 3, secretKey: keys.secretKey, timeout: 1_900_000_000 };
const sendMode = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS;
const v4 = (...messages: MessageRelaxed[]): Cell =>
  WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey }).createTransfer({
    ...common,
    sendMode,
    messages,
  });
const v5 = (...messages: MessageRelaxed[]): Cell =>
  WalletContractV5R1.create({ workchain: 0, publicKey: keys.publicKey }).createTransfer({
    ...common,
    sendMode,
    messages,
  });

/** A wallet that gets a request and leaves `leftOut` of its orders out; the ones in `sent` left it. */
function wallet(body: Cell, leftOut: number, sent: readonly MessageRelaxed[] = []): TraceContext {
  const trace = syntheticTrace(1 + sent.length, wide);
  const root = trace.transactions?.[fakeHash('tx', 0)] as V3Transaction;
  Object.assign(root.in_msg ?? {}, { message_content: { body: body.toBoc().toString('base64') } });
  Object.assign(root.description?.action ?? {}, { skipped_actions: leftOut });
  sent.forEach((message, index) => {
    for (const side of [root.out_msgs?.[index], trace.transactions?.[fakeHash('tx', index + 1)]?.in_msg]) {
      Object.assign(side ?? {}, {
        destination: String(message.info.dest instanceof Address ? message.info.dest.toRawString() : ''),
        opcode: '0x00000000',
        message_content: { body: message.body.toBoc().toString('base64') },
      });
    }
    const receiver = trace.transactions?.[fakeHash('tx', index + 1)] as V3Transaction;
    receiver.account = (message.info.dest as Address).toRawString();
  });
  return new TraceContext(modelFrom(trace), { names });
}

const told = (context: TraceContext): string[] =>
  traceActions(context).map(({ success, words }) => `${success ? '✓' : '✗'} ${words}`);

describe('messages that a wallet was ordered to send and did not', () => {
  for (const [name, sign] of [
    ['v4', v4],
    ['v5', v5],
  ] as const) {
    it(`are reported (${name})`, () => {
      assert.deepEqual(told(wallet(sign(order(1, '75', '106776')), 1)), [
        '✗ transfer 75 TON, alice → bob, comment "106776" (not sent)',
      ]);
    });
  }

  it('are reported beside what was sent', () => {
    const [first, second, third] = [order(1, '1', 'a'), order(2, '2', 'b'), order(3, '3', 'c')];
    assert.deepEqual(told(wallet(v4(first, second, third), 1, [first, third])), [
      '✗ transfer 2 TON, alice → carol, comment "b" (not sent)',
      '✓ transfer 0.005 TON, alice → bob, comment "a"',
      '✓ transfer 0.005 TON, alice → dave, comment "c"',
    ]);
  });

  it('are reported for jettons too, and when the whole action phase failed', () => {
    const transfer = beginCell()
      .storeUint(0x0f8a7ea5, 32)
      .storeUint(0, 64)
      .storeCoins(2500)
      .storeAddress(address(2))
      .storeAddress(address(0))
      .storeUint(0, 1)
      .storeCoins(1)
      .storeUint(0, 1)
      .endCell();
    const context = wallet(v4(order(1, '0.05', transfer)), 0);
    const root = context.model.nodes[0]?.transaction;
    Object.assign(root?.description ?? {}, { aborted: true, action: { success: false, result_code: 37 } });
    assert.deepEqual(told(context), ['✗ jetton transfer 2 500 units, alice → carol (not sent)']);
  });

  it('are not reported if everything was sent', () => {
    const only = order(1, '1', 'a');
    assert.deepEqual(told(wallet(v4(only), 0, [only])), ['✓ transfer 0.005 TON, alice → bob, comment "a"']);
  });
});

describe('an NFT that changes owner', () => {
  const assigned = (before: number): Cell =>
    beginCell()
      .storeUint(0x05138d91, 32)
      .storeUint(0, 64)
      .storeAddress(address(before))
      .storeBit(0)
      .endCell();
  const given = (to: number): Cell =>
    beginCell()
      .storeUint(0x5fcc3d14, 32)
      .storeUint(0, 64)
      .storeAddress(address(to))
      .storeAddress(null)
      .storeBit(0)
      .storeCoins(1)
      .storeBit(0)
      .endCell();

  /** alice → bob (the item) → carol. */
  function passing(order: Cell, notice: Cell): TraceContext {
    const trace = syntheticTrace(3, chain);
    tellBody(trace, 1, order);
    tellBody(trace, 2, notice);
    return new TraceContext(modelFrom(trace), { names });
  }

  it('is reported even if nobody ordered a transfer: it was bought from itself', () => {
    const bought = beginCell().storeUint(0x12345678, 32).endCell();
    assert.ok(told(passing(bought, assigned(3))).includes('✓ NFT transfer bob, dave → carol'));
  });

  it('is reported once if a transfer was ordered', () => {
    assert.deepEqual(told(passing(given(2), assigned(0))), ['✓ NFT transfer bob, alice → carol']);
  });

  it('is not reported if it stays', () => {
    const asked = beginCell().storeUint(0x12345678, 32).endCell();
    assert.ok(!told(passing(asked, assigned(2))).some((words) => words.includes('NFT')));
  });
});
