import type { Cell } from '@ton/core';

/**
 * One value of the TVM stack, as the user writes it and the APIs carry it.
 * A slice or a builder is held as the cell of its remaining bits and references.
 */
export type StackValue =
  | { type: 'int'; value: bigint }
  | { type: 'nan' }
  | { type: 'null' }
  | { type: 'cell' | 'slice' | 'builder'; cell: Cell }
  | { type: 'tuple' | 'list'; items: StackValue[] }
  /** What an API could not carry (a continuation, for example). Shown, never sent. */
  | { type: 'unsupported'; description: string };
