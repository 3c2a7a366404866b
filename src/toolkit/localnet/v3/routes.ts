import { ApiError } from '../api/apiError';
import { RejectedMessageError } from '../chain/rejectedMessageError';
import type { LocalChain } from '../chain/localChain';
import { methodIdOf, runGetMethod } from '../chain/runGetMethod';
import { parseAddress } from '../api/parseAddress';
import { accountStates, addressInformation } from './accounts';
import { addressBook } from './addressBook';
import type { Json } from './encodeDescription';
import { encodeBlock } from './encodeBlock';
import { encodeTrace } from './encodeTrace';
import { encodeTransaction } from './encodeTransaction';
import { pendingTraces } from './pendingTraces';
import type { Query } from './query';
import { selectTraces } from './selectTraces';
import { selectTransactions } from './selectTransactions';
import { decodeStack, encodeStack } from './stack';

export type V3Handler = (chain: LocalChain, query: Query) => unknown;

export interface V3Route {
  verb: 'GET' | 'POST';
  /** Below /api/v3. */
  path: string;
  handle: V3Handler;
}

const get = (path: string, handle: V3Handler): V3Route => ({ verb: 'GET', path, handle });
const post = (path: string, handle: V3Handler): V3Route => ({ verb: 'POST', path, handle });

export const v3Routes: readonly V3Route[] = [
  get('/accountStates', accountStates),
  get('/account', addressInformation),
  get('/addressInformation', addressInformation),
  get('/masterchainInfo', masterchainInfo),
  get('/pendingTraces', pendingTraces),
  get('/traces', traces),
  get('/transactions', transactions),
  post('/message', message),
  post('/runGetMethod', getMethod),
];

function masterchainInfo(chain: LocalChain): Json {
  const { ledger } = chain;
  const first = ledger.block(1) ?? ledger.last;
  return { last: encodeBlock(chain, ledger.last, -1), first: encodeBlock(chain, first, -1) };
}

function transactions(chain: LocalChain, query: Query): Json {
  const rows = selectTransactions(chain, query).map(encodeTransaction);
  return { transactions: rows, address_book: addressBook(chain.ledger, rows) };
}

function traces(chain: LocalChain, query: Query): Json {
  const rows = selectTraces(chain, query).map((trace) => encodeTrace(trace));
  return { traces: rows, address_book: addressBook(chain.ledger, rows), metadata: {} };
}

async function message(chain: LocalChain, query: Query): Promise<Json> {
  const boc = query.text('boc');
  if (boc === undefined) {
    throw new ApiError(401, 'boc is required');
  }
  try {
    const { hash, normalised } = await chain.submit(Buffer.from(boc, 'base64'));
    return { message_hash: hash, message_hash_norm: normalised };
  } catch (error) {
    throw error instanceof RejectedMessageError ? new ApiError(500, rejectionText(error)) : error;
  }
}

/** The service's words for a message that was not taken, on both APIs. */
export function rejectionText({ reason }: RejectedMessageError): string {
  return `LITE_SERVER_UNKNOWN: cannot apply external message to current state : ${reason}`;
}

async function getMethod(chain: LocalChain, query: Query): Promise<Json> {
  const text = query.text('address');
  if (text === undefined) {
    throw new ApiError(401, 'address is required');
  }
  const method = query.text('method');
  if (method === undefined) {
    throw new ApiError(401, 'method is required');
  }
  const address = parseAddress(text);
  if (address === null) {
    throw new ApiError(500, 'failed to parse address');
  }
  const id = /^-?\d+$/.test(method) ? Number(method) : methodIdOf(method);
  const outcome = await runGetMethod(chain, address, id, decodeStack(query.parameters.stack));
  return {
    gas_used: Number(outcome.gasUsed),
    exit_code: outcome.exitCode,
    stack: encodeStack(outcome.stack),
  };
}
