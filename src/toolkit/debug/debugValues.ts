import { fromNano, loadOutList } from '@ton/core';
import type { Cell } from '@ton/core';
import { keepNewest } from '../keepNewest';
import { bodyValueText } from '../opcodes/bodyLines';
import type { BodyValue, DecodedBody } from '../opcodes/decodedBody';
import { readVmValues, vmCellTypes } from '../recording/vmValue';
import type { VmValue } from '../recording/vmValue';
import { vmCellText, vmWordText } from '../recording/vmWordText';
import { printStackValue } from '../stack/printStackValue';
import type { StackValue } from '../stack/stackValue';
import { partsSummary } from './partsSummary';
import type { WatchedData } from './watchedData';
import { loadFolded } from '../cell/loadFolded';

/** A value at a stop, and what is in it. */
export interface DebugValue {
  text: string;
  type?: string | undefined;
  /** Where it is known from, if it is not on the stack: it is shown behind the text. */
  note?: string | undefined;
  /** The parts, read when somebody opens the value; undefined if it has none. */
  parts?: (() => readonly DebugVariable[]) | undefined;
  /** As stack text that can be pasted into a call; undefined if it cannot be written so. */
  stackText?: (() => string) | undefined;
  /** For expressions; undefined for what is only shown. */
  value?: (() => VmValue) | undefined;
}

/** A value as it is shown: with where it is known from. */
export function shownText({ text, note }: Pick<DebugValue, 'text' | 'note'>): string {
  return note === undefined ? text : `${text} (${note})`;
}

/** A value with its name. */
export interface DebugVariable {
  name: string;
  value: DebugValue;
  /** Names the variable in expressions. */
  expression?: string | undefined;
  /** How its changes are watched; undefined if they cannot be. */
  watched?: WatchedData | undefined;
}

/** A value that nothing tells. */
export const unknownValue: DebugValue = { text: 'unknown: the log does not tell' };

/** How addresses are named. */
export type AccountNames = (address: string) => string | undefined;

/** An entry of a stack, as the VM's log prints it; a large cell is read only when it is opened. */
export function wordValue(word: string, nameOf: AccountNames): DebugValue {
  const read = (): VmValue => readVmValues(word)[0] ?? { type: 'null' };
  if (word.startsWith('[')) {
    return vmValue(read(), nameOf);
  }
  const brace = word.indexOf('{');
  const cellType = vmCellTypes.get(word.slice(0, Math.max(0, brace)));
  if (brace >= 0 && cellType === undefined) {
    return { text: 'continuation', type: 'continuation', value: read };
  }
  return {
    text: named(textOf(word), nameOf),
    type: cellType,
    parts: cellType === undefined ? undefined : () => cellParts(cellOf(read())),
    stackText: () => stackText(read()),
    value: read,
  };
}

/** Texts of the last entries that were shown: the same cells are on the stack for many steps. */
const texts = new Map<string, string>();
const keptTexts = 500;

function textOf(word: string): string {
  const text = texts.get(word) ?? vmWordText(word);
  keepNewest(texts, word, text, keptTexts);
  return text;
}

/** A value of the VM. */
export function vmValue(value: VmValue, nameOf: AccountNames): DebugValue {
  const common = { value: () => value, stackText: () => stackText(value) };
  switch (value.type) {
    case 'int':
      return { ...common, text: value.value.toString(), type: 'int' };
    case 'null':
    case 'nan':
      return { ...common, text: value.type };
    case 'continuation':
      return { text: 'continuation', type: 'continuation', value: () => value };
    case 'unknown':
      return unknownValue;
    case 'tuple': {
      const { items } = value;
      return {
        ...common,
        text: `tuple of ${items.length}`,
        type: 'tuple',
        parts: () => items.map((item, index) => ({ name: `[${index}]`, value: vmValue(item, nameOf) })),
      };
    }
    case 'cell':
    case 'slice':
    case 'builder':
      return cellValue(value.cell, value.type, nameOf);
  }
}

/** A cell, with its data and references as its parts. */
export function cellValue(
  cell: Cell,
  type: 'cell' | 'slice' | 'builder',
  nameOf: AccountNames = () => undefined,
): DebugValue {
  const value: VmValue = { type, cell };
  return {
    text: named(vmCellText(type, cell), nameOf),
    type,
    parts: () => cellParts(cell),
    stackText: () => stackText(value),
    value: () => value,
  };
}

/** Data that was read by a layout: the fields, then the cell itself. */
export function bodyValue(body: DecodedBody, nameOf: AccountNames): DebugValue {
  const parts = body.fields.map(({ name, value }) => ({ name, value: fieldValue(value, nameOf) }));
  return {
    text: body.broken ? `${body.name} (does not fit)` : partsSummary(parts),
    parts: () => parts,
  };
}

/** A field that was read by a layout. */
export function fieldValue(value: BodyValue, nameOf: AccountNames): DebugValue {
  if (value.type === 'body') {
    return bodyValue(value.value, nameOf);
  }
  const text = bodyValueText(value, { address: (raw) => named(raw, nameOf) });
  const number =
    value.type === 'int' || value.type === 'coins'
      ? value.value
      : value.type === 'bool'
        ? value.value
          ? -1n
          : 0n
        : undefined;
  return {
    text,
    type: value.type,
    ...(number === undefined
      ? {}
      : { value: () => ({ type: 'int', value: number }), stackText: () => number.toString() }),
    ...(value.type === 'map'
      ? {
          parts: () =>
            value.entries.map((entry) => ({
              name: fieldValue(entry.key, nameOf).text,
              value: fieldValue(entry.value, nameOf),
            })),
        }
      : {}),
  };
}

/** A list of actions (c5), in the order in which they will be done. */
export function actionsValue(list: Cell, nameOf: AccountNames): DebugValue {
  let actions: ReturnType<typeof loadOutList>;
  try {
    actions = loadFolded(list, loadOutList);
  } catch {
    return { ...cellValue(list, 'cell'), text: 'not a list of actions' };
  }
  return {
    text: `${actions.length} ${actions.length === 1 ? 'action' : 'actions'}`,
    type: 'actions',
    parts: () => actions.map((action, index) => ({ name: `[${index}]`, value: actionValue(action, nameOf) })),
  };
}

function actionValue(action: ReturnType<typeof loadOutList>[number], nameOf: AccountNames): DebugValue {
  switch (action.type) {
    case 'sendMsg': {
      const { info, body } = action.outMsg;
      const to =
        info.type === 'internal'
          ? `${named(info.dest.toRawString(), nameOf)} with ${fromNano(info.value.coins)} TON`
          : 'the outside';
      return {
        text: `send a message to ${to}, mode ${action.mode}`,
        parts: () => [{ name: 'body', value: cellValue(body, 'cell') }],
      };
    }
    case 'setCode':
      return {
        text: 'set the code',
        parts: () => [{ name: 'code', value: cellValue(action.newCode, 'cell') }],
      };
    case 'reserve':
      return { text: `reserve ${fromNano(action.currency.coins)} TON, mode ${action.mode}` };
    case 'changeLibrary':
      return { text: `change a library, mode ${action.mode}` };
  }
}

function cellParts(cell: Cell | undefined): DebugVariable[] {
  if (cell === undefined) {
    return [];
  }
  return [
    { name: 'data', value: { text: cell.bits.length === 0 ? 'empty' : `x{${cell.bits.toString()}}` } },
    { name: 'bits', value: { text: String(cell.bits.length) } },
    ...(cell.isExotic ? [{ name: 'kind', value: { text: 'exotic' } }] : []),
    ...cell.refs.map((ref, index) => ({ name: `reference ${index}`, value: cellValue(ref, 'cell') })),
    { name: 'hash', value: { text: cell.hash().toString('hex') } },
  ];
}

function cellOf(value: VmValue): Cell | undefined {
  return 'cell' in value ? value.cell : undefined;
}

/** An address with its account's name before it. */
function named(text: string, nameOf: AccountNames): string {
  const name = /^-?\d+:[0-9a-f]{64}$/.test(text) ? nameOf(text) : undefined;
  return name === undefined ? text : `${name} (${text})`;
}

function stackText(value: VmValue): string {
  return printStackValue(stackValueOf(value));
}

function stackValueOf(value: VmValue): StackValue {
  switch (value.type) {
    case 'tuple':
      return { type: 'tuple', items: value.items.map(stackValueOf) };
    case 'continuation':
    case 'unknown':
      return { type: 'unsupported', description: value.type };
    default:
      return value;
  }
}
