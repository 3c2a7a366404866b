import { Cell } from '@ton/core';
import type { Parameter, ParameterKind } from '../../access/endpoint/parameter';
import { mapInTurns } from '../../base/turns';
import { ApiError, rejectionText } from '../api/apiError';
import type { ParameterValues } from '../api/requestParameters';
import { RequestParameters, asText } from '../api/requestParameters';
import { estimateMessageFee as estimate } from '../chain/estimateMessageFee';
import type { InboundMessage } from '../chain/inboundMessage';
import { RejectedMessageError } from '../chain/inboundMessage';
import type { LocalChain } from '../chain/localChain';
import type { AccountRecord, TransactionRecord } from '../records/records';
import type { V2Answer } from './encodeIds';
import { encodeTransactionId, zeroHash } from './encodeIds';
import { encodeTransactionStd, encodeV2Transaction } from './encodeV2Transaction';

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

/** How the parameters were sent; the service's error messages name it. */
export type Source = 'get' | 'post';

/** Reads parameters like the non-indexed API; an invalid value is a 422. */
export class V2Parameters extends RequestParameters {
  /** Shards, stacks, and BoCs are left to the handlers. */
  protected readonly readers: Partial<Record<ParameterKind, (name: string) => unknown>> = {
    address: (name) => this.address(name),
    hash: (name) => this.hash(name),
    integer: (name) => this.integer(name),
    int64: (name) => this.bigint(name),
    time: (name) => this.integer(name),
  };

  constructor(
    values: ParameterValues,
    readonly source: Source,
    /** Maximum `limit` of getTransactions. */
    readonly transactionsLimit = 1000,
  ) {
    super(values);
  }

  protected skips(name: string, { repeated }: Parameter): boolean {
    return repeated || this.text(name) === undefined;
  }

  protected refuse(name: string, kind: ParameterKind): never {
    return this.fail(`failed to parse ${kind === 'address' ? kind : name}`);
  }

  override text(name: string): string | undefined {
    const value = this.values[name];
    // A list in a body is not a repeated key.
    return this.source === 'post' && Array.isArray(value) ? asText(value) : super.text(name);
  }

  /** A required address. */
  address(name = 'address', missing = 'empty address'): string {
    const address = this.readAddress(name);
    if (address === undefined) {
      throw this.invalid(missing);
    }
    return address;
  }

  hash(name = 'hash'): string | undefined {
    return this.readHash(name, true);
  }

  integer(name: string): number | undefined {
    const value = this.bigint(name);
    return value === undefined ? undefined : Number(value);
  }

  /** A masterchain seqno. */
  seqno(): number | undefined {
    const seqno = this.integer('seqno');
    if (seqno !== undefined && seqno <= 0) {
      throw this.invalid('seqno should be positive');
    }
    return seqno;
  }

  /** Throws the error for an unreadable value. */
  fail(text: string): never {
    throw new ApiError(422, `failed to parse ${this.source} request: ${text}`);
  }

  /** The error for a readable but unusable value. */
  invalid(text: string): ApiError {
    return new ApiError(422, `failed to validate request: ${text}`);
  }
}

export async function sendBoc(chain: LocalChain, parameters: V2Parameters): Promise<V2Answer<'sendBoc'>> {
  await submit(chain, parameters, 500);
  return { '@type': 'ok' };
}

export async function sendBocReturnHash(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'sendBocReturnHash'>> {
  const { hash, normalized } = await submit(chain, parameters, 500);
  return { '@type': 'raw.extMessageInfo', hash, hash_norm: normalized };
}

export async function sendBocReturnHashNoError(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'sendBocReturnHash'>> {
  const { hash, normalized } = await submit(chain, parameters, 400);
  return { '@type': 'raw.extMessageInfo', hash, hash_norm: normalized };
}

async function submit(chain: LocalChain, parameters: V2Parameters, refusal: number): Promise<InboundMessage> {
  const boc = parameters.text('boc');
  if (boc === undefined) {
    throw parameters.invalid('empty boc');
  }
  return refused(refusal, () => chain.submit(Buffer.from(boc, 'base64')));
}

export async function v2EstimateFee(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'estimateFee'>> {
  const address = parameters.address();
  const cell = (name: string): Cell | undefined => {
    const text = parameters.text(name);
    try {
      return text === undefined ? undefined : Cell.fromBase64(text);
    } catch {
      return parameters.fail(`failed to parse ${name}`);
    }
  };
  const body = cell('body') ?? parameters.fail('failed to parse body');
  const ignoreSignatures =
    parameters.values.ignore_chksig !== false && parameters.text('ignore_chksig') !== 'false';
  const input = { address, body, code: cell('init_code'), data: cell('init_data'), ignoreSignatures };
  const fees = await refused(500, () => estimate(chain, input));
  return {
    '@type': 'query.fees',
    source_fees: {
      '@type': 'fees',
      in_fwd_fee: fees.inForward,
      storage_fee: fees.storage,
      gas_fee: fees.gas,
      fwd_fee: fees.forward,
    },
    destination_fees: [],
  };
}

async function refused<T>(status: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof RejectedMessageError ? new ApiError(status, rejectionText(error)) : error;
  }
}
