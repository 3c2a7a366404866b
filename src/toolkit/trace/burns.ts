import { Cell } from '@ton/core';
import { addressOf, integerOf } from './bodyFields';
import { jettonOpcodes } from './jettonOpcodes';
import type { DecodedBody } from '../opcodes/decodedBody';
import type { TraceView } from './traceView';
import type { TraceNode } from './traceModel';
import type { V3Message } from '../api/v3Objects';

/**
 * Whether a burn notification only relays the previous one, through a contract between a wallet and its master (a
 * bridge's): one burn, two notifications.
 */
export function isRelayedBurn(node: TraceNode, context: TraceView): boolean {
  const { parent } = node;
  return parent !== undefined && isSameBurn(parent, node, context);
}

/** The final recipient of a burn notification, relayed or not: the master. */
export function lastOfBurn(node: TraceNode, context: TraceView): TraceNode {
  let last = node;
  for (let next: TraceNode | undefined = node; next !== undefined;) {
    last = next;
    next = last.children.find((child) => isSameBurn(last, child, context));
  }
  return last;
}

function isSameBurn(one: TraceNode, next: TraceNode, context: TraceView): boolean {
  const [before, after] = [one.message, next.message].map((message) =>
    message == null || message.bounced === true || context.opcode(message) !== jettonOpcodes.burnNotification
      ? undefined
      : context.body(message),
  );
  return (
    before !== undefined &&
    after !== undefined &&
    integerOf(before, 'amount') === integerOf(after, 'amount') &&
    addressOf(before, 'sender') === addressOf(after, 'sender')
  );
}

/**
 * Whether a message is a wallet's burn notification with a nonstandard opcode: like TEP-74's, it repeats the query id
 * and amount of the burn order.
 */
export function isOwnBurnNotice({ message, parent }: TraceNode, context: TraceView): boolean {
  const order = burnOrder(parent, context);
  if (order === undefined || message?.destination == null || message.bounced === true) {
    return false;
  }
  const head = headOf(message);
  return (
    head !== undefined &&
    head.code !== jettonOpcodes.burnNotification &&
    head.queryId === integerOf(order, 'query_id') &&
    head.amount === integerOf(order, 'amount')
  );
}

/** The contents of an executed burn order. */
export function burnOrder(node: TraceNode | undefined, context: TraceView): DecodedBody | undefined {
  const order = node?.message;
  const isOrder = order != null && order.bounced !== true && context.opcode(order) === jettonOpcodes.burn;
  return isOrder && node?.outcome === 'ok' ? context.body(order) : undefined;
}

/** Opcode, query id, and amount, with which nearly all jetton messages begin. */
function headOf({
  message_content: content,
}: V3Message): { code: number; queryId: bigint; amount: bigint } | undefined {
  try {
    const slice = Cell.fromBase64(content?.body ?? '').beginParse();
    return { code: slice.loadUint(32), queryId: slice.loadUintBig(64), amount: slice.loadCoins() };
  } catch {
    return undefined;
  }
}
