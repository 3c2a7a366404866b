import type { V3Answer } from './v3Answer';
import { Cell } from '@ton/core';
import { ApiError } from '../api/apiError';
import { parseAddress } from '../api/parseAddress';
import { rejectionText } from '../api/rejectionText';
import { estimateMessageFee as estimate } from '../chain/estimateMessageFee';
import { RejectedMessageError } from '../chain/rejectedMessageError';
import { executeGetMethod } from '../chain/executeGetMethod';
import { methodIdOf } from '../../abi/methodIdOf';
import type { V3Context } from './context';
import type { Query } from './query';
import { basechainShard } from './encodeV3Transaction';
import { decodeStack, encodeStack } from './stack';

/** POST /message. */
export async function submitMessage({ chain }: V3Context, query: Query): Promise<V3Answer<'message'>> {
  const boc = query.text('boc');
  if (boc === undefined) {
    throw new ApiError(401, 'boc is required');
  }
  try {
    const { hash, normalized } = await chain.submit(Buffer.from(boc, 'base64'));
    return { message_hash: hash, message_hash_norm: normalized };
  } catch (error) {
    throw error instanceof RejectedMessageError ? new ApiError(500, rejectionText(error)) : error;
  }
}

/** POST /runGetMethod. */
export async function getMethod({ chain }: V3Context, query: Query): Promise<V3Answer<'runGetMethod'>> {
  const address = requiredAddress(query);
  const method = query.text('method');
  if (method === undefined) {
    throw new ApiError(401, 'method is required');
  }
  const id = /^-?\d+$/.test(method) ? Number(method) : methodIdOf(method);
  const block = chain.ledger.last;
  const outcome = await executeGetMethod(chain, address, id, decodeStack(query.values.stack));
  return {
    address,
    method,
    gas_used: Number(outcome.gasUsed),
    exit_code: outcome.exitCode,
    stack: encodeStack(outcome.stack),
    // Only on local networks, like the debug output: the masterchain block at which the method ran.
    block_id: { workchain: -1, shard: basechainShard, seqno: block.seqno },
    ...(outcome.debugOutput.length === 0 ? {} : { debug_output: outcome.debugOutput }),
  };
}

/** POST /estimateFee. Without ignore_chksig signatures are checked, unlike on v2. */
export async function estimateFee({ chain }: V3Context, query: Query): Promise<V3Answer<'estimateFee'>> {
  const address = requiredAddress(query);
  const cell = (name: string): Cell | undefined => {
    const text = query.text(name);
    try {
      return text === undefined ? undefined : Cell.fromBase64(text);
    } catch {
      throw new ApiError(422, `failed to parse ${name}`);
    }
  };
  const body = cell('body') ?? Cell.EMPTY;
  const ignoreSignatures = query.flag('ignore_chksig', false);
  try {
    const fees = await estimate(chain, {
      address,
      body,
      code: cell('init_code'),
      data: cell('init_data'),
      ignoreSignatures,
    });
    return {
      source_fees: {
        in_fwd_fee: fees.inForward,
        storage_fee: fees.storage,
        gas_fee: fees.gas,
        fwd_fee: fees.forward,
      },
      destination_fees: [],
    };
  } catch (error) {
    throw error instanceof RejectedMessageError ? new ApiError(500, rejectionText(error)) : error;
  }
}

function requiredAddress(query: Query): string {
  const text = query.text('address');
  if (text === undefined) {
    throw new ApiError(401, 'address is required');
  }
  const address = parseAddress(text);
  if (address === null) {
    throw new ApiError(500, 'failed to parse address');
  }
  return address;
}
