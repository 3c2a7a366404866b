import { Cell } from '@ton/core';
import type { AbiType } from '../abi/abiType';
import { isWideNullable, slotsOf, typeText } from '../abi/abiType';
import {
  nextWord,
  ofType,
  parseAddressLeaf,
  parseAny,
  parseBool,
  parseCellLike,
  parseEnumMember,
  parseNumber,
  parseStructFields,
  takeNull,
  wordError,
} from '../abi/typedLeaves';
import { WorkbenchError } from '../../base/errors';
import { keyBits } from './decodeByLayout';
import { parseStored } from './encodeByLayout';
import { parseEach, parseSeparator } from '../../stack/parseStackText';
import type { StackValue } from '../../stack/stackValue';
import type { StackTextContext } from '../../stack/stackTextContext';
import { noVariantError, stackTextError, suggestionFor } from '../../stack/stackTextContext';
import { writtenKinds } from './parseLeaf';
import { openMap, typeLayout } from './typedValue';

type Kind<K extends AbiType['kind']> = Extract<AbiType, { kind: K }>;

/**
 * Reads one value of `type` at the position: as many stack values as the type takes. `name` is its name in messages.
 */
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
    case 'union':
      return parseUnion(context, type, name);
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
      return parseAddressLeaf(context, name);
    case 'cellOf':
      return parseCellOf(context, type, name);
    case 'cell':
    case 'builder':
    case 'slice':
    case 'bits':
    case 'string':
      return parseCellLike(context, type, name);
    case 'map':
      return parseMap(context, type, name);
    case 'typedTuple':
      return { type: 'tuple', items: parseItems(context, type.items, '[', name).map(asItem) };
    case 'list':
    case 'array':
      return parseList(context, type, name);
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

function parseNullable(context: StackTextContext, type: Kind<'nullable'>, name: string): StackValue[] {
  const slots = slotsOf(type);
  const word = nextWord(context);
  if (slots === undefined) {
    throw unknownForm(context, type, name);
  }
  const isWide = isWideNullable(type);
  if (word === 'null') {
    takeNull(context);
    return isWide ? tagged([], slots, 0) : [{ type: 'null' }];
  }
  const isPlain = ['int', 'coins', 'bool'].includes(type.inner.kind);
  if (isPlain && word !== '' && suggestionFor(word, ['null']) !== undefined) {
    throw wordError(context, `“${word}” is not a valid ${typeText(type)}`, 'did you mean null?');
  }
  const start = context.scanner.position;
  const values = parseTyped(context, type.inner, name);
  return isWide ? tagged(values, slots, knownId(context, start, type.typeId, type.inner)) : values;
}

/**
 * A variant by its name, which the only struct does not need; without one, the first other variant that accepts the text.
 */
function parseUnion(context: StackTextContext, type: Kind<'union'>, name: string): StackValue[] {
  const { scanner } = context;
  const slots = slotsOf(type);
  if (slots === undefined) {
    throw unknownForm(context, type, name);
  }
  const start = scanner.position;
  const word = nextWord(context);
  const isNamed = (variant: AbiType): boolean =>
    (variant.kind === 'struct' || variant.kind === 'enum') && variant.name !== '';
  const named = type.variants.find((variant) => 'name' in variant && isWordOf(variant.name, word));
  const plain = type.variants.find((one) => writtenKinds.has(one.kind) && typeText(one) === word);
  const structs = type.variants.filter(({ kind }) => kind === 'struct');
  const only = structs.length === 1 && scanner.peek() === '{' ? structs[0] : undefined;
  const chosen = named ?? only ?? plain;
  const candidates = chosen === undefined ? type.variants.filter((variant) => !isNamed(variant)) : [chosen];
  for (const variant of candidates) {
    scanner.position = start;
    try {
      if (variant.kind === 'null' || word === 'null') {
        if (variant.kind !== 'null' || word !== 'null') {
          continue;
        }
        takeNull(context);
        return tagged([], slots, 0);
      }
      if (variant === plain) {
        scanner.takeWord();
        scanner.skipBlanks();
      }
      const values = parseTyped(context, variant, name);
      const id = type.typeIds?.[type.variants.indexOf(variant)];
      return tagged(values, slots, knownId(context, start, id, variant));
    } catch (error) {
      if (chosen !== undefined || !WorkbenchError.is(error, 'stack-text-invalid')) {
        throw error;
      }
    }
  }
  scanner.position = start;
  const names = type.variants.map(typeText);
  throw noVariantError(name, { offset: start, word }, names);
}

function isWordOf(name: string, word: string): boolean {
  return word !== '' && (word === name || word.startsWith(`${name}.`));
}

/** The values at the right of all but the last entry, which is the type id. */
function tagged(values: readonly StackValue[], slots: number, id: number): StackValue[] {
  const padding = Array.from({ length: slots - 1 - values.length }, (): StackValue => ({ type: 'null' }));
  return [...padding, ...values, { type: 'int', value: BigInt(id) }];
}

function knownId(
  { scanner }: StackTextContext,
  start: number,
  id: number | undefined,
  type: AbiType,
): number {
  if (id === undefined) {
    // Not an error of the text, so no other variant is tried.
    throw new WorkbenchError({
      code: 'type-id-unknown',
      kind: 'input',
      message: `The number by which the contract knows ${typeText(type)} is not known: only the compiler gives it.`,
      hint: 'Compile the source here, for example with deploy --dry-run, so that its code is this contract’s.',
      details: { offset: start, length: Math.max(1, scanner.position - start) },
    });
  }
  return id;
}

function unknownForm(context: StackTextContext, type: AbiType, name: string): Error {
  return wordError(context, `${name}: how ${typeText(type)} is laid out on the stack is unknown`);
}

/** In a tuple, a value of several entries is a tuple of them. */
function asItem(values: readonly StackValue[]): StackValue {
  const [only] = values;
  return only !== undefined && values.length === 1 ? only : { type: 'tuple', items: [...values] };
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
      `${name} takes ${types.length} values; ${close} is missing here`,
    );
  }
  return items;
}

/** A list in `(…)`, which is null if it is empty, or an array in `[…]`. */
function parseList(context: StackTextContext, type: Kind<'list' | 'array'>, name: string): StackValue {
  const isList = type.kind === 'list';
  if (isList && nextWord(context) === 'null') {
    return takeNull(context);
  }
  const [open, close] = isList ? (['(', ')'] as const) : (['[', ']'] as const);
  const { scanner } = context;
  const start = scanner.position;
  if (!scanner.take(open)) {
    throw wordError(context, `${name} takes ${isList ? 'a list' : 'an array'} in ${open}…${close}`);
  }
  const items: StackValue[] = [];
  context.nested(start, () => {
    parseEach(context, () => {
      context.count(scanner.position);
      items.push(asItem(parseTyped(context, type.inner, name)));
      parseSeparator(context);
    });
  });
  if (!scanner.take(close)) {
    throw scanner.errorFrom(start, `missing closing ${close} of ${open} at position ${start + 1}`);
  }
  return { type: isList ? 'list' : 'tuple', items };
}

/**
 * `{field: value, …}` in any order, the struct's name before it or not. One that Tact takes as a tuple may also be
 * written `[…]`.
 */
function parseStruct(context: StackTextContext, type: Kind<'struct'>, name: string): StackValue[] {
  const { scanner } = context;
  const { fields } = type;
  if (type.asTuple === true && scanner.peek() === '[') {
    const types = fields.map((field) => field.type);
    return [{ type: 'tuple', items: parseItems(context, types, '[', name).flat() }];
  }
  if (type.name !== '' && nextWord(context) === type.name) {
    scanner.takeWord();
    scanner.skipBlanks();
  }
  if (scanner.peek() !== '{') {
    throw wordError(
      context,
      `${name} takes a struct`,
      `write {${fields.map((field) => `${field.name}: …`).join(', ')}}`,
    );
  }
  const given = parseStructFields(context, `the struct ${type.name}`, fields, (at, field) =>
    parseTyped(at, field.type, `field ${field.name}`),
  );
  const missing = fields.filter((field) => !given.has(field.name));
  if (missing.length > 0) {
    const list = missing.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ');
    throw stackTextError({ offset: scanner.position - 1, length: 1, message: `${name} lacks ${list}` });
  }
  const values = fields.flatMap((field) => given.get(field.name) ?? []);
  return type.asTuple === true ? [{ type: 'tuple', items: values }] : values;
}

/** `{key: value, …}`, `null`, or the dictionary's cell. An empty map is null on the stack. */
function parseMap(context: StackTextContext, type: Kind<'map'>, name: string): StackValue {
  const { scanner } = context;
  if (nextWord(context) === 'null') {
    return takeNull(context);
  }
  if (scanner.peek() !== '{') {
    const suggestion = 'a map is {key: value, …}, or the cell of a dictionary';
    return parseCellLike(context, { kind: 'cell' }, name, suggestion);
  }
  const { type: layout, set } = typeLayout(type);
  if (layout.kind === 'map' && (layout.key === undefined || keyBits(layout.key) === undefined)) {
    throw scanner.errorFrom(
      scanner.position,
      `a map with ${typeText(type.key)} keys cannot be written here`,
      { suggestion: 'give its cell' },
    );
  }
  const root = parseStored(context, openMap(layout), name, set).beginParse().loadMaybeRef();
  return root === null ? { type: 'null' } : { type: 'cell', cell: root };
}

/** The content of a typed cell, or the cell in any of its own forms. */
function parseCellOf(context: StackTextContext, type: Kind<'cellOf'>, name: string): StackValue {
  const { type: layout, set } = typeLayout(type);
  return { type: 'cell', cell: parseStored(context, layout, name, set).refs[0] ?? Cell.EMPTY };
}
