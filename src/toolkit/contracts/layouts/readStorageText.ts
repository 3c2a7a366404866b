import type { Cell } from '@ton/core';
import { parseOneCell } from '../../stack/parseOneCell';
import type { StackTextOptions } from '../../stack/stackTextContext';
import { stackTextError } from '../../stack/stackTextContext';
import { encodeByLayout } from './encodeByLayout';
import type { StorageLayout } from './layoutSet';
import { initialLayout } from './initialLayout';

/**
 * Parses a contract's data from the fields of its storage (`{owner: alice, count: 0}`) or from any cell
 * (`b(addr @alice, u32 0)`).
 * @param storage undefined if the layout of the data is unknown
 * @throws WorkbenchError `stack-text-invalid`, `not-one-cell` (input)
 */
export function readStorageText(
  text: string,
  storage: StorageLayout | undefined,
  options: StackTextOptions = {},
): Cell {
  if (storage === undefined) {
    // Before bits, as in x{01}, stands a small letter.
    if (/^\s*(?:[A-Z]\w*\s*)?\{/.test(text)) {
      throw stackTextError({
        offset: text.search(/\S/),
        length: 1,
        message: 'no source says which fields this data has',
        suggestion: 'write a cell, such as b(addr @alice, u32 0)',
      });
    }
    return parseOneCell(text, options);
  }
  return /^\s*(?:\w+\s*)?\{/.test(text)
    ? encodeByLayout(text, storage.layout, storage.set, options)
    : parseOneCell(text, options);
}

/**
 * Parses the data that a contract is deployed with: the arguments of Tact's init, or its storage.
 * @throws WorkbenchError as {@link readStorageText}
 */
export function readInitialText(
  text: string,
  storage: StorageLayout | undefined,
  options: StackTextOptions = {},
): Cell {
  return readStorageText(text, storage && initialLayout(storage, text), options);
}
