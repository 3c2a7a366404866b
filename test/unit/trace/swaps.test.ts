import assert from 'node:assert/strict';
import { Cell, beginCell } from '@ton/core';
import type { TraceAction } from '../../../src/toolkit/trace/actionWords';
import { traceActions } from '../../../src/toolkit/trace/traceActions';
import { headline } from '../../../src/toolkit/trace/traceText';
import { contextOf, recordedAnswer } from './fixtures';

interface Message {
  opcode: string | null;
  message_content: { body: string };
}
interface Recorded {
  traces: { transactions: Record<string, { in_msg: Message; description: Description }> }[];
}
interface Description {
  aborted: boolean;
  compute_ph: { success: boolean; exit_code: number };
}

/** The recorded swap, after a change of the message with this opcode and its transaction. */
function actionsAfter(
  opcode: string,
  change: (message: Message, description: Description) => void,
): TraceAction[] {
  const answer = recordedAnswer('jetton-swap-localnet') as Recorded;
  const own = Object.values(answer.traces[0]?.transactions ?? {}).filter(
    ({ in_msg: message }) => message.opcode === opcode,
  );
  assert.ok(own.length > 0);
  own.forEach(({ in_msg: message, description }) => change(message, description));
  return traceActions(contextOf(answer));
}

describe('swaps of traces that come without actions', () => {
  it('are one action, from what was given to what was paid for it', () => {
    const context = contextOf(recordedAnswer('jetton-swap-localnet'));
    const [action, ...others] = traceActions(context);
    assert.deepEqual(others, []);
    assert.equal(action?.type, 'jetton_swap');
    assert.equal(action.nodes.length, 9);
    assert.equal(headline(context), 'swap 100 TKA for 246.787559 TKB by UQCSOv…ApwR on stonfi');
  });

  it('are not done if the pool gives another reason for its payment', () => {
    const refunded = (message: Message): void => {
      const body = Cell.fromBase64(message.message_content.body).beginParse();
      const head = beginCell().storeUint(body.loadUint(32), 32).storeUint(body.loadUintBig(64), 64);
      head.storeAddress(body.loadAddress()).storeUint(body.loadUint(32) === 0 ? 0 : 0x5ffe1295, 32);
      message.message_content.body = head.storeSlice(body).endCell().toBoc().toString('base64');
    };
    assert.deepEqual(
      actionsAfter('0xf93bb43f', refunded).map(({ type, success }) => [type, success]),
      [['jetton_swap', false]],
    );
  });

  it('are transfers if another contract than an exchange was asked', () => {
    const actions = actionsAfter('0x25938561', (message) => (message.opcode = '0x25938562'));
    assert.deepEqual(
      actions.map(({ type }) => type),
      ['jetton_transfer', 'jetton_transfer'],
    );
  });

  it('are not done if what was paid did not arrive', () => {
    const actions = actionsAfter('0x178d4519', (_, description) => {
      description.aborted = true;
      description.compute_ph.success = false;
      description.compute_ph.exit_code = 709;
    });
    assert.deepEqual(
      actions.map(({ success }) => success),
      [false],
    );
  });
});
