import type { Exact } from '../api/v3Objects';
import type { V3Trace } from '../api/v3Traces';
import { readTransaction } from '../cell/light/bitCursor';
import type { LightCell } from '../cell/light/lightCell';
import { readLightCell } from '../cell/light/lightCell';
import { readAccount, readMessageHead } from '../cell/light/readMessage';
import type { DebugOutput } from './emulator/emulator';
import { encodeRunBody, encodeRunHead, orderedTransactions } from './encode/encodeTracedRun';
import type {
  TracedMessage,
  TracedRun,
  TracedState,
  TracedTransaction,
} from './encode/encodeTracedTransaction';
import { encodeTracedTransaction } from './encode/encodeTracedTransaction';

/**
 * The trace of executed transactions as in the v3 API, marked as emulated and without a block.
 *
 * @param executed in the order of execution, the root first
 * @param before ShardAccounts before the run (BoC, base64) by address
 */
export function encodeRun(
  executed: readonly ExecutedTransaction[],
  before: ReadonlyMap<string, string>,
): Exact<V3Trace> {
  const run = linkRun(executed, before);
  const order = orderedTransactions(run);
  const codes = new Map(run.transactions.map(({ account, after }) => [account.address, after.codeHash]));
  const printed = new Map(run.transactions.map(({ hash }, place) => [hash, executed[place]?.debugOutput]));
  const traceId = order[0]?.hash ?? '';
  const encoded = order.map((transaction) =>
    encodeTracedTransaction(transaction, {
      codeHashOf: (address) => codes.get(address),
      printed: printed.get(transaction.hash) ?? [],
      traceId,
    }),
  );
  return { ...encodeRunHead(run, order), ...encodeRunBody(order, encoded) };
}

/** The same trace of what has happened, if only on a network of our own: nothing of it is a prediction. */
export function asHappened(trace: Exact<V3Trace>): Exact<V3Trace> {
  for (const transaction of Object.values(trace.transactions ?? {})) {
    Object.assign(transaction ?? {}, { emulated: false });
  }
  return trace;
}

interface LinkedTransaction extends TracedTransaction {
  outMessages: TracedMessage[];
}

/**
 * Links transactions to the senders of their messages, and finds account states before and after each.
 *
 * @param executed in the order of execution
 * @param before ShardAccounts before the run (BoC, base64) by address
 */
function linkRun(executed: readonly ExecutedTransaction[], before: ReadonlyMap<string, string>): TracedRun {
  const states = new Map<string, TracedState>();
  for (const [address, shardAccount] of before) {
    states.set(address, stateOf(Buffer.from(shardAccount, 'base64')));
  }
  const underWay = new Map<string, TracedMessage>();
  const transactions: TracedTransaction[] = [];
  let messages = 0;
  for (const { address, boc, cell = readLightCell(boc), shardAccount } of executed) {
    const { hash, lt, now, inMessage, outMessages } = readTransaction(cell);
    const received = inMessage === null ? undefined : underWay.get(inMessage.hexHash);
    underWay.delete(received?.hash ?? '');
    const after = stateOf(shardAccount);
    const record: LinkedTransaction = {
      ...{ hash, lt, now, boc, account: { address }, before: states.get(address) ?? null, after },
      inMessage: received ?? (inMessage && { ...readMessageHead(inMessage), producer: null }),
      outMessages: [],
    };
    record.outMessages = outMessages.map((message) => ({ ...readMessageHead(message), producer: record }));
    states.set(address, after);
    transactions.push(record);
    messages += outMessages.length + (received === undefined && inMessage !== null ? 1 : 0);
    for (const message of record.outMessages.filter(({ kind }) => kind === 'internal')) {
      underWay.set(message.hash, message);
    }
  }
  return { transactions, messages, pendingMessages: underWay.size };
}

function stateOf(shardAccount: Buffer): TracedState {
  return {
    packed: shardAccount,
    codeHash: readAccount(readLightCell(shardAccount)).code?.hexHash ?? null,
  };
}

/** An executed transaction and the account state it left. */
export interface ExecutedTransaction {
  /** Raw address of the account, lowercase. */
  address: string;
  /** Transaction, BoC. */
  boc: Buffer;
  /** The parsed transaction, if available. */
  cell?: LightCell;
  /** ShardAccount after it, BoC. */
  shardAccount: Buffer;
  ignoreSignatures?: boolean;
  /** The contract's debug output. */
  debugOutput?: DebugOutput | undefined;
}
