import type { Cell } from '@ton/core';
import { fromNano, loadOutList } from '@ton/core';
import { loadFolded } from '../cell/loadFolded';
import { groupBy, keepNewest } from '../base/collections';
import { bodyValueText } from '../contracts/opcodes/bodyLines';
import type { BodyValue, DecodedBody } from '../contracts/opcodes/decodedBody';
import type { VmValue } from '../recording/vmValue';
import { readVmValues, vmCellText, vmCellTypes, vmWordText } from '../recording/vmValue';
import type { StackValue } from '../stack/stackValue';
import { printStackValue } from '../stack/stackValue';
import { visibleText } from '../base/text';

/** Longest text of one value in a summary, and of all of them, in characters. */
const longest = { value: 24, all: 72 };

/** What is in a struct, short: `{owner: alice, total: 2 TON, …}`. */
function partsSummary(
  fields: readonly { name: string; value: { text: string; note?: string | undefined } }[],
): string {
  let text = '';
  for (const [index, { name, value }] of fields.entries()) {
    // An account's name says more than its address.
    const plain = value.text.replace(/^(.+) \(-?\d+:[0-9a-f]{64}\)$/, '$1');
    const short =
      plain.length <= longest.value
        ? plain
        : plain.startsWith('{')
          ? '{…}'
          : `${plain.slice(0, 10)}…${plain.slice(-6)}`;
    const next = `${index === 0 ? '' : ', '}${name}: ${short}`;
    if (text.length + next.length > longest.all) {
      return `{${text}${index === 0 ? '' : ', '}…}`;
    }
    text += next;
  }
  return `{${text}}`;
}

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

/** A value that can be watched: a breakpoint stops at its changes. */
export type WatchedData =
  | { kind: 'c4' }
  | { kind: 'c5' }
  | { kind: 'c7' }
  /** A global by its number in c7, or one item of it if the compiler keeps a struct in a tuple there. */
  | { kind: 'global'; index: number; part?: number | undefined }
  /** A variable of a function; of a struct, all of its fields. */
  | { kind: 'name'; function: string; name: string };

/** A watched value as the client keeps it. */
export function dataIdOf(data: WatchedData): string {
  return JSON.stringify(data);
}

/** Undefined if the text is no id of a watched value. */
export function readDataId(text: string): WatchedData | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null) {
    return undefined;
  }
  const { kind, function: around, name, index, part } = value as Record<string, unknown>;
  switch (kind) {
    case 'c4':
    case 'c5':
    case 'c7':
      return { kind };
    case 'global':
      return isNumber(index) && (part === undefined || isNumber(part)) ? { kind, index, part } : undefined;
    case 'name':
      return typeof around === 'string' && typeof name === 'string'
        ? { kind, function: around, name }
        : undefined;
    default:
      return undefined;
  }
}

function isNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** A value with its name; those with a dot in their names are parts of a struct. */
interface NamedPart {
  name: string;
  value: DebugValue;
}

/**
 * Folds `st.owner` and `st.value` into `st`.
 * @param watched how changes of the variable or struct with a name are watched; undefined if they cannot be
 */
export function foldParts(
  parts: readonly NamedPart[],
  watched: (name: string) => WatchedData | undefined,
): DebugVariable[] {
  const fold = (members: readonly NamedPart[], prefix: string): DebugVariable[] => {
    const groups = groupBy(members, ({ name }) => name.slice(prefix.length).split('.', 1)[0] ?? '');
    return [...groups].map(([head, group]) => {
      const name = `${prefix}${head}`;
      const own = group.filter((one) => one.name === name);
      const [only] = own;
      if (only !== undefined && group.length === 1) {
        return { name: visibleText(head), value: only.value, expression: name, watched: watched(name) };
      }
      const inside = group.filter((one) => one.name !== name);
      const fields = fold(inside, `${name}.`);
      return {
        name: visibleText(head),
        value: {
          text: partsSummary(fields),
          note: noteOf(fields),
          parts: () => [...own.map(({ value }) => ({ name: '(itself)', value })), ...fields],
        },
        watched: watched(name),
      };
    });
  };
  return fold(parts, '');
}

/** Where all of these are known from; undefined if not all of them are from the same. */
function noteOf(fields: readonly DebugVariable[]): string | undefined {
  const notes = new Set(fields.map(({ value }) => value.note));
  return notes.size === 1 ? fields[0]?.value.note : undefined;
}
