import { ApiError } from '../api/apiError';
import type { LocalChain } from '../chain/localChain';
import type { TransactionRecord } from '../records/records';
import type { Query } from './query';
import type { Page } from './page';
import { inRanges, takePage } from './page';

/** The rows of `/transactions`: the narrowest index first, then the other filters. */
export function selectTransactions(chain: LocalChain, query: Query): TransactionRecord[] {
  const page = query.page();
  const matches = filters(chain, query);
  const rows: TransactionRecord[] = [];
  for (const record of candidates(chain, query, page)) {
    if (matches(record)) {
      rows.push(record);
      if (rows.length >= page.offset + page.limit) {
        break;
      }
    }
  }
  return takePage(rows, page);
}

function candidates(chain: LocalChain, query: Query, page: Page): Iterable<TransactionRecord> {
  const { ledger } = chain;
  const hashes = query.hashes('hash');
  if (hashes.length > 0) {
    return sorted(
      hashes.map((hash) => ledger.transaction(hash)).filter((found) => found !== undefined),
      page,
    );
  }
  const mcSeqno = query.integer('mc_seqno');
  if (mcSeqno !== undefined) {
    const block = ledger.block(mcSeqno);
    if (block === undefined) {
      throw new ApiError(404, `masterchain block ${mcSeqno} not found`);
    }
    return sorted([...block.transactions], page);
  }
  const seqno = query.integer('seqno');
  if (seqno !== undefined) {
    return sorted([...(ledger.block(seqno)?.transactions ?? [])], page);
  }
  const accounts = query
    .addresses('account')
    .map((address) => ledger.accounts.get(address)?.transactions ?? []);
  if (accounts.length === 1) {
    return walk(accounts[0] as TransactionRecord[], page.ascending);
  }
  return accounts.length > 1 ? sorted(accounts.flat(), page) : walk(ledger.transactions, page.ascending);
}

function filters(_chain: LocalChain, query: Query): (record: TransactionRecord) => boolean {
  const workchain = query.integer('workchain');
  const lt = query.bigint('lt');
  const accounts = new Set(query.addresses('account'));
  const seqno = query.integer('seqno');
  const mcSeqno = query.integer('mc_seqno');
  const ranges = query.ranges();
  return (record) =>
    (workchain === undefined || record.account.address.startsWith(`${workchain}:`)) &&
    (lt === undefined || record.lt === lt) &&
    (accounts.size === 0 || accounts.has(record.account.address)) &&
    (seqno === undefined || record.block.seqno === seqno) &&
    (mcSeqno === undefined || record.block.seqno === mcSeqno) &&
    inRanges(ranges, record.now, record.lt);
}

/** Records in order of execution, from either end, without copying; later additions are not included. */
export function* walk<T>(records: readonly T[], ascending: boolean): Iterable<T> {
  const { length } = records;
  for (let step = 0; step < length; step += 1) {
    yield records[ascending ? step : length - 1 - step] as T;
  }
}

function sorted(records: TransactionRecord[], { ascending }: Page): TransactionRecord[] {
  return records.sort((a, b) => (ascending ? a.position - b.position : b.position - a.position));
}
