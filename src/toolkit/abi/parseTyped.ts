import { parseEach, parseSeparator } from '../stack/parseStackText';
import { stackTextError } from '../stack/stackTextError';
import { suggestionFor } from '../stack/stackTextContext';
import type { StackTextContext } from '../stack/stackTextContext';
import type { StackValue } from '../stack/stackValue';
import { slotsOf, typeText } from './abiType';
import type { AbiType } from './abiType';
import { parseMap } from './parseMap';
import {
  closeBrace,
  nextWord,
  ofType,
  parseAddressLeaf,
  parseAny,
  parseBool,
  parseCellLike,
  parseEnumMember,
  parseNumber,
  takeField,
  takeNull,
  wordError,
} from './typedLeaves';

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
    case 'cell':
    case 'cellOf':
    case 'builder':
    case 'slice':
    case 'bits':
    case 'string':
      return parseCellLike(context, type, name);
    case 'map':
      return parseMap(context, type, name, parseSingle);
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
  const word = nextWord(context);
  const isPlain = ['int', 'coins', 'bool'].includes(type.inner.kind);
  if (isPlain && word !== '' && suggestionFor(word, ['null']) !== undefined) {
    throw wordError(context, `“${word}” is not a valid ${typeText(type)}`, 'did you mean null?');
  }
  if (slots !== 1) {
    throw wordError(
      context,
      `${name}: ${typeText(type)} can only be null: how it is laid out on the stack is unknown`,
    );
  }
  return parseTyped(context, type.inner, name);
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
    parseEach(context, () => {
      context.count(scanner.position);
      items.push(...parseTyped(context, inner, name));
      parseSeparator(context);
    });
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
    parseEach(context, () => {
      const field = takeField(context, `the struct ${type.name}`, type.fields, given);
      given.set(field.name, parseTyped(context, field.type, `field ${field.name}`));
      parseSeparator(context);
    });
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
