import type { ExecutedTransaction } from '../execution/encodeRun';
import { encodeRun } from '../execution/encodeRun';
import type { OrderStep } from '../explore/exploreOrders';
import { buildTrace } from '../trace/buildTrace';
import type { TraceModel } from '../trace/traceModel';
import type { HeldMessage } from './sheetWorld';

/** The trace of one flow in an order of deliveries: its wallet's transaction, and all that followed from it. */
export function flowTrace(held: HeldMessage, flow: number, order: readonly OrderStep[]): TraceModel {
  const own = order.filter(({ message }) => message.flow === flow);
  const before = new Map<string, string>();
  if (held.sender !== undefined && held.before !== undefined) {
    before.set(held.sender.address, held.before);
  }
  own.forEach((step) => before.set(step.address, before.get(step.address) ?? step.before.shardAccount));
  const executed = [...(held.sender === undefined ? [] : [held.sender]), ...own.map(executedOf)];
  return buildTrace(encodeRun(executed, before));
}

/** The trace of one delivery alone. */
export function stepTrace(step: OrderStep): TraceModel {
  return buildTrace(encodeRun([executedOf(step)], new Map([[step.address, step.before.shardAccount]])));
}

function executedOf({ address, transaction, after }: OrderStep): ExecutedTransaction {
  return {
    address,
    boc: Buffer.from(transaction, 'base64'),
    shardAccount: Buffer.from(after.shardAccount, 'base64'),
  };
}
