import type { Cell } from '@ton/core';

/**
 * One value of the TVM stack, as written by the user and carried by the APIs. A slice or a builder is held as the
 * cell of its remaining bits and references.
 */
export type StackValue =
  | { type: 'int'; value: bigint }
  | { type: 'nan' }
  | { type: 'null' }
  | { type: 'cell' | 'slice' | 'builder'; cell: Cell }
  | { type: 'tuple' | 'list'; items: StackValue[] }
  /** A value that an API could not carry (a continuation, for example). Shown, never sent. */
  | { type: 'unsupported'; description: string };
