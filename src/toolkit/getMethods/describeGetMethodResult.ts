import { Address } from '@ton/core';
import { encodeCell } from '../stack/wireValue';
import type { StackValue } from '../stack/stackValue';
import { visibleText } from '../text';
import { cellSummary, cellTree } from './cellTree';
import { exitExplanation } from './exitExplanation';
import { isSuccess } from './getMethodResult';
import type { Decoded, GetMethodResult, ResultEntry } from './getMethodResult';
import { groupDigits, numberNote, numberText } from './numberText';
import { readEntry } from './readEntry';

/** What the reader knows that the result does not. */
export interface DescribeOptions {
  /** The name of a raw address, if it has one. */
  accountName?: ((address: string) => string | undefined) | undefined;
  /** The coin's label; TON unless said otherwise. */
  coinLabel?: string | undefined;
  /** Names of the arguments and of the results, where the method's signature is known. */
  argumentNames?: readonly string[] | undefined;
  resultNames?: readonly string[] | undefined;
}

/** One line of the table; `lines` follow below it, indented. */
interface Row {
  section: string;
  index: string;
  type: string;
  value: string;
  note: string;
  lines: string[];
}

/** Column where the network stands in the first line. */
const headerWidth = 53;

/**
 * The result as a document of plain text: verdict first, then what went in and came out, decoded, then the raw answer.
 * Text from the chain is escaped.
 */
export function describeGetMethodResult(result: GetMethodResult, options: DescribeOptions = {}): string {
  const inputs = result.arguments.map((value, index) =>
    rowOf('in', index, readEntry(value), options, options.argumentNames?.[index]),
  );
  const outputs = result.stack.map((entry, index) =>
    rowOf('out', index, entry, options, options.resultNames?.[index]),
  );
  const raw = result.stack.map((entry, index) => `  raw  out ${index}  ${rawText(entry.value)}`);
  const answer = result.raw.map((entry, index) => `  wire out ${index}  ${JSON.stringify(entry)}`);
  const blocks = [
    headOf(result, options),
    [...alignRows([...inputs, ...outputs]), ...(outputs.length === 0 ? ['  out  nothing'] : [])],
    raw,
    answer,
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => line.trimEnd()).join('\n'))
    .join('\n\n')}\n`;
}

function headOf(result: GetMethodResult, options: DescribeOptions): string[] {
  const account = options.accountName?.(result.address) ?? friendly(result.address);
  const block = result.block === undefined ? '' : `, block ${groupDigits(result.block)}`;
  const title = `${visibleText(result.method)} on ${visibleText(account)}`.padEnd(headerWidth - 2);
  const facts = `gas ${groupDigits(result.gasUsed)}, ${groupDigits(Math.round(result.elapsedMs))} ms over ${result.api}`;
  const verdict = isSuccess(result)
    ? `success (exit ${result.exitCode}), ${facts}`
    : `failed: exit ${result.exitCode}, ${result.exitMeaning}; ${facts}`;
  const explanation = isSuccess(result)
    ? []
    : exitExplanation(result).map((sentence) => `  ${visibleText(sentence)}`);
  return [`${title}  ${visibleText(result.network)}${block}`, verdict, ...explanation];
}

function rowOf(
  section: string,
  index: number,
  entry: ResultEntry,
  options: DescribeOptions,
  name: string | undefined,
): Row {
  const { text, note, lines } = describe(entry, options);
  const readAs = entry.readAs === undefined ? '' : `read as ${entry.readAs}`;
  return {
    section,
    index: name === undefined ? index.toString() : `${index} ${visibleText(name)}`,
    type: typeWord(entry),
    value: text,
    note: [note, readAs].filter((part) => part !== '').join('; '),
    lines,
  };
}

function typeWord({ type, decoded }: ResultEntry): string {
  if (decoded.kind === 'address' || decoded.kind === 'text') {
    return decoded.kind;
  }
  return type === 'int' ? 'number' : type;
}

interface Description {
  text: string;
  note: string;
  lines: string[];
}

function describe({ decoded, type }: ResultEntry, options: DescribeOptions): Description {
  switch (decoded.kind) {
    case 'number':
      return plain(numberText(decoded.value), numberNote(decoded.value, options.coinLabel ?? 'TON'));
    case 'nan':
    case 'null':
      return plain(decoded.kind, decoded.kind === 'null' ? 'null, or an empty list' : undefined);
    case 'address':
      return describeAddress(decoded.address, options);
    case 'text':
      return plain(`"${visibleText(decoded.text)}"`, decoded.form === 'plain' ? undefined : decoded.form);
    case 'cell':
      return { text: cellSummary(decoded.cell), note: '', lines: cellTree(decoded.cell) };
    case 'items':
      return describeItems(type, decoded, options);
    case 'unsupported':
      return plain(visibleText(decoded.description));
  }
}

function plain(text: string, note = ''): Description {
  return { text, note, lines: [] };
}

function describeAddress(address: string | null, options: DescribeOptions): Description {
  if (address === null) {
    return plain('addr none', 'the empty address');
  }
  return plain(`addr ${friendly(address)}`, visibleText(options.accountName?.(address) ?? ''));
}

function describeItems(
  type: string,
  decoded: Decoded & { kind: 'items' },
  options: DescribeOptions,
): Description {
  const { items } = decoded;
  const rows = items.map((item, index) => rowOf('', index, item, options, undefined));
  return {
    text: `${type} of ${items.length} ${items.length === 1 ? 'value' : 'values'}`,
    note: '',
    lines: alignRows(rows).map((line) => line.replace(/^ {5}/, '')),
  };
}

/** The rows with their columns under one another, each followed by its own lines. */
function alignRows(rows: readonly Row[]): string[] {
  const width = (pick: (row: Row) => string): number => Math.max(0, ...rows.map((row) => pick(row).length));
  const indexWidth = width((row) => row.index);
  const typeWidth = width((row) => row.type);
  // Long values (whole texts) do not push every note to the right.
  const valueWidth = Math.min(
    56,
    width((row) => row.value),
  );
  return rows.flatMap(({ section, index, type, value, note, lines }) => [
    `  ${section.padEnd(3)}  ${index.padEnd(indexWidth)}  ${type.padEnd(typeWidth)}  ${value.padEnd(valueWidth)}  ${note}`,
    ...lines.map((line) => `${' '.repeat(indexWidth + 9)}${line}`),
  ]);
}

/** The whole value on one line, as it can be sent again. */
function rawText(value: StackValue): string {
  switch (value.type) {
    case 'int':
      return value.value.toString();
    case 'cell':
    case 'slice':
    case 'builder':
      return `${value.type} ${encodeCell(value.cell)}`;
    case 'tuple':
      return `[${value.items.map(rawText).join(', ')}]`;
    case 'list':
      return `(${value.items.map(rawText).join(', ')})`;
    case 'nan':
    case 'null':
      return value.type;
    case 'unsupported':
      return `<${visibleText(value.description)}>`;
  }
}

function friendly(address: string): string {
  return Address.parse(address).toString();
}
