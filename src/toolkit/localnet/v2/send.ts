import type { V2Answer } from './v2Answer';
import { Cell } from '@ton/core';
import { ApiError } from '../api/apiError';
import { rejectionText } from '../api/rejectionText';
import { estimateMessageFee as estimate } from '../chain/estimateMessageFee';
import type { InboundMessage } from '../chain/readInboundMessage';
import type { LocalChain } from '../chain/localChain';
import { RejectedMessageError } from '../chain/rejectedMessageError';
import type { V2Parameters } from './v2Parameters';

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
