import { explainExitCode } from '../contracts/exitCodes';
import { isSuccessCode } from '../contracts/standardExitCode';
import { readTransaction } from '../cell/light/bitCursor';
import { readLightCell } from '../cell/light/lightCell';
import type { OrderStep } from '../explore/exploreOrders';
import type { TraceContext } from '../trace/traceContext';
import type { TraceModel } from '../trace/traceModel';
import { flowTrace } from './flowTraces';
import type { HeldMessage } from './sheetWorld';

/** One delivery of an order, for reading. */
export interface OrderRow {
  /** The number of the message in this order, from 1. */
  number: number;
  /** The flow that it belongs to, from 0. */
  flow: number;
  /** Names, or short addresses. */
  from: string;
  to: string;
  /** Raw addresses. */
  source: string;
  destination: string;
  /** What it says, as traces name it: `Withdraw`, `bounced`. */
  name: string;
  /** Nanocoins. */
  value: bigint;
  /** The exit code of the compute phase, or of the action phase if only that failed; null if no code ran. */
  exitCode: number | null;
  exitName: string | undefined;
  /** The numbers of the messages that it sent. */
  sent: readonly number[];
}

/** An order with the names that are known. @param held the message of each flow */
export async function orderRows(
  order: readonly OrderStep[],
  held: readonly HeldMessage[],
  describe: (model: TraceModel) => Promise<TraceContext>,
): Promise<OrderRow[]> {
  const contexts = new Map<number, TraceContext>();
  for (const [flow, own] of held.entries()) {
    if (order.some(({ message }) => message.flow === flow)) {
      contexts.set(flow, await describe(flowTrace(own, flow, order)));
    }
  }
  return order.map((step) => rowOf(step, contexts.get(step.message.flow)));
}

function rowOf(step: OrderStep, context: TraceContext | undefined): OrderRow {
  const { number, message, address, sentNumbers } = step;
  const { hash } = readTransaction(readLightCell(Buffer.from(step.transaction, 'base64')));
  const read = context?.model.byHash.get(hash)?.message;
  const failed = step.exitCode === null || isSuccessCode(step.exitCode) ? step.actionCode : null;
  const [code, phase] =
    failed === null || failed === 0 ? ([step.exitCode, 'compute'] as const) : ([failed, 'action'] as const);
  const isOk = code === null || isSuccessCode(code);
  return {
    ...{ number, flow: message.flow, source: message.source, destination: address },
    from: context?.name(message.source) ?? message.source,
    to: context?.name(address) ?? address,
    name: read == null ? '' : (context?.messageName(read) ?? ''),
    value: message.value,
    exitCode: code,
    exitName: isOk ? undefined : explainExitCode(code, phase, context?.exitSource(address))?.name,
    sent: sentNumbers,
  };
}
