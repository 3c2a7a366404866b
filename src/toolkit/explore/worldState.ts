import type { AccountState, Delivered } from './deliverMessage';
import { digest } from './deliverMessage';
import type { MessageUnderWay } from './messageUnderWay';

/** A message under way in one order. */
export interface NumberedMessage {
  /** Its place among all messages of this order, as they were sent, from 1. */
  number: number;
  message: MessageUnderWay;
}

/** The accounts and the messages under way between two deliveries. */
export interface WorldState {
  /** The accounts that deliveries have changed, by raw address. */
  readonly accounts: ReadonlyMap<string, AccountState>;
  /** As they were sent, the oldest first. */
  readonly underWay: readonly NumberedMessage[];
  /** How many messages were sent so far. */
  readonly sent: number;
  /** What each flow has done so far, one text per transaction, sorted. */
  readonly facts: readonly string[];
}

/** The state before the first delivery. @param messages the first of each flow, in the order of sending */
export function firstState(messages: readonly MessageUnderWay[]): WorldState {
  return {
    accounts: new Map(),
    underWay: messages.map((message, index) => ({ number: index + 1, message })),
    sent: messages.length,
    facts: [],
  };
}

/**
 * The messages that may be delivered next: of those from one account to another only the oldest, since the chain
 * delivers these in the order of their logical times.
 */
export function deliverable({ underWay }: WorldState): NumberedMessage[] {
  const pairs = new Set<string>();
  return underWay.filter(({ message: { source, destination } }) => {
    const pair = `${source} ${destination}`;
    const isFirst = !pairs.has(pair);
    pairs.add(pair);
    return isFirst;
  });
}

/** The state after a delivery. */
export function stateAfter(state: WorldState, delivered: NumberedMessage, done: Delivered): WorldState {
  const { address, after, exitCode, actionCode, gasUsed, sent } = done;
  const fact = `${delivered.message.flow} ${address} ${exitCode} ${actionCode} ${gasUsed}`;
  return {
    accounts: new Map(state.accounts).set(address, after),
    underWay: [
      ...state.underWay.filter((one) => one !== delivered),
      ...sent.map((message, index) => ({ number: state.sent + index + 1, message })),
    ],
    sent: state.sent + sent.length,
    facts: [...state.facts, fact].sort(),
  };
}

/**
 * Equal for states from which the same can happen: the accounts' contents, the messages under way without their times,
 * in order for each pair of accounts, and what the flows have done so far.
 */
export function stateKey({ accounts, underWay, facts }: WorldState): string {
  const pairs = new Map<string, string>();
  for (const { message } of underWay) {
    const pair = `${message.source} ${message.destination}`;
    pairs.set(pair, `${pairs.get(pair) ?? ''} ${message.flow}:${message.content}`);
  }
  const contents = [...accounts].map(([address, { content }]) => `${address} ${content}`);
  const queues = [...pairs].map(([pair, queue]) => pair + queue);
  return digest([...contents.sort(), '', ...queues.sort(), '', ...facts].join('\n'));
}
