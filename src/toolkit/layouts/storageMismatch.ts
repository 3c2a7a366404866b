import type { Cell } from '@ton/core';
import { calledName } from './calledName';
import { decodeByLayout } from './decodeByLayout';
import type { StorageLayout } from './findStorage';

/**
 * Why data does not match a contract's storage, as a sentence; undefined if it matches to the last bit. Data
 * of a different struct of the same size matches, too, because cells do not contain field names.
 */
export function storageMismatch(data: Cell, { layout, set }: StorageLayout): string | undefined {
  const { broken, left, fields } = decodeByLayout(data, layout, set);
  if (broken) {
    const last = fields.at(-1);
    return `Its data does not fit ${calledName(layout.name)}${last === undefined ? '' : ` after the field ${last.name}`}.`;
  }
  const rest = [
    ...(left.bits > 0 ? [`${left.bits} ${left.bits === 1 ? 'bit' : 'bits'}`] : []),
    ...(left.refs > 0 ? [`${left.refs} ${left.refs === 1 ? 'reference' : 'references'}`] : []),
  ];
  return rest.length === 0
    ? undefined
    : `Its data is longer than ${calledName(layout.name)}: ${rest.join(' and ')} are left over.`;
}
