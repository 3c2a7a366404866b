import type { AbiType } from './abiType';
import type { TokenReader } from './sourceTokens';

/**
 * Types in brackets, written the same in FunC and Tolk: `()` void, `(T)` the type itself, `(A, B)` a tensor, `[A, B]`
 * a tuple of known types. Undefined if there is no opening bracket.
 */
export function readSeveralTypes(
  reader: TokenReader,
  readOne: (reader: TokenReader) => AbiType,
): AbiType | undefined {
  if (reader.take('[')) {
    return { kind: 'typedTuple', items: reader.list(']', () => readOne(reader)) };
  }
  if (!reader.take('(')) {
    return undefined;
  }
  const items = reader.list(')', () => readOne(reader));
  const [only] = items;
  if (only === undefined) {
    return { kind: 'void' };
  }
  return items.length === 1 ? only : { kind: 'tensor', items };
}
