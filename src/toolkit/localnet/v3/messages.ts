import type { V3Answer } from './blocks';
import { ApiError } from '../api/apiError';
import { mapInTurns } from '../../base/turns';
import type { TransactionRecord, MessageRecord } from '../records/records';
import { addressBookOnly, books } from './blocks';
import type { V3Context } from './v3Context';
import { encodeMessageOf, encodeV3Transaction } from './v3Context';
import type { Query } from './query';
import type { Page } from './page';
import { inRanges, takePage } from './page';
import { walk } from './selectTransactions';

/** GET /messages. */
export async function messages(context: V3Context, query: Query): Promise<V3Answer<'messages'>> {
  const page = query.page();
  const direction = readDirection(query);
  const matches = filters(query);
  const found = function* (): Iterable<MessageRecord> {
    for (const message of candidates(context, query, page)) {
      if (matches(message)) {
        yield message;
      }
    }
  };
  const rows = await mapInTurns(takePage(found(), page), (message) => ({
    ...encodeMessageOf(context, message),
    // If one side is requested, the service only looks at that side.
    in_msg_tx_hash: direction === 'out' ? null : (message.consumer?.hash ?? null),
    out_msg_tx_hash: direction === 'in' ? null : (message.producer?.hash ?? null),
  }));
  return { messages: rows, ...(await books(context, query, rows)) };
}

/** The narrowest index. External messages have no lt and come first in descending order, as in the service. */
function* candidates({ chain }: V3Context, query: Query, { ascending }: Page): Iterable<MessageRecord> {
  const { ledger } = chain;
  const hashes = [...query.hashes('msg_hash'), ...query.hashes('hash')];
  const bodyHash = query.hash('body_hash');
  const opcode = query.opcode('opcode');
  const source = query.text('source') === 'null' ? undefined : query.address('source');
  const destination = query.text('destination') === 'null' ? undefined : query.address('destination');
  if (hashes.length > 0) {
    yield* byLt(
      hashes.flatMap((hash) => [...ledger.messages(hash)]),
      ascending,
    );
  } else if (bodyHash !== undefined) {
    yield* byLt([...ledger.messagesByBody(bodyHash)], ascending);
  } else if (destination !== undefined) {
    yield* received(ledger.accounts.get(destination)?.transactions ?? [], ascending);
  } else if (source !== undefined) {
    yield* sent(ledger.accounts.get(source)?.transactions ?? [], ascending);
  } else if (opcode !== undefined) {
    yield* byLt([...ledger.messagesByOpcode(opcode)], ascending);
  } else {
    const groups = [ledger.externalMessages, ledger.sentMessages];
    for (const group of ascending ? groups.reverse() : groups) {
      yield* walk(group, ascending);
    }
  }
}

function* received(transactions: readonly TransactionRecord[], ascending: boolean): Iterable<MessageRecord> {
  const external: boolean[] = ascending ? [false, true] : [true, false];
  for (const wanted of external) {
    for (const { inMessage } of walk(transactions, ascending)) {
      if (inMessage !== null && (inMessage.kind === 'external-in') === wanted) {
        yield inMessage;
      }
    }
  }
}

function* sent(transactions: readonly TransactionRecord[], ascending: boolean): Iterable<MessageRecord> {
  for (const { outMessages } of walk(transactions, ascending)) {
    yield* walk(outMessages, ascending);
  }
}

function byLt(messagesFound: MessageRecord[], ascending: boolean): MessageRecord[] {
  const sorted = [...new Set(messagesFound)].sort((a, b) => Number(a.createdLt - b.createdLt));
  if (ascending) {
    return [...sorted.filter((one) => one.createdLt > 0n), ...sorted.filter((one) => one.createdLt === 0n)];
  }
  return [
    ...sorted.filter((one) => one.createdLt === 0n),
    ...sorted.filter((one) => one.createdLt > 0n).reverse(),
  ];
}

function filters(query: Query): (message: MessageRecord) => boolean {
  const source = query.text('source') === 'null' ? null : query.address('source');
  const destination = query.text('destination') === 'null' ? null : query.address('destination');
  const bodyHash = query.hash('body_hash');
  const opcode = query.opcode('opcode');
  const direction = query.text('direction');
  const withoutExternals = query.flag('exclude_externals', false);
  const onlyExternals = query.flag('only_externals', false);
  const ranges = query.ranges();
  const ranged = Object.values(ranges).some((bound) => bound !== undefined);
  return (message) =>
    (source === undefined || message.source === source) &&
    (destination === undefined || message.destination === destination) &&
    (bodyHash === undefined || message.bodyHash === bodyHash) &&
    (opcode === undefined || message.opcode === opcode) &&
    (direction !== 'in' || message.consumer !== null) &&
    (direction !== 'out' || message.producer !== null) &&
    (!withoutExternals || message.kind === 'internal') &&
    (!onlyExternals || message.kind !== 'internal') &&
    (!ranged || (message.kind !== 'external-in' && inRanges(ranges, message.createdAt, message.createdLt)));
}

/** GET /transactionsByMessage. */
export async function transactionsByMessage(
  context: V3Context,
  query: Query,
): Promise<V3Answer<'transactionsByMessage'>> {
  const { ledger } = context.chain;
  const hashes = query.hashes('msg_hash');
  const bodyHash = query.hash('body_hash');
  const opcode = query.opcode('opcode');
  const direction = readDirection(query);
  if (hashes.length === 0 && bodyHash === undefined && opcode === undefined) {
    throw new ApiError(422, 'at least one of msg_hash, body_hash, opcode should be specified');
  }
  const found =
    hashes.length > 0
      ? hashes.flatMap((hash) => [...ledger.messages(hash)])
      : bodyHash !== undefined
        ? ledger.messagesByBody(bodyHash)
        : ledger.messagesByOpcode(opcode as number);
  const page = query.page();
  const matching = found.filter(
    (message) =>
      (bodyHash === undefined || message.bodyHash === bodyHash) &&
      (opcode === undefined || message.opcode === opcode),
  );
  const transactions = new Set<TransactionRecord>();
  for (const { consumer, producer } of matching) {
    for (const transaction of [direction === 'out' ? null : consumer, direction === 'in' ? null : producer]) {
      if (transaction !== null) {
        transactions.add(transaction);
      }
    }
  }
  const chosen = takePage(
    [...transactions].sort((a, b) => b.position - a.position),
    page,
  );
  const rows = await mapInTurns(chosen, (transaction) => encodeV3Transaction(context, transaction));
  return { transactions: rows, ...(await addressBookOnly(context, query, rows)) };
}

/** GET /adjacentTransactions: the sender's transaction, the receivers', or both. */
export async function adjacentTransactions(
  context: V3Context,
  query: Query,
): Promise<V3Answer<'adjacentTransactions'>> {
  const record = context.chain.ledger.transaction(query.hash('hash') ?? '');
  const direction = readDirection(query);
  const parent = record?.inMessage?.producer ?? null;
  const children = record?.outMessages.map((message) => message.consumer) ?? [];
  const found = [...(direction === 'out' ? [] : [parent]), ...(direction === 'in' ? [] : children)].filter(
    (transaction) => transaction !== null,
  );
  if (found.length === 0) {
    throw new ApiError(404, 'adjacent transactions not found');
  }
  const rows = await mapInTurns(found, (transaction) => encodeV3Transaction(context, transaction));
  return { transactions: rows, ...(await addressBookOnly(context, query, rows)) };
}

function readDirection(query: Query): string | undefined {
  const direction = query.text('direction');
  if (direction !== undefined && direction !== 'in' && direction !== 'out') {
    throw new ApiError(422, 'direction should be one of: in, out');
  }
  return direction;
}
