import type { V3Answer } from './v3Answer';
import type { DecodedJson } from '../../execution/encode/decodedBody';
import { Cell } from '@ton/core';
import { opcodes } from '../../opcodes/opcodes';
import { ApiError } from '../api/apiError';
import { mapInTurns } from '../../turns';
import { decodedBody } from '../../execution/encode/decodedBody';
import type { Query } from './query';

const maximum = 1000;

/** GET and POST /decode, offline. */
export async function decode(query: Query): Promise<V3Answer<'decode'>> {
  const codes = query.list('opcodes');
  const bodies = query.list('bodies');
  for (const [name, values] of [
    ['opcodes', codes],
    ['bodies', bodies],
  ] as const) {
    if (values.length > maximum) {
      throw new ApiError(422, `${name} list exceeds maximum length of ${maximum}`);
    }
  }
  return { opcodes: codes.map(decodeOpcode), bodies: await mapInTurns(bodies, decodeBody) };
}

/** The name; an unknown opcode is kept as text. */
function decodeOpcode(text: string, index: number): string {
  const digits = text.replace(/^0x/i, '');
  const hex = /^[0-9a-f]{1,8}$/i.test(digits);
  if (!hex && !/^-?\d{1,10}$/.test(digits)) {
    throw new ApiError(422, `invalid opcode format at index ${index}: ${digits}`);
  }
  const code = hex ? parseInt(digits, 16) : Number(digits) >>> 0;
  return opcodes.get(code)?.name ?? text;
}

function decodeBody(text: string): DecodedJson | { error: string } {
  try {
    const boc =
      /^[0-9a-f]+$/i.test(text) && text.length % 2 === 0
        ? Buffer.from(text, 'hex')
        : Buffer.from(text, 'base64');
    const [cell] = Cell.fromBoc(boc);
    return (cell === undefined ? null : decodedBody(cell)) ?? { error: 'unknown message body' };
  } catch {
    return { error: 'unknown message body: not a bag of cells' };
  }
}
