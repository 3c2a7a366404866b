import type { V2Answer } from './v2Answer';
import { ApiError } from '../api/apiError';
import { mapInTurns } from '../../turns';
import type { LocalChain } from '../chain/localChain';
import type { AccountRecord, TransactionRecord } from '../records/records';
import { encodeTransactionId, zeroHash } from './encodeIds';
import { encodeV2Transaction, encodeTransactionStd } from './encodeV2Transaction';
import type { V2Parameters } from './v2Parameters';

export function getTransactions(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'getTransactions'>> {
  return mapInTurns(select(chain, parameters), encodeV2Transaction);
}

export async function getTransactionsStd(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'getTransactionsStd'>> {
  const records = select(chain, parameters);
  const last = records.at(-1);
  const before = last?.account.transactions[last.account.transactions.indexOf(last) - 1];
  return {
    '@type': 'raw.transactions',
    transactions: await mapInTurns(records, (record) => encodeTransactionStd(record, false)),
    previous_transaction_id: encodeTransactionId(before?.lt ?? 0n, before?.hash ?? zeroHash),
  };
}

/** An account's transactions, newest first, including the one named by lt and hash. */
function select(chain: LocalChain, parameters: V2Parameters): TransactionRecord[] {
  const account = chain.ledger.accounts.get(parameters.address());
  const limit = parameters.integer('limit') ?? 10;
  const lt = parameters.bigint('lt');
  const hash = parameters.hash();
  const toLt = parameters.bigint('to_lt') ?? 0n;
  if (limit <= 0) {
    throw parameters.invalid('limit should be positive');
  }
  const { transactionsLimit } = parameters;
  if (limit > transactionsLimit) {
    throw parameters.invalid(`limit should be less or equal ${transactionsLimit}`);
  }
  if ((lt ?? 0n) < 0n) {
    throw parameters.invalid('lt should be non-negative');
  }
  if ((lt === undefined) !== (hash === undefined)) {
    throw parameters.invalid('lt and hash should be used together');
  }
  const all = account?.transactions ?? [];
  const start = lt === undefined ? all.length - 1 : placeOf(chain, account, lt, hash as string);
  const rows: TransactionRecord[] = [];
  for (let place = start; place >= 0 && rows.length < limit; place -= 1) {
    const record = all[place] as TransactionRecord;
    if (record.lt <= toLt) {
      break;
    }
    rows.push(record);
  }
  return rows;
}

function placeOf(
  { ledger }: LocalChain,
  account: AccountRecord | undefined,
  lt: bigint,
  hash: string,
): number {
  const found = ledger.transaction(hash);
  if (account === undefined || found === undefined || found.account !== account || found.lt !== lt) {
    const block = 'LITE_SERVER_UNKNOWN: cannot compute block with specified transaction: cannot find block';
    throw new ApiError(500, `${block} (0,8000000000000000) lt=${lt}: lt not in db`);
  }
  // Transactions of one account are in lt order.
  let low = 0;
  let high = account.transactions.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((account.transactions[middle] as TransactionRecord).lt < lt) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}
