import { ApiError } from '../api/apiError';
import type { ExternalMessage } from '../chain/externalMessage';
import type { LocalChain } from '../chain/localChain';
import { RejectedMessageError } from '../chain/rejectedMessageError';
import type { Json } from '../v3/encodeDescription';
import { rejectionText } from '../v3/routes';
import { getAddressBalance, getAddressInformation, getAddressState } from './accounts';
import { encodeBlockId, zeroHash, zeroStateId } from './encodeIds';
import type { V2Parameters } from './parameters';
import { runGetMethod, runGetMethodStd } from './runGetMethod';
import { getTransactions } from './transactions';

export type V2Handler = (chain: LocalChain, parameters: V2Parameters) => unknown;

/** The methods that only POST (and JSON-RPC) may call. */
export const postOnly: ReadonlySet<string> = new Set([
  'runGetMethod',
  'runGetMethodStd',
  'sendBoc',
  'sendBocReturnHash',
  'sendBocReturnHashNoError',
  'estimateFee',
  'jsonRPC',
]);

/** Every method by its name. */
export const v2Methods: ReadonlyMap<string, V2Handler> = new Map<string, V2Handler>([
  ['getMasterchainInfo', getMasterchainInfo],
  ['getAddressInformation', getAddressInformation],
  ['getAddressBalance', getAddressBalance],
  ['getAddressState', getAddressState],
  ['getTransactions', getTransactions],
  ['runGetMethod', runGetMethod],
  ['runGetMethodStd', runGetMethodStd],
  ['sendBoc', sendBoc],
  ['sendBocReturnHash', sendBocReturnHash],
]);

function getMasterchainInfo({ ledger }: LocalChain): Json {
  return {
    '@type': 'blocks.masterchainInfo',
    last: encodeBlockId(ledger.last, -1),
    state_root_hash: zeroHash,
    init: zeroStateId,
  };
}

async function sendBoc(chain: LocalChain, parameters: V2Parameters): Promise<Json> {
  await submit(chain, parameters);
  return { '@type': 'ok' };
}

async function sendBocReturnHash(chain: LocalChain, parameters: V2Parameters): Promise<Json> {
  const { hash, normalised } = await submit(chain, parameters);
  return { '@type': 'raw.extMessageInfo', hash, hash_norm: normalised };
}

async function submit(chain: LocalChain, parameters: V2Parameters): Promise<ExternalMessage> {
  const boc = parameters.text('boc');
  if (boc === undefined) {
    throw parameters.invalid('empty boc');
  }
  try {
    return await chain.submit(Buffer.from(boc, 'base64'));
  } catch (error) {
    throw error instanceof RejectedMessageError ? new ApiError(500, rejectionText(error)) : error;
  }
}
