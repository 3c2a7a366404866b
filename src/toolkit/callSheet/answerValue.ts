import type { Cell } from '@ton/core';
import { Address, ExternalAddress, beginCell } from '@ton/core';
import type { AbiType } from '../contracts/abi/abiType';
import { typeText } from '../contracts/abi/abiType';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import type { GetMethodResult } from '../getMethods/getMethodResult';
import { coinsText } from '../getMethods/coinsText';
import type { StackValue } from '../stack/stackValue';
import { printStackValue, stringToCell } from '../stack/stackValue';
import { closestWord, visibleText } from '../base/text';
import { readTyped } from '../contracts/layouts/readTyped';
import type { TypedValue } from '../contracts/layouts/typedValue';
import type { Comparison, PathPart, PlacedText } from './callSheet';
import { compareNumbers, expectedWords, isSameStack, partNames, partType, plainType } from './callSheet';
import { pathText } from './readMethodCall';
import { callSheetError } from './sheetValues';

/** A part of an answer with its type; `unknown` if nothing says what it is. */
export interface AnswerValue {
  value: TypedValue;
  type: AbiType;
}

/** Reads the text between the brackets of `[bob]` by the type of the map's keys. */
export type KeyReader = (text: PlacedText, type: AbiType) => TypedValue;

/**
 * The part of an answer at the end of a path. With known types, steps are names; otherwise entries have
 * numbers.
 *
 * @throws WorkbenchError `call-sheet-invalid` (input), positioned at the step that does not exist, listing
 * those that do
 */
export function answerValue(
  { method, stack }: Pick<GetMethodResult, 'method' | 'stack'>,
  signature: GetMethodSignature | undefined,
  path: readonly PathPart[],
  readKey: KeyReader,
): AnswerValue {
  const values = stack.map(({ value }) => value);
  const type = signature?.result;
  const typed = type === undefined || type.kind === 'unknown' ? undefined : readTyped(values, type);
  if (typed === undefined || type === undefined) {
    return untypedPart(method, values, path, type !== undefined && type.kind !== 'unknown');
  }
  return path.reduce(
    (at: AnswerValue, part, index) => step(at, part, path.slice(0, index), readKey, method),
    {
      value: typed,
      type,
    },
  );
}

/**
 * The type at the end of a path, without an answer: for checks while typing.
 * @throws WorkbenchError `call-sheet-invalid` (input)
 */
export function typeAtPath(method: string, result: AbiType, path: readonly PathPart[]): AbiType {
  return path.reduce((at: AbiType, part, index) => {
    const type = plainType(at);
    if (part.kind === 'key') {
      if (type.kind !== 'map') {
        throw noMapError(part, path.slice(0, index), method, type);
      }
      return type.value;
    }
    const names = partNames(type);
    const found = names === undefined ? undefined : partType(type, part.at.text);
    // The parts of lists and unions are known only once there is an answer.
    if (found === undefined && names !== undefined) {
      throw noPartError(part, path.slice(0, index), method, names);
    }
    return found ?? { kind: 'unknown' };
  }, result);
}

function step(
  { value, type }: AnswerValue,
  part: PathPart,
  before: readonly PathPart[],
  readKey: KeyReader,
  method: string,
): AnswerValue {
  const plain = plainType(type);
  if (part.kind === 'key') {
    if (plain.kind !== 'map' || value.kind !== 'map') {
      throw noMapError(part, before, method, plain);
    }
    const key = readKey(part.at, plain.key);
    const entry = value.entries.find((one) => isSameTyped(one.key, key));
    return { value: entry?.value ?? { kind: 'null' }, type: plain.value };
  }
  const opened = openedValue(value);
  if (opened.kind !== 'parts') {
    throw noPartError(part, before, method, []);
  }
  const found = opened.parts.find(({ name }) => name === part.at.text);
  if (found === undefined) {
    throw noPartError(
      part,
      before,
      method,
      opened.parts.map(({ name }) => name),
    );
  }
  // The value's own type; for a union, the variant.
  return { value: found.value, type: partType(opened.type, found.name) ?? { kind: 'unknown' } };
}

/** The variant of a union, or the content of a typed cell; other values are returned as they are. */
function openedValue(value: TypedValue): TypedValue {
  return value.kind === 'variant' || value.kind === 'content' ? openedValue(value.value) : value;
}

function untypedPart(
  method: string,
  stack: readonly StackValue[],
  path: readonly PathPart[],
  isOther: boolean,
): AnswerValue {
  const named = path.find(({ kind, at }) => kind === 'key' || !/^\d+$/.test(at.text));
  if (named !== undefined) {
    throw callSheetError(
      named.at.offset,
      named.at.length,
      isOther
        ? `The answer of ${visibleText(method)} does not fit its source, so “${visibleText(named.at.text)}” cannot be found in it.`
        : `The types of ${visibleText(method)} are not known, so “${visibleText(named.at.text)}” cannot be found in its answer.`,
      'Use the number of the entry, such as 0, or open the folder with the source of the contract.',
    );
  }
  const [first, ...rest] = path;
  let value = stack[Number(first?.at.text ?? 0)];
  for (const { at } of rest) {
    value = value !== undefined && 'items' in value ? value.items[Number(at.text)] : undefined;
  }
  if (value === undefined || (first === undefined && stack.length !== 1)) {
    const place = path.at(-1)?.at ?? { offset: 0, length: 0 };
    const count = `${stack.length} ${stack.length === 1 ? 'entry' : 'entries'}`;
    throw callSheetError(
      place.offset,
      place.length,
      first === undefined
        ? `The answer of ${visibleText(method)} has ${count}.`
        : `There is no entry ${pathText(path)}: the answer has ${count}.`,
      first === undefined ? 'Name one by its number: .0' : undefined,
    );
  }
  return { value: { kind: 'plain', type: { kind: 'unknown' }, value }, type: { kind: 'unknown' } };
}

function noPartError(
  { at }: PathPart,
  before: readonly PathPart[],
  method: string,
  names: readonly string[],
): Error {
  const where = before.length === 0 ? `The answer of ${visibleText(method)}` : visibleText(pathText(before));
  const closest = closestWord(at.text, [...names]);
  return callSheetError(
    at.offset,
    at.length,
    `${where} has no “${visibleText(at.text)}”.`,
    closest !== undefined
      ? `Did you mean ${closest}?`
      : names.length === 0
        ? 'It is a single value.'
        : `It has: ${names.slice(0, 24).join(', ')}.`,
  );
}

function noMapError({ at }: PathPart, before: readonly PathPart[], method: string, type: AbiType): Error {
  const where = before.length === 0 ? `The answer of ${visibleText(method)}` : visibleText(pathText(before));
  return callSheetError(at.offset, at.length, `${where} is ${typeText(type)}, not a map.`);
}

/** Whether two values are equal; two nulls are, and null is the empty map. */
function isSameTyped(a: TypedValue, b: TypedValue): boolean {
  if (a.kind === 'variant' && b.kind === 'variant') {
    return typeText(a.type) === typeText(b.type) && isSameTyped(a.value, b.value);
  }
  if (b.kind === 'variant' || (b.kind === 'content' && a.kind !== 'content')) {
    return isSameTyped(b, a);
  }
  switch (a.kind) {
    case 'variant':
      return isSameTyped(a.value, b);
    case 'content':
      return b.kind === 'plain' && 'cell' in b.value
        ? a.cell?.equals(b.value.cell) === true
        : isSameTyped(a.value, openedValue(b));
    case 'parts':
      return (
        b.kind === 'parts' &&
        a.parts.length === b.parts.length &&
        a.parts.every(({ value }, index) => isSameTyped(value, b.parts[index]?.value ?? { kind: 'null' }))
      );
    case 'map':
      return b.kind === 'map'
        ? a.entries.length === b.entries.length &&
            a.entries.every(({ key, value }) =>
              b.entries.some((other) => isSameTyped(other.key, key) && isSameTyped(other.value, value)),
            )
        : b.kind === 'null' && a.entries.length === 0;
    case 'null':
      return b.kind === 'null' || (b.kind === 'plain' && b.value.type === 'null');
    default: {
      const [left, right] = [typedToStack(a), typedToStack(b)];
      return left !== undefined && right !== undefined && isSameStack(left, right);
    }
  }
}

function externalCell({ bits, value }: TypedValue & { kind: 'external' }): Cell {
  return beginCell().storeAddress(new ExternalAddress(value, bits)).endCell();
}

/** The value on the stack, when `@name` of an answer is used as an argument. Undefined for a map. */
export function typedToStack(typed: TypedValue): StackValue | undefined {
  switch (typed.kind) {
    case 'plain':
      return typed.value;
    case 'coins':
    case 'member':
      return { type: 'int', value: typed.value };
    case 'bool':
      return { type: 'int', value: typed.value ? -1n : 0n };
    case 'address': {
      const address = typed.address === null ? null : Address.parse(typed.address);
      return { type: 'slice', cell: beginCell().storeAddress(address).endCell() };
    }
    case 'external':
      return { type: 'slice', cell: externalCell(typed) };
    case 'text':
      return { type: 'slice', cell: stringToCell(typed.text) };
    case 'variant':
      return typedToStack(typed.value);
    case 'content':
      return typed.cell && { type: 'cell', cell: typed.cell };
    case 'null':
      return { type: 'null' };
    case 'parts': {
      const items = typed.parts.map(({ value }) => typedToStack(value));
      return items.includes(undefined)
        ? undefined
        : { type: 'tuple', items: items.filter((item) => item !== undefined) };
    }
    case 'map':
      return undefined;
  }
}

/** The name of a raw address, if it has one. */
export type NameOfAccount = (raw: string) => string | undefined;

/** Maximum characters of a struct or map on one line. */
const longest = 120;

/** A value in the syntax of call sheets: `1.5ton`, `true`, `bob`, `{count: 1, owner: alice}`. */
export function valueText(value: TypedValue, name: NameOfAccount = () => undefined): string {
  switch (value.kind) {
    case 'plain':
      return printStackValue(value.value);
    case 'coins':
      return `${coinsText(value.value).replaceAll(/[^\d.-]/g, '')}ton`;
    case 'bool':
      return value.value.toString();
    case 'address':
      return value.address === null
        ? 'none'
        : (name(value.address) ?? Address.parse(value.address).toString());
    case 'text':
      return JSON.stringify(value.text);
    case 'member':
      return value.name;
    case 'null':
      return 'null';
    case 'external':
      return printStackValue(typedToStack(value) ?? { type: 'null' });
    case 'variant': {
      const text = valueText(value.value, name);
      return value.type.kind === 'struct' ? `${value.type.name} ${text}` : text;
    }
    case 'content':
      return valueText(value.value, name);
    case 'parts': {
      const isStruct = value.type.kind === 'struct';
      const parts = value.parts.map((part) =>
        isStruct ? `${part.name}: ${valueText(part.value, name)}` : valueText(part.value, name),
      );
      return folded(parts, isStruct ? '{}' : '[]');
    }
    case 'map':
      return folded(
        value.entries.map((entry) => `${valueText(entry.key, name)}: ${valueText(entry.value, name)}`),
        '{}',
      );
  }
}

function folded(parts: readonly string[], [open = '', close = '']: string): string {
  let length = 0;
  const count = parts.findIndex((text) => (length += text.length + 2) > longest);
  const shown = count < 0 ? parts : [...parts.slice(0, count), `… ${parts.length - count} more`];
  return `${open}${shown.join(', ')}${close}`;
}

/** An expectation about a part of an answer. */
interface AnswerComparison {
  /** The compared part as written: `count`. */
  label: string;
  comparison: Comparison;
  actual: TypedValue;
  expected: TypedValue;
  name?: NameOfAccount | undefined;
}

/** Why a part of an answer is not as expected, as one sentence; undefined if it is as expected. */
export function checkAnswerPart({
  label,
  comparison,
  actual,
  expected,
  name,
}: AnswerComparison): string | undefined {
  const shown = valueText(actual, name);
  if (comparison !== '==' && comparison !== '!=') {
    const [left, right] = [numberOf(actual), numberOf(expected)];
    if (left === undefined || right === undefined) {
      return `${label} is ${shown}; only numbers can be compared with ${comparison}.`;
    }
    return compareNumbers(comparison, left, right)
      ? undefined
      : `${label} is ${shown}, expected ${expectedWords(comparison, valueText(expected, name))}.`;
  }
  return isSameTyped(actual, expected) === (comparison === '==')
    ? undefined
    : `${label} is ${shown}, expected ${expectedWords(comparison, valueText(expected, name))}.`;
}

function numberOf(value: TypedValue): bigint | undefined {
  const found = value.kind === 'bool' ? undefined : typedToStack(value);
  return found?.type === 'int' ? found.value : undefined;
}
