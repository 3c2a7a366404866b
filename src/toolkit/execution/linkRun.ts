import { readMessageHead } from '../cell/light/messageHead';
import { readAccount } from '../cell/light/readAccount';
import { readLightCell } from '../cell/light/readLightCell';
import { readTransaction } from '../cell/light/readTransaction';
import type { TracedMessage, TracedRun, TracedState, TracedTransaction } from './encode/tracedTransaction';
import type { ExecutedTransaction } from './executedTransaction';

interface LinkedTransaction extends TracedTransaction {
  outMessages: TracedMessage[];
}

/**
 * Links transactions to the senders of their messages, and finds account states before and after each.
 *
 * @param executed in the order of execution
 * @param before ShardAccounts before the run (BoC, base64) by address
 */
export function linkRun(
  executed: readonly ExecutedTransaction[],
  before: ReadonlyMap<string, string>,
): TracedRun {
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
