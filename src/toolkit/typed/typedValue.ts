import type { Cell } from '@ton/core';
import type { StackValue } from '../stack/stackValue';
import type { AbiType } from '../abi/abiType';

/** A value with its type from the source. */
export type TypedValue =
  | { kind: 'plain'; type: AbiType; value: StackValue }
  | { kind: 'coins'; value: bigint }
  | { kind: 'bool'; value: boolean }
  /** Raw address, lowercase; null is the empty address. */
  | { kind: 'address'; address: string | null }
  /** An external address: a number of so many bits. */
  | { kind: 'external'; bits: number; value: bigint }
  | { kind: 'text'; text: string }
  | { kind: 'member'; name: string; value: bigint }
  | { kind: 'null' }
  /** A variant of a union. */
  | { kind: 'variant'; type: AbiType; value: TypedValue }
  /** What a typed cell holds; `cell` if it was on the stack itself. */
  | { kind: 'content'; value: TypedValue; cell?: Cell }
  /** A struct, tensor, or tuple: `name` is the field's, or the index. */
  | { kind: 'parts'; type: AbiType; parts: { name: string; value: TypedValue }[] }
  | { kind: 'map'; entries: { key: TypedValue; value: TypedValue }[] };
