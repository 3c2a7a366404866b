import type { V3Message, V3Transaction } from '../api/v3Objects';
import { counted } from './figures';
import type { TraceModel } from './traceModel';

/**
 * Amounts missing from an answer's transactions, a sentence each. If there are any, the trace's balance sheet is
 * incomplete.
 */
export function missingAmounts({ nodes }: TraceModel): string[] {
  const transactions = nodes.flatMap(({ transaction }) => (transaction === undefined ? [] : [transaction]));
  // A message that was sent and received is in the answer twice.
  const messages = new Map(
    transactions
      .flatMap(({ in_msg: received, out_msgs: sent }) => [
        ...(sent ?? []),
        ...(received == null ? [] : [received]),
      ])
      .map((message) => [message.hash ?? message, message]),
  );
  const gaps: [count: number, text: string][] = [
    [count(transactions, ({ total_fees: fees }) => fees == null), 'the fees of'],
    [count(transactions, ({ out_msgs: sent }) => sent === undefined), 'the messages sent by'],
    [count(transactions, isWithoutCause), 'the message received by'],
  ];
  const values = count([...messages.values()], (message) => isInternal(message) && message.value == null);
  return [
    ...gaps.flatMap(([many, text]) => (many === 0 ? [] : `${text} ${counted(many, 'transaction')}`)),
    ...(values === 0 ? [] : [`the value of ${counted(values, 'message')}`]),
  ].map((text) => `The answer leaves out ${text}.`);
}

/** Null means that there is none, as for tick-tock. */
function isWithoutCause({ in_msg: message, description }: V3Transaction): boolean {
  return message === undefined && (description?.type == null || description.type === 'ord');
}

function isInternal({ source, destination }: V3Message): boolean {
  return source != null && destination != null;
}

function count<T>(items: readonly T[], isMissing: (item: T) => boolean): number {
  return items.filter(isMissing).length;
}
