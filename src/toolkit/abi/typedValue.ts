import type { StackValue } from '../stack/stackValue';
import type { AbiType } from './abiType';

/** A value with its type from the source. */
export type TypedValue =
  | { kind: 'plain'; type: AbiType; value: StackValue }
  | { kind: 'coins'; value: bigint }
  | { kind: 'bool'; value: boolean }
  /** Raw address, lowercase; null is the empty address. */
  | { kind: 'address'; address: string | null }
  | { kind: 'text'; text: string }
  | { kind: 'member'; name: string; value: bigint }
  | { kind: 'null' }
  /** A struct, tensor, or tuple: `name` is the field's, or the index. */
  | { kind: 'parts'; type: AbiType; parts: { name: string; value: TypedValue }[] }
  | { kind: 'map'; entries: { key: TypedValue; value: TypedValue }[] };
