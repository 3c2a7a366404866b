import type { Cell } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { parseStackText } from './parseStackText';
import type { StackTextOptions } from './stackTextContext';

/**
 * Reads text that is exactly one cell: `b(addr @alice, i64 0)`, `cell te6cc…`, `b()` for an empty one.
 * @throws WorkbenchError `not-one-cell`, `stack-text-invalid` (input)
 */
export function parseOneCell(text: string, options: StackTextOptions = {}): Cell {
  const [value, ...more] = parseStackText(text, options);
  if (value === undefined || more.length > 0 || !('cell' in value)) {
    throw new WorkbenchError({
      code: 'not-one-cell',
      kind: 'input',
      message: 'This is not one cell.',
      hint: 'Write b(…), or cell te6cc…; b() is an empty one.',
    });
  }
  return value.cell;
}

/**
 * Reads one cell as stack text, or as the text of a BoC alone: `b(u32 1)`, `cell te6cc…`, `te6cc…`.
 *
 * @throws WorkbenchError `not-one-cell`, `stack-text-invalid` (input)
 */
export function readCellText(text: string, options: StackTextOptions = {}): Cell {
  const trimmed = text.trim();
  return parseOneCell(/^(?:te6cc|b5ee9c)/i.test(trimmed) ? `cell ${trimmed}` : trimmed, options);
}
