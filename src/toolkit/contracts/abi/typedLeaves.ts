import type { Cell } from '@ton/core';
import { beginCell } from '@ton/core';
import { WorkbenchError } from '../../base/errors';
import { parseCellExpression } from '../../stack/parseCellExpression';
import { isCloser, parseEach, parseSeparator, parseValue } from '../../stack/parseStackText';
import type { StackValue } from '../../stack/stackValue';
import { stringToCell } from '../../stack/stackValue';
import {
  parseAddressOrNone,
  parseAddressWord,
  parseInteger,
  parseQuoted,
  tvmInteger,
} from '../../stack/scalarText';
import type { StackTextContext } from '../../stack/stackTextContext';
import { knownNames, shown, stackTextError, suggestionFor } from '../../stack/stackTextContext';
import type { AbiType } from './abiType';
import { typeText } from './abiType';

/** Bits of coins (VarUInteger 16). */
const coinsBits = 120;

/** A required value of any kind. */
export function parseAny(context: StackTextContext): StackValue {
  if (context.scanner.atEnd() || isCloser(context.scanner.peek())) {
    throw wordError(context, 'a value is missing here');
  }
  return parseValue(context);
}

/** The word at the position, or '' before a bracket. */
export function nextWord({ scanner }: StackTextContext): string {
  return scanner.peekWord().text;
}

/** An error about the word at the position. */
export function wordError({ scanner }: StackTextContext, message: string, suggestion?: string): Error {
  const { text, offset } = scanner.peekWord();
  const length = Math.max(text.length, scanner.atEnd() ? 0 : 1);
  return stackTextError({ offset, length, message, suggestion });
}

/** Moves over `null`. */
export function takeNull(context: StackTextContext): StackValue {
  context.scanner.takeWord();
  return { type: 'null' };
}

const truthValues = new Map([
  ['true', -1n],
  ['false', 0n],
  ['-1', -1n],
  ['0', 0n],
]);

/** A number in the range of its type. */
export function parseNumber(
  context: StackTextContext,
  type: Extract<AbiType, { kind: 'int' | 'coins' }>,
): bigint {
  if (type.kind === 'coins') {
    return parseInteger(context, { name: 'coins', bits: coinsBits, signed: false });
  }
  const { bits, signed = true, isTruth } = type;
  const truth = isTruth === true ? truthValues.get(context.scanner.peekWord().text) : undefined;
  if (truth !== undefined) {
    context.scanner.takeWord();
    return truth;
  }
  return parseInteger(context, bits === undefined ? tvmInteger : { name: typeText(type), bits, signed });
}

/** `true`, `false`, their TVM numbers, or a named number. */
export function parseBool(context: StackTextContext): StackValue {
  const word = context.scanner.peekWord();
  if (word.text.startsWith('@')) {
    return { type: 'int', value: parseInteger(context, tvmInteger) === 0n ? 0n : -1n };
  }
  const value = truthValues.get(word.text);
  if (value === undefined) {
    throw wordError(context, `“${shown(word)}” is neither true nor false`);
  }
  context.scanner.takeWord();
  return { type: 'int', value };
}

/** A member by name, alone or after its type's name, or a number. */
export function parseEnumMember(
  context: StackTextContext,
  type: Extract<AbiType, { kind: 'enum' }>,
): StackValue {
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
    `“${shown(word)}” is not a valid ${type.name}`,
    suggestionFor(wanted, names) ?? knownNames(names),
  );
}

/** An address, bare or in any form of a slice. */
export function parseAddressLeaf(context: StackTextContext, name: string): StackValue {
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

/** A value that must be of one kind. */
export function ofType(context: StackTextContext, wanted: StackValue['type'], name: string): StackValue {
  const start = context.scanner.position;
  const value = parseAny(context);
  if (value.type !== wanted) {
    throw context.scanner.errorFrom(start, `${name} takes a ${wanted}; this is a ${value.type}`);
  }
  return value;
}

type CellLike = Extract<AbiType, { kind: 'cell' | 'cellOf' | 'builder' | 'slice' | 'bits' | 'string' }>;

/** A cell, slice, builder, text, or bits, bare or after its keyword. */
export function parseCellLike(
  context: StackTextContext,
  type: CellLike,
  name: string,
  suggestion?: string,
): StackValue {
  const { scanner } = context;
  const start = scanner.position;
  const isCell =
    type.kind === 'cell' || type.kind === 'cellOf' || (type.kind === 'string' && type.isCell === true);
  const wanted = type.kind === 'builder' ? 'builder' : isCell ? 'cell' : 'slice';
  if (type.kind === 'string' && isBareText(context)) {
    throw wordError(context, `${name} takes text in quotes`, `write "${shown(scanner.peekWord())}"`);
  }
  const cell = cellOf(context, wanted, name, suggestion);
  if (type.kind === 'bits' && (cell.bits.length !== type.bits || cell.refs.length > 0)) {
    throw scanner.errorFrom(start, `${name} takes ${type.bits} bits, not ${cell.bits.length}`);
  }
  return { type: wanted, cell };
}

/** A word that does not begin any form of a cell. */
function isBareText({ scanner }: StackTextContext): boolean {
  const word = scanner.peekWord();
  return (
    /^[a-z][\w-]*$/i.test(word.text) &&
    !/^(?:te6cc|b5ee9c|(?:file|str|cell|slice|builder|addr|code)$)/i.test(word.text) &&
    !['(', '{'].includes(scanner.characterAfter(word))
  );
}

/** The cell in any form: with its keyword, as quoted text, as an address, or bare. */
function cellOf(
  context: StackTextContext,
  wanted: 'cell' | 'slice' | 'builder',
  name: string,
  suggestion: string | undefined,
): Cell {
  const { scanner } = context;
  const word = scanner.peekWord();
  if (['cell', 'slice', 'builder'].includes(word.text)) {
    if (word.text !== wanted) {
      throw wordError(context, `${name} takes a ${wanted}; this is a ${word.text}`);
    }
    scanner.takeWord();
    return parseCellExpression(context, wanted);
  }
  if (scanner.peek() === '"' || scanner.peek() === "'") {
    return stringToCell(parseQuoted(context));
  }
  if (word.text === '' && !scanner.atEnd()) {
    throw scanner.errorFrom(scanner.position, `${name} takes a ${wanted}`, { suggestion });
  }
  if (/^(?:-?\d+:\w|[EUk0]Q)/.test(word.text)) {
    return beginCell().storeAddress(parseAddressWord(context, scanner.takeWord())).endCell();
  }
  if (['true', 'false', 'null', 'nan'].includes(word.text) || /^[-+]?\d+$|^[-+]?0x/.test(word.text)) {
    throw wordError(context, `${name} takes a ${wanted}, not “${shown(word)}”`, suggestion);
  }
  return parseCellExpression(context, wanted);
}

/** The fields of a struct: what they are called, and their defaults in the source. */
interface ParsedField {
  name: string;
  defaultText?: string;
}

/**
 * `{field: value, …}` in any order; a field with a default that is a plain value may be left out.
 *
 * @param owner the struct's name in error messages
 * @param read reads a field's value at the position of the context, which is another one for a default
 * @returns the values by name, also if some are missing
 */
export function parseStructFields<Field extends ParsedField, Value>(
  context: StackTextContext,
  owner: string,
  fields: readonly Field[],
  read: (context: StackTextContext, field: Field) => Value,
): Map<string, Value> {
  const { scanner } = context;
  const start = scanner.position;
  const given = new Map<string, Value>();
  scanner.take('{');
  context.nested(start, () => {
    parseEach(context, () => {
      const field = takeField(context, owner, fields, given);
      given.set(field.name, read(context, field));
      parseSeparator(context);
    });
  });
  closeBrace(context, start);
  takeDefaults(context, fields, given, read);
  return given;
}

/** A default that is an expression of the language cannot be evaluated, so a value must be given. */
function takeDefaults<Field extends ParsedField, Value>(
  context: StackTextContext,
  fields: readonly Field[],
  given: Map<string, Value>,
  read: (context: StackTextContext, field: Field) => Value,
): void {
  for (const field of fields) {
    if (given.has(field.name) || field.defaultText === undefined) {
      continue;
    }
    try {
      given.set(field.name, read(context.of(field.defaultText), field));
    } catch (error) {
      if (!WorkbenchError.is(error, 'stack-text-invalid')) {
        throw error;
      }
    }
  }
}

/**
 * Moves past a field's name and colon; the name must be one of `fields` that has no value yet.
 * @param owner the struct's name in error messages
 */
function takeField<Field extends { name: string }>(
  context: StackTextContext,
  owner: string,
  fields: readonly Field[],
  given: ReadonlyMap<string, unknown>,
): Field {
  const word = context.scanner.takeWord();
  const field = fields.find(({ name }) => name === word.text);
  if (field === undefined || given.has(word.text)) {
    const names = fields.map(({ name }) => name).filter((name) => !given.has(name));
    throw stackTextError({
      offset: word.offset,
      length: Math.max(1, word.text.length),
      message:
        field === undefined ? `${owner} has no field “${shown(word)}”` : `field ${word.text} is given twice`,
      expected: names,
      suggestion: suggestionFor(word.text, names) ?? knownNames(names),
    });
  }
  takeColon(context, word.text);
  return field;
}

/** Moves past the colon after a field or key. */
export function takeColon({ scanner }: StackTextContext, before: string): void {
  scanner.skipBlanks();
  if (!scanner.take(':')) {
    throw scanner.errorFrom(scanner.position, `a colon is missing after ${before}`, { expected: [':'] });
  }
  scanner.skipBlanks();
}

/** Moves past the brace that closes the one at `start`. */
export function closeBrace({ scanner }: StackTextContext, start: number): void {
  if (!scanner.take('}')) {
    throw stackTextError({
      offset: scanner.position,
      length: scanner.atEnd() ? 0 : 1,
      message: `missing closing } of { at position ${start + 1}`,
      expected: ['}'],
    });
  }
}
