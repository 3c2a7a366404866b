import type { Cell } from '@ton/core';
import type { BodyContext } from '../../opcodes/decodeBody';
import type { DecodedBody } from '../../opcodes/decodedBody';
import type { BodyValue } from '../../opcodes/decodedBody';
import { upperHex } from '../../address/upperHex';
import { decodeBodyCell } from '../../opcodes/decodeBody';
import type { FieldType } from '../../opcodes/opcodes';
import { opcodes } from '../../opcodes/opcodes';

/** The service decoder's reading of a body: its fields depend on the message named by `@type`. */
export interface DecodedJson {
  '@type': string;
  [field: string]: unknown;
}

/** A body as decoded by the service: an object whose `@type` names the message. Null if unknown. */
export function decodedBody(body: Cell, context: BodyContext = {}): DecodedJson | null {
  const decoded = decodeBodyCell(body, context, 0);
  return decoded === undefined || decoded.broken || decoded.bounced ? null : encodeTop(decoded);
}

/** The service's name of an opcode. */
export function opcodeName(opcode: number | null): string | null {
  return opcode === null ? null : (opcodes.get(opcode)?.name ?? null);
}

function encodeTop(decoded: DecodedBody): DecodedJson {
  if (decoded.name === 'text_comment') {
    const comment = decoded.fields[0]?.value;
    const text = comment?.type === 'text' ? comment.value : '';
    return { '@type': 'text_comment', comment: text, type: 'text_comment' };
  }
  return encodeBody(decoded);
}

function encodeBody(decoded: DecodedBody): DecodedJson {
  if (decoded.name === 'empty') {
    return { '@type': 'empty_cell' };
  }
  if (decoded.name === 'text_comment') {
    const comment = decoded.fields[0]?.value;
    return { '@type': 'text_comment', text: comment?.type === 'text' ? comment.value : '' };
  }
  const types = decoded.opcode === undefined ? undefined : opcodes.get(Number(decoded.opcode))?.fields;
  const fields = decoded.fields.map(({ name, value }, place) => [
    name,
    encodeValue(value, types?.[place]?.[1]),
  ]);
  return { '@type': decoded.name, ...(Object.fromEntries(fields) as Record<string, unknown>) };
}

function encodeValue(value: BodyValue, type: FieldType | undefined): unknown {
  switch (value.type) {
    case 'int':
      return value.value.toString();
    case 'coins':
      return { '@type': 'var_uint', len: byteLength(value.value).toString(), value: value.value.toString() };
    case 'bool':
    case 'text':
      return value.value;
    case 'bytes':
      return upperHex(value.value);
    case 'address':
      return encodeAddress(value.value);
    case 'none':
      return type === 'either'
        ? { '@type': 'first_from_either', value: { '@type': 'empty_cell' } }
        : { '@type': 'nothing_from_maybe' };
    case 'cell':
      return inPlace(value.value, value.isReferred, type);
    case 'body':
      return inPlace(encodeBody(value.value), value.isReferred, type);
    case 'map':
      throw new TypeError('the table of known messages has no maps');
  }
}

function inPlace(value: unknown, isReferred: true | undefined, type: FieldType | undefined): unknown {
  if (type === 'either') {
    return isReferred === true
      ? { '@type': 'second_from_either', value: { cell_reference: value } }
      : { '@type': 'first_from_either', value };
  }
  return type === 'maybeRef' ? { '@type': 'just_from_maybe', value } : value;
}

function encodeAddress(address: string | undefined): DecodedJson {
  if (address === undefined) {
    return { '@type': 'addr_none' };
  }
  const [workchain, hex] = address.split(':') as [string, string];
  const anycast = { '@type': 'nothing_from_maybe' };
  return { '@type': 'addr_std', anycast, workchain_id: workchain, address: upperHex(hex) };
}

function byteLength(value: bigint): number {
  return value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
}
