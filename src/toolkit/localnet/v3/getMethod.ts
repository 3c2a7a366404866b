import type { TupleItem } from '@ton/core';
import { Cell } from '@ton/core';
import { methodIdOf } from '../../contracts/abi/methodIdOf';
import type { V3StackEntry } from '../../api/v3Mirrored';
import { ApiError, hexNumber, rejectionText } from '../api/apiError';
import { parseAddress } from '../api/requestParameters';
import { estimateMessageFee as estimate } from '../chain/estimateMessageFee';
import { executeGetMethod } from '../chain/executeGetMethod';
import { RejectedMessageError } from '../chain/inboundMessage';
import type { V3Answer } from './blocks';
import type { Query } from './query';
import type { V3Context } from './v3Context';
import { basechainShard } from './v3Context';

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

/** Arguments of a get-method: only numbers, cells, and slices, as in the service. */
function decodeStack(stack: unknown): TupleItem[] {
  if (stack !== undefined && stack !== null && !Array.isArray(stack)) {
    throw new ApiError(422, 'failed to decode: stack must be a list');
  }
  return ((stack ?? []) as unknown[]).map((given) => {
    const entry = (typeof given === 'object' && given !== null ? given : {}) as Readonly<
      Record<string, unknown>
    >;
    switch (entry.type) {
      case 'num':
        return { type: 'int', value: decodeNumber(entry.value) };
      case 'cell':
        return { type: 'cell', cell: decodeCell(entry.value) };
      case 'slice':
        return { type: 'slice', cell: decodeCell(entry.value) };
      default:
        throw new ApiError(500, `unsupported stack parameter type: ${String(entry.type)}`);
    }
  });
}

function decodeNumber(value: unknown): bigint {
  const match = /^(-?)(0x[0-9a-f]+|\d+)$/i.exec(String(value));
  if (match === null) {
    throw new ApiError(500, `Invalid number: ${String(value)}`);
  }
  const size = BigInt(match[2] as string);
  return match[1] === '-' ? -size : size;
}

function decodeCell(value: unknown): Cell {
  try {
    return Cell.fromBase64(String(value));
  } catch {
    throw new ApiError(500, 'Invalid cell, base64 string expected');
  }
}

/** A result. A slice is tagged `cell` at the top level and `slice` inside a tuple; null is an empty list. */
function encodeStack(items: readonly TupleItem[]): V3StackEntry[] {
  return items.map((item) => encodeItem(item, true));
}

function encodeItem(item: TupleItem, top: boolean): V3StackEntry {
  switch (item.type) {
    case 'int':
      return { type: 'num', value: hexNumber(item.value) };
    case 'cell':
      return { type: 'cell', value: item.cell.toBoc().toString('base64') };
    case 'slice':
      return { type: top ? 'cell' : 'slice', value: item.cell.toBoc().toString('base64') };
    case 'tuple':
      return { type: 'tuple', value: item.items.map((inner) => encodeItem(inner, false)) };
    case 'null':
      return { type: 'list', value: [] };
    default:
      return { type: 'unsupported', value: '' };
  }
}
