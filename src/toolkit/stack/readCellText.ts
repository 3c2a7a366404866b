import type { Cell } from '@ton/core';
import { parseOneCell } from './parseOneCell';
import type { StackTextOptions } from './stackTextContext';

/**
 * Reads one cell as stack text, or as the text of a BoC alone: `b(u32 1)`, `cell te6cc…`, `te6cc…`.
 *
 * @throws WorkbenchError `not-one-cell`, `stack-text-invalid` (input)
 */
export function readCellText(text: string, options: StackTextOptions = {}): Cell {
  const trimmed = text.trim();
  return parseOneCell(/^(?:te6cc|b5ee9c)/i.test(trimmed) ? `cell ${trimmed}` : trimmed, options);
}
