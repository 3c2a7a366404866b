import type { Cell } from '@ton/core';
import { contentText } from '../opcodes/bodyLines';
import { calledName } from './layoutSet';
import { decodeByLayout } from './decodeByLayout';
import type { StorageLayout } from './layoutSet';
import { layoutOfData } from './initialLayout';

/**
 * Why data does not match a contract's storage, as a sentence; undefined if it matches to the last bit. Data
 * of a different struct of the same size matches, too, because cells do not contain field names.
 */
export function storageMismatch(data: Cell, storage: StorageLayout): string | undefined {
  const { layout, set } = layoutOfData(storage, data);
  const { broken, left, mismatch } = decodeByLayout(data, layout, set);
  const name = calledName(layout.name);
  if (broken) {
    return mismatch === undefined
      ? `Its data does not fit ${name}.`
      : `Its data does not fit ${name}: ${contentText(mismatch)} left for the field ${mismatch.field}.`;
  }
  return left.bits + left.refs === 0
    ? undefined
    : `Its data is longer than ${name}: ${contentText(left)} left over.`;
}
