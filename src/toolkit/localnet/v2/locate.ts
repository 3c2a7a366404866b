import type { V2Answer } from './v2Answer';
import { ApiError } from '../api/apiError';
import type { LocalChain } from '../chain/localChain';
import type { MessageRecord } from '../records/records';
import { encodeV2Transaction } from './encodeV2Transaction';
import type { V2Parameters } from './v2Parameters';

/** tryLocateTx, tryLocateResultTx: the transaction that received the message. */
export function locateResult(chain: LocalChain, parameters: V2Parameters): V2Answer<'tryLocateResultTx'> {
  return encode(find(chain, parameters)?.consumer);
}

/** tryLocateSourceTx: the transaction that sent it. */
export function locateSource(chain: LocalChain, parameters: V2Parameters): V2Answer<'tryLocateSourceTx'> {
  return encode(find(chain, parameters)?.producer);
}

function encode(record: MessageRecord['consumer'] | undefined): V2Answer<'tryLocateTx'> {
  if (record == null) {
    throw new ApiError(404, 'transaction was not found');
  }
  return encodeV2Transaction(record);
}

/** A message's lt is above its sender's transaction's and below the next one's. */
function find({ ledger }: LocalChain, parameters: V2Parameters): MessageRecord | undefined {
  const source = parameters.address('source', 'empty source address');
  const destination = parameters.address('destination', 'empty destination address');
  const createdLt = parameters.bigint('created_lt') ?? parameters.fail('failed to parse created_lt');
  if (createdLt < 0n) {
    throw parameters.invalid('created_lt should be non-negative');
  }
  const transactions = ledger.accounts.get(source)?.transactions ?? [];
  let low = 0;
  let high = transactions.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((transactions[middle]?.lt ?? 0n) < createdLt) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return transactions[low - 1]?.outMessages.find(
    (message) => message.createdLt === createdLt && message.destination === destination,
  );
}
