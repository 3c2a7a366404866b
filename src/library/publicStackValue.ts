import { Cell } from '@ton/core';
import { WorkbenchError } from '../toolkit/base/errors';
import type { StackValue as ToolkitStackValue } from '../toolkit/stack/stackValue';
import type { StackValue } from './stackValue';

/** Converts a value: cells become text, so that no class of a bundled library is exposed. */
export function toPublicValue(value: ToolkitStackValue): StackValue {
  switch (value.type) {
    case 'cell':
    case 'slice':
    case 'builder':
      return { type: value.type, boc: value.cell.toBoc().toString('base64') };
    case 'tuple':
    case 'list':
      return { type: value.type, items: value.items.map(toPublicValue) };
    default:
      return value;
  }
}

/** @throws WorkbenchError `boc-text-invalid` (input) */
export function toToolkitValue(value: StackValue): ToolkitStackValue {
  switch (value.type) {
    case 'cell':
    case 'slice':
    case 'builder':
      return { type: value.type, cell: readCell(value.boc) };
    case 'tuple':
    case 'list':
      return { type: value.type, items: value.items.map(toToolkitValue) };
    default:
      return value;
  }
}

function readCell(boc: string): Cell {
  try {
    return Cell.fromBase64(boc);
  } catch (cause) {
    throw new WorkbenchError({
      code: 'boc-text-invalid',
      kind: 'input',
      message: `${JSON.stringify(boc.slice(0, 40))} is not a bag of cells in base64.`,
      cause,
    });
  }
}
