import { beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import { parseCellExpression } from '../stack/cellText';
import { isCloser, parseSeparator, parseValue } from '../stack/parseStackText';
import {
  parseAddressOrNone,
  parseAddressWord,
  parseInteger,
  parseQuoted,
  tvmInteger,
} from '../stack/scalarText';
import { stackTextError } from '../stack/stackTextError';
import { knownNames, suggestionFor } from '../stack/stackTextContext';
import type { StackTextContext } from '../stack/stackTextContext';
import type { StackValue } from '../stack/stackValue';
import { stringToCell } from '../stack/stringCell';
import { shown } from '../stack/textScanner';
import { slotsOf, typeText } from './abiType';
import type { AbiType } from './abiType';
import { dictionaryCell, dictionaryKeyBits } from './mapCells';
import type { MapEntry } from './mapCells';

/** Bits of coins (VarUInteger 16). */
const coinsBits = 120;

/** Reads one value of `type` at the position: as many stack values as the type takes. `name` is what messages call it. */
export function parseTyped(context: StackTextContext, type: AbiType, name: string): StackValue[] {
  const { scanner } = context;
  scanner.skipBlanks();
  switch (type.kind) {
    case 'struct':
      return parseStruct(context, type, name);
    case 'tensor':
      return parseItems(context, type.items, '(', name).flat();
    case 'nullable':
      return parseNullable(context, type, name);
    case 'void':
      return [];
    default:
      return [parseSingle(context, type, name)];
  }
}

/** Every type that takes one stack entry. */
function parseSingle(context: StackTextContext, type: AbiType, name: string): StackValue {
  switch (type.kind) {
    case 'int':
    case 'coins':
      return { type: 'int', value: parseNumber(context, type) };
    case 'bool':
      return parseBool(context);
    case 'enum':
      return parseEnumMember(context, type);
    case 'address':
      return parseAddress(context, name);
    case 'cell':
    case 'cellOf':
    case 'builder':
    case 'slice':
    case 'bits':
    case 'string':
      return parseCellLike(context, type, name);
    case 'map':
      return parseMap(context, type, name);
    case 'typedTuple':
      return { type: 'tuple', items: parseItems(context, type.items, '[', name).flat() };
    case 'list':
      return parseList(context, type.inner, name);
    case 'dictionary':
      return nextWord(context) === 'null'
        ? takeNull(context)
        : parseCellLike(context, { kind: 'cell' }, name);
    case 'continuation':
      throw wordError(context, `${name} is a continuation, which cannot be sent`);
    case 'null':
    case 'tuple':
      return ofType(context, type.kind, name);
    default:
      return parseAny(context);
  }
}

function parseAny(context: StackTextContext): StackValue {
  if (context.scanner.atEnd() || isCloser(context.scanner.peek())) {
    throw wordError(context, 'a value is missing here');
  }
  return parseValue(context);
}

function nextWord({ scanner }: StackTextContext): string {
  return scanner.peekWord().text;
}

function wordError({ scanner }: StackTextContext, message: string, suggestion?: string): Error {
  const { text, offset } = scanner.peekWord();
  const length = Math.max(text.length, scanner.atEnd() ? 0 : 1);
  return stackTextError({ offset, length, message, suggestion });
}

function takeNull(context: StackTextContext): StackValue {
  context.scanner.takeWord();
  return { type: 'null' };
}

function parseNullable(
  context: StackTextContext,
  type: Extract<AbiType, { kind: 'nullable' }>,
  name: string,
): StackValue[] {
  const slots = slotsOf(type);
  if (nextWord(context) === 'null') {
    takeNull(context);
    // The compiler fills the missing entries with null and ends them with the type id of null.
    return slots === undefined || slots === 1
      ? [{ type: 'null' }]
      : [
          ...Array.from({ length: slots - 1 }, (): StackValue => ({ type: 'null' })),
          { type: 'int', value: 0n },
        ];
  }
  if (slots !== 1) {
    throw wordError(
      context,
      `${name}: ${typeText(type)} can only be given as null: its form on the stack is not known`,
    );
  }
  return parseTyped(context, type.inner, name);
}

function parseNumber(context: StackTextContext, type: Extract<AbiType, { kind: 'int' | 'coins' }>): bigint {
  if (type.kind === 'coins') {
    return parseInteger(context, { name: 'coins', bits: coinsBits, signed: false });
  }
  const { bits, signed = true } = type;
  return parseInteger(context, bits === undefined ? tvmInteger : { name: typeText(type), bits, signed });
}

function parseBool(context: StackTextContext): StackValue {
  const word = context.scanner.peekWord();
  const value = { true: -1n, false: 0n, '-1': -1n, '0': 0n }[word.text];
  if (value === undefined) {
    throw wordError(context, `“${shown(word)}” is neither true nor false`);
  }
  context.scanner.takeWord();
  return { type: 'int', value };
}

function parseEnumMember(context: StackTextContext, type: Extract<AbiType, { kind: 'enum' }>): StackValue {
  const word = context.scanner.peekWord();
  const wanted = word.text.startsWith(`${type.name}.`) ? word.text.slice(type.name.length + 1) : word.text;
  const member = type.members.find(({ name }) => name === wanted);
  if (member !== undefined) {
    context.scanner.takeWord();
    return { type: 'int', value: member.value };
  }
  if (/^[-+]?\d/.test(word.text)) {
    return { type: 'int', value: parseInteger(context, tvmInteger) };
  }
  const names = type.members.map(({ name }) => name);
  throw wordError(
    context,
    `“${shown(word)}” is no ${type.name}`,
    suggestionFor(wanted, names) ?? knownNames(names),
  );
}

function parseAddress(context: StackTextContext, name: string): StackValue {
  const { scanner } = context;
  const word = scanner.peekWord();
  const isGeneric = ['slice', 'str', 'x', 'b', 'cell', 'builder', '[', '('].includes(word.text);
  if (isGeneric || (word.text === '' && !scanner.atEnd())) {
    return sliceOf(context, name);
  }
  if (word.text === 'addr') {
    scanner.takeWord();
  }
  const isNamed = word.text.startsWith('@') || context.options.accounts?.has(word.text) === true;
  const address =
    word.text === 'addr' || word.text === 'none' || isNamed || word.text === ''
      ? parseAddressOrNone(context)
      : parseAddressWord(context, scanner.takeWord());
  return { type: 'slice', cell: beginCell().storeAddress(address).endCell() };
}

/** A value that must come out as a slice. */
function sliceOf(context: StackTextContext, name: string): StackValue {
  return ofType(context, 'slice', name);
}

function ofType(context: StackTextContext, wanted: StackValue['type'], name: string): StackValue {
  const start = context.scanner.position;
  const value = parseAny(context);
  if (value.type !== wanted) {
    throw context.scanner.errorFrom(start, `${name} takes a ${wanted}, this is a ${value.type}`);
  }
  return value;
}

type CellLike = Extract<AbiType, { kind: 'cell' | 'cellOf' | 'builder' | 'slice' | 'bits' | 'string' }>;

function parseCellLike(context: StackTextContext, type: CellLike, name: string): StackValue {
  const { scanner } = context;
  const start = scanner.position;
  const wanted =
    type.kind === 'builder' ? 'builder' : type.kind === 'cell' || type.kind === 'cellOf' ? 'cell' : 'slice';
  const cell = cellOf(context, wanted, name);
  if (type.kind === 'bits' && (cell.bits.length !== type.bits || cell.refs.length > 0)) {
    throw scanner.errorFrom(start, `${name} takes ${type.bits} bits, these are ${cell.bits.length}`);
  }
  return { type: wanted, cell };
}

/** The cell behind any form: with its keyword, as a text in quotes, as an address, bare. */
function cellOf(context: StackTextContext, wanted: 'cell' | 'slice' | 'builder', name: string): Cell {
  const { scanner } = context;
  const word = scanner.peekWord();
  if (['cell', 'slice', 'builder'].includes(word.text)) {
    if (word.text !== wanted) {
      throw wordError(context, `${name} takes a ${wanted}, this is a ${word.text}`);
    }
    scanner.takeWord();
    return parseCellExpression(context, wanted);
  }
  if (scanner.peek() === '"' || scanner.peek() === "'") {
    return stringToCell(parseQuoted(context));
  }
  if (word.text === '' && !scanner.atEnd()) {
    throw scanner.errorFrom(scanner.position, `${name} takes a ${wanted}`);
  }
  if (/^(?:-?\d+:\w|[EUk0]Q)/.test(word.text)) {
    return beginCell().storeAddress(parseAddressWord(context, scanner.takeWord())).endCell();
  }
  if (['true', 'false', 'null', 'nan'].includes(word.text) || /^[-+]?\d+$|^[-+]?0x/.test(word.text)) {
    throw wordError(context, `${name} takes a ${wanted}, “${shown(word)}” is none`);
  }
  return parseCellExpression(context, wanted);
}

function parseItems(
  context: StackTextContext,
  types: readonly AbiType[],
  open: '(' | '[',
  name: string,
): StackValue[][] {
  const { scanner } = context;
  const start = scanner.position;
  const close = open === '(' ? ')' : ']';
  if (!scanner.take(open)) {
    throw wordError(context, `${name} takes ${types.length} values in ${open}…${close}`);
  }
  const items = context.nested(start, () =>
    types.map((type, index) => {
      scanner.skipBlanks();
      if (scanner.peek() === close || scanner.atEnd()) {
        throw scanner.errorFrom(scanner.position, `value ${index} of ${name} is missing: ${typeText(type)}`);
      }
      const values = parseTyped(context, type, name);
      parseSeparator(context);
      return values;
    }),
  );
  scanner.skipBlanks();
  if (!scanner.take(close)) {
    throw scanner.errorFrom(
      scanner.position,
      `${name} takes ${types.length} values, ${close} is missing here`,
    );
  }
  return items;
}

function parseList(context: StackTextContext, inner: AbiType, name: string): StackValue {
  if (nextWord(context) === 'null') {
    return takeNull(context);
  }
  const { scanner } = context;
  const start = scanner.position;
  if (!scanner.take('(')) {
    throw wordError(context, `${name} takes a list in (…)`);
  }
  const items: StackValue[] = [];
  context.nested(start, () => {
    scanner.skipBlanks();
    while (!scanner.atEnd() && !isCloser(scanner.peek())) {
      items.push(...parseTyped(context, inner, name));
      parseSeparator(context);
    }
  });
  if (!scanner.take(')')) {
    throw scanner.errorFrom(scanner.position, `missing closing ) of ( at position ${start + 1}`);
  }
  return { type: 'list', items };
}

/** `{field: value, …}` in any order. A struct that Tact takes as a tuple may also be written `[…]`. */
function parseStruct(
  context: StackTextContext,
  type: Extract<AbiType, { kind: 'struct' }>,
  name: string,
): StackValue[] {
  const { scanner } = context;
  if (type.asTuple === true && scanner.peek() === '[') {
    return [
      {
        type: 'tuple',
        items: parseItems(
          context,
          type.fields.map((field) => field.type),
          '[',
          name,
        ).flat(),
      },
    ];
  }
  const start = scanner.position;
  if (!scanner.take('{')) {
    throw wordError(
      context,
      `${name} takes a struct`,
      `write {${type.fields.map((field) => `${field.name}: …`).join(', ')}}`,
    );
  }
  const given = new Map<string, StackValue[]>();
  context.nested(start, () => {
    scanner.skipBlanks();
    while (!scanner.atEnd() && !isCloser(scanner.peek())) {
      parseField(context, type, given);
    }
  });
  closeBrace(context, start);
  const missing = type.fields.filter((field) => !given.has(field.name));
  if (missing.length > 0) {
    const list = missing.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ');
    throw stackTextError({ offset: scanner.position - 1, length: 1, message: `${name} lacks ${list}` });
  }
  const values = type.fields.flatMap((field) => given.get(field.name) ?? []);
  return type.asTuple === true ? [{ type: 'tuple', items: values }] : values;
}

function parseField(
  context: StackTextContext,
  type: Extract<AbiType, { kind: 'struct' }>,
  given: Map<string, StackValue[]>,
): void {
  const { scanner } = context;
  const word = scanner.takeWord();
  const field = type.fields.find((one) => one.name === word.text);
  if (field === undefined || given.has(word.text)) {
    const names = type.fields.map((one) => one.name).filter((one) => !given.has(one));
    const what =
      field === undefined
        ? `the struct ${type.name} has no field “${shown(word)}”`
        : `field ${word.text} is given twice`;
    const suggestion = suggestionFor(word.text, names) ?? knownNames(names);
    throw stackTextError({
      offset: word.offset,
      length: Math.max(1, word.text.length),
      message: what,
      expected: names,
      suggestion,
    });
  }
  takeColon(context, word.text);
  given.set(word.text, parseTyped(context, field.type, `field ${word.text}`));
  parseSeparator(context);
}

function takeColon({ scanner }: StackTextContext, before: string): void {
  scanner.skipBlanks();
  if (!scanner.take(':')) {
    throw scanner.errorFrom(scanner.position, `a colon is missing behind ${before}`, { expected: [':'] });
  }
  scanner.skipBlanks();
}

function closeBrace({ scanner }: StackTextContext, start: number): void {
  if (!scanner.take('}')) {
    throw stackTextError({
      offset: scanner.position,
      length: scanner.atEnd() ? 0 : 1,
      message: `missing closing } of { at position ${start + 1}`,
      expected: ['}'],
    });
  }
}

/** `{key: value, …}`, `null`, or the dictionary's cell. An empty map is null on the stack. */
function parseMap(
  context: StackTextContext,
  type: Extract<AbiType, { kind: 'map' }>,
  name: string,
): StackValue {
  const { scanner } = context;
  if (nextWord(context) === 'null') {
    return takeNull(context);
  }
  const start = scanner.position;
  if (!scanner.take('{')) {
    return parseCellLike(context, { kind: 'cell' }, name);
  }
  const keyBits = dictionaryKeyBits(type.key);
  if (keyBits === undefined) {
    throw scanner.errorFrom(start, `a map with keys of ${typeText(type.key)} cannot be written here`, {
      suggestion: 'give its cell',
    });
  }
  const entries: MapEntry[] = [];
  context.nested(start, () => {
    scanner.skipBlanks();
    while (!scanner.atEnd() && !isCloser(scanner.peek())) {
      entries.push(parseMapEntry(context, type, name, entries));
    }
  });
  closeBrace(context, start);
  const cell = dictionaryCell(type, entries);
  return cell === undefined ? { type: 'null' } : { type: 'cell', cell };
}

function parseMapEntry(
  context: StackTextContext,
  type: Extract<AbiType, { kind: 'map' }>,
  name: string,
  before: readonly MapEntry[],
): MapEntry {
  const { scanner } = context;
  const start = scanner.position;
  const key = parseSingle(context, type.key, `a key of ${name}`);
  const isRepeated = before.some((entry) => sameKey(entry.key, key));
  if (isRepeated) {
    throw scanner.errorFrom(start, 'this key is given twice');
  }
  takeColon(context, 'the key');
  const valueStart = scanner.position;
  const isPlain = ['int', 'coins', 'bool', 'address', 'cell', 'cellOf', 'enum'].includes(type.value.kind);
  // Values that are stored in a way of their own (structs, for example) are given as the bits and references of a slice.
  const value = parseSingle(context, isPlain ? type.value : { kind: 'slice' }, `a value of ${name}`);
  try {
    dictionaryCell(type, [{ key, value }]);
  } catch (error) {
    throw scanner.errorFrom(
      valueStart,
      `this does not fit a value of ${typeText(type.value)} (${String(error)})`,
    );
  }
  parseSeparator(context);
  return { key, value };
}

function sameKey(a: StackValue, b: StackValue): boolean {
  if (a.type === 'int' && b.type === 'int') {
    return a.value === b.value;
  }
  return 'cell' in a && 'cell' in b && a.cell.equals(b.cell);
}
