/** One value of the TVM stack. Cells are BoCs in base64: `Cell.fromBase64(value.boc)` of @ton/core reads them. */
export type StackValue =
  | { type: 'int'; value: bigint }
  | { type: 'nan' }
  | { type: 'null' }
  /** A slice or a builder is the cell of its remaining bits and references. */
  | { type: 'cell' | 'slice' | 'builder'; boc: string }
  | { type: 'tuple' | 'list'; items: StackValue[] }
  /** A value that the API could not carry, such as a continuation. */
  | { type: 'unsupported'; description: string };
