import type { AbiType } from '../contracts/abi/abiType';
import { typeText } from '../contracts/abi/abiType';
import type { GetMethodSignature, SignatureParameter } from '../contracts/abi/getMethodSignature';
import { knownMethods } from '../contracts/abi/knownInterfaces';
import type { ExitSource } from '../contracts/exitCodes';
import { countsJettons, isJettonMethod } from '../contracts/opcodes/countsJettons';
import type { StackValue } from '../stack/stackValue';
import { printBits } from '../stack/stackValue';
import { groupDigits, shortenMiddle, visibleText } from '../base/text';
import { readTyped } from '../contracts/layouts/readTyped';
import type { TypedValue } from '../contracts/layouts/typedValue';
import type { Description, Row, ShowOptions } from './resultLine';
import { describeAddress, describeEntry, entryRow, friendly, nestedRows, plain } from './resultLine';
import { withExits } from './withExits';
import type { GetMethodResult } from './getMethodResult';
import { exitFact, isSuccess } from './getMethodResult';
import { coinsText } from './coinsText';
import { readEntry } from './readEntry';
import type { SummaryPart } from './summaryText';

/** The known names of a contract. */
export interface SummaryOptions extends ShowOptions {
  signature?: GetMethodSignature | undefined;
  /** What is known about the contract's exit codes. */
  exits?: ExitSource | undefined;
}

/** Fields shown in a row; the rest is counted. */
const shownFields = 3;
const longestValue = 40;

/** The answer in a few parts, for a list row: `supply 100 000, mintable true, … 3 more`, or why it failed. */
export function summarizeResult(result: GetMethodResult, options: SummaryOptions = {}): SummaryPart[] {
  if (!isSuccess(result)) {
    return [{ text: `✗ ${exitFact(result)}, ${withExits(result, options.exits).exitMeaning}` }];
  }
  const { rows } = outputRows(result, options.signature ?? knownSignature(result), options);
  if (rows.length === 0) {
    return [{ text: 'nothing' }];
  }
  const more = rows.length > shownFields ? [{ text: `… ${rows.length - shownFields} more` }] : [];
  return [...rows.slice(0, shownFields).map(rowSummary), ...more];
}

/** The field's name, if any, and its value. */
function rowSummary({ index, name, value, brief }: Row): SummaryPart {
  const text = brief ?? value;
  const short = text.length > longestValue ? `${text.slice(0, longestValue - 1)}…` : text;
  return name === undefined || name === index ? { text: short } : { name, text: short };
}

/** The rows of a result by its signature; undefined if the answer does not match it. */
function typedRows(
  section: string,
  result: Pick<GetMethodResult, 'stack'>,
  signature: GetMethodSignature,
  options: ShowOptions,
): Row[] | undefined {
  const values = result.stack.map(({ value }) => value);
  const typed = readTyped(values, signature.result);
  if (typed === undefined || signature.result.kind === 'unknown') {
    return undefined;
  }
  // A struct's fields become the rows; other types are one row.
  return isSpread(signature.result) && typed.kind === 'parts'
    ? typed.parts.map(({ name, value }, index) =>
        row(section, String(index), name, value, fieldType(signature.result, index), options),
      )
    : [row(section, '0', undefined, typed, signature.result, options)];
}

/** The rows of the arguments by their parameters; undefined if they do not match. */
export function typedArgumentRows(
  values: readonly StackValue[],
  parameters: readonly SignatureParameter[],
  options: ShowOptions,
): Row[] | undefined {
  const type: AbiType = { kind: 'struct', name: '', fields: [...parameters] };
  const typed = readTyped(values, type);
  if (typed?.kind !== 'parts' || parameters.length === 0) {
    return undefined;
  }
  return typed.parts.map(({ name, value }, index) =>
    row('in', String(index), name, value, fieldType(type, index), options),
  );
}

function isSpread(type: AbiType): boolean {
  return (type.kind === 'struct' && type.asTuple !== true) || type.kind === 'tensor';
}

function fieldType(type: AbiType, index: number): AbiType {
  const found =
    type.kind === 'struct' ? type.fields[index]?.type : 'items' in type ? type.items[index] : undefined;
  return found ?? (type.kind === 'list' || type.kind === 'array' ? type.inner : { kind: 'unknown' });
}

function row(
  section: string,
  index: string,
  name: string | undefined,
  value: TypedValue,
  type: AbiType,
  options: ShowOptions,
): Row {
  const { text, note, lines, brief } = describeTyped(value, options, name);
  return {
    section,
    index,
    name: name === undefined ? undefined : visibleText(name),
    type: visibleText(typeText(type)),
    value: text,
    note,
    lines,
    brief,
  };
}

function describeTyped(value: TypedValue, options: ShowOptions, name?: string): Description {
  switch (value.kind) {
    case 'plain':
      return describePlain(value, options);
    case 'coins':
      if (countsJettons({ name: name ?? '', ofJetton: options.ofJetton })) {
        return plain(groupDigits(value.value), 'base units');
      }
      return plain(
        `${coinsText(value.value)} ${options.coinLabel ?? 'TON'}`,
        `${groupDigits(value.value)} nanocoins`,
      );
    case 'bool':
      return plain(value.value.toString());
    case 'address':
      return describeAddress(value.address, options);
    case 'text':
      return plain(`"${visibleText(value.text)}"`);
    case 'member':
      return plain(visibleText(value.name), value.value.toString());
    case 'null':
      return plain('null');
    case 'external':
      return plain(`External<${value.bits}:${value.value}>`, 'an external address');
    case 'variant':
      return describeVariant(value, options);
    case 'content':
      return describeTyped(value.value, options);
    case 'parts':
      return describeParts(value, options);
    case 'map':
      return describeMap(value, options);
  }
}

/** A struct has its name before it, because the type names all variants. */
function describeVariant(
  { type, value }: TypedValue & { kind: 'variant' },
  options: ShowOptions,
): Description {
  const described = describeTyped(value, options);
  const { text, note, brief } = described;
  if (type.kind === 'struct') {
    const name = visibleText(type.name);
    return { ...described, text: `${name} ${text}`, brief: `${name} ${brief ?? text}` };
  }
  return { ...described, note: note || visibleText(typeText(type)) };
}

/** A number of a known type is not an amount, and bits are neither text nor an address; anything else is recognized as if untyped. */
function describePlain({ type, value }: TypedValue & { kind: 'plain' }, options: ShowOptions): Description {
  if (value.type === 'int' && type.kind === 'int' && type.bits !== undefined && type.bits < 96) {
    return plain(groupDigits(value.value));
  }
  if (type.kind === 'bits' && value.type === 'slice') {
    const bits = printBits(value.cell.bits);
    return { ...plain(bits, `${value.cell.bits.length} bits`), brief: shortenMiddle(bits) };
  }
  return describeEntry(readEntry(value), options);
}

function describeParts({ type, parts }: TypedValue & { kind: 'parts' }, options: ShowOptions): Description {
  const rows = parts.map(({ name, value }, index) =>
    row('', '', name, value, fieldType(type, index), options),
  );
  const count = `${parts.length} ${parts.length === 1 ? 'value' : 'values'}`;
  const [open, close] = type.kind === 'struct' ? '{}' : type.kind === 'tensor' ? '()' : '[]';
  const words = rows.map(({ name, value, brief }) => {
    const word = brief ?? value;
    return type.kind === 'struct' ? `${name ?? ''}: ${word}` : word;
  });
  return {
    text: type.kind === 'struct' ? `{…} ${count}` : count,
    note: '',
    lines: nestedRows(rows),
    brief: `${open}${firstWords(words, words.length)}${close}`,
  };
}

/** Maximum characters between the brackets of a brief value, and those reserved for `… 99 more`. */
const longestBrief = 38;
const longestRest = 12;

/** Longer maps are counted: their cell is in the raw answer. */
const maximumEntries = 100;

function describeMap({ entries }: TypedValue & { kind: 'map' }, options: ShowOptions): Description {
  if (entries.length === 0) {
    return plain('empty map');
  }
  const shown = entries.slice(0, maximumEntries).map(({ key, value }) => ({
    key,
    value,
    keyText: describeTyped(key, options),
    valueText: describeTyped(value, options),
  }));
  const lines = shown.flatMap(({ key, value, keyText, valueText }) => {
    const parts = [namedFirst(key, keyText), namedFirst(value, valueText)];
    const notes = parts.map(({ note }) => note).filter((note) => note !== '');
    const line = `${parts.map(({ text }) => text).join(' → ')}${notes.length === 0 ? '' : `  ${notes.join(', ')}`}`;
    // The fields of a struct follow its entry.
    return [line, ...(value.kind === 'parts' ? valueText.lines.map((own) => `  ${own}`) : [])];
  });
  const words = shown.map(
    ({ keyText, valueText }) => `${keyText.brief ?? keyText.text}: ${valueText.brief ?? valueText.text}`,
  );
  const more = entries.length > maximumEntries ? [`… ${entries.length - maximumEntries} more`] : [];
  return {
    text: `map of ${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`,
    note: '',
    lines: [...lines, ...more],
    brief: `{${firstWords(words, entries.length)}}`,
  };
}

/** All words if they fit on one line; else the first ones, and how many of `all` are left. */
function firstWords(words: readonly string[], all: number): string {
  const whole = words.join(', ');
  if (words.length === all && whole.length <= longestBrief) {
    return whole;
  }
  let length = 0;
  const shown = words.filter(
    (word, index) => (length += word.length + 2) <= longestBrief - longestRest || index === 0,
  );
  const left = all - shown.length;
  return [...shown, ...(left === 0 ? [] : [`… ${left} more`])].join(', ');
}

/** An account with a name is shown by name, followed by its address: `bob → 5  EQ…`. */
function namedFirst(value: TypedValue, { text, note }: Description): Pick<Description, 'text' | 'note'> {
  return value.kind === 'address' && value.address !== null && note !== ''
    ? { text: note, note: friendly(value.address) }
    : { text, note };
}

/**
 * The rows of an answer: by its types if they fit, else by each entry's recognized meaning. A failed method
 * has none, because what the TVM left on the stack is not an answer.
 */
export function outputRows(
  result: GetMethodResult,
  signature: GetMethodSignature | undefined,
  options: ShowOptions,
): { rows: Row[]; isTyped: boolean } {
  if (!isSuccess(result)) {
    return { rows: [], isTyped: false };
  }
  const shown = { ...options, ofJetton: options.ofJetton === true || isJettonMethod(result.method) };
  const typed = signature === undefined ? undefined : typedRows('out', result, signature, shown);
  return {
    rows: typed ?? result.stack.map((entry, index) => entryRow('out', index, entry, shown)),
    isTyped: typed !== undefined,
  };
}

/** The signature of a well-known interface that fits this call and its answer, if any. */
export function knownSignature(result: GetMethodResult): GetMethodSignature | undefined {
  if (!isSuccess(result)) {
    return undefined;
  }
  const values = result.stack.map(({ value }) => value);
  return knownMethods(result.method).find(
    ({ method }) =>
      method.result.kind !== 'unknown' &&
      readTyped(values, method.result) !== undefined &&
      readTyped(result.arguments, { kind: 'struct', name: '', fields: method.parameters }) !== undefined,
  )?.method;
}
