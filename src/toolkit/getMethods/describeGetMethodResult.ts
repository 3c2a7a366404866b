import type { AbiType } from '../contracts/abi/abiType';
import { slotsOf, withParts } from '../contracts/abi/abiType';
import type { GetMethodSignature } from '../contracts/abi/getMethodSignature';
import { signatureText } from '../contracts/abi/getMethodSignature';
import type { ExitSource } from '../contracts/exitCodes';
import { explainExitCode } from '../contracts/exitCodes';
import type { StackValue } from '../stack/stackValue';
import { encodeCell } from '../stack/encodeV3Stack';
import { groupDigits, visibleText } from '../base/text';
import type { ResultLine, Row, ShowOptions } from './resultLine';
import { entryRow, friendly, headedRows } from './resultLine';
import { exitExplanation, withExits } from './withExits';
import type { GetMethodResult } from './getMethodResult';
import { exitFact, gasFact, isSuccess } from './getMethodResult';
import { readEntry } from './readEntry';
import { knownSignature, outputRows, typedArgumentRows } from './summarizeResult';

/** What the reader knows beyond the result. */
export interface DescribeOptions extends ShowOptions {
  /** The method's types and names from its source; a well-known interface is used instead if it fits. */
  signature?: GetMethodSignature | undefined;
  /** What is known about the contract's exit codes. */
  exits?: ExitSource | undefined;
  /** The source of the signature, as text, if more than its kind is known: `Tolk source, contracts/counter.tolk`. */
  origin?: string | undefined;
  /** The previous answer to the same call: changes are marked. */
  previous?: GetMethodResult | undefined;
  /** Omits the duration of the call, which always differs. */
  withoutTime?: boolean | undefined;
}

/** Column of the network in the first line. */
const headerWidth = 53;

/** The lines of {@link resultLines} as a plain text document. */
export function describeGetMethodResult(result: GetMethodResult, options: DescribeOptions = {}): string {
  return textOfLines(resultLines(result, options));
}

/** Lines as a document's text. */
export function textOfLines(lines: readonly ResultLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join('');
}

/** The result line by line: verdict, decoded input and output, and the raw answer last. Text from the chain is escaped. */
export function resultLines(result: GetMethodResult, options: DescribeOptions = {}): ResultLine[] {
  const signature = options.signature ?? knownSignature(result);
  const inputs = inputRows(result, signature, options);
  const { rows, isTyped } = outputRows(result, signature, options);
  const outputs = markChanges(rows, previousRows(signature, options));
  const printed = (result.printed ?? []).map((text, index) =>
    labeled(`printed ${index}`, '  printed  ', visibleText(text)),
  );
  const blocks: ResultLine[][] = [
    headOf(result, options),
    [
      ...headedRows([...inputs, ...outputs]),
      ...(outputs.length === 0 && isSuccess(result) ? [labeled('nothing', '  out  ', 'nothing')] : []),
    ],
    typesLine(signature, isTyped, isSuccess(result), options.origin).map((text) =>
      labeled('types', '  ', text),
    ),
    printed,
    rawAnswer(result),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => [...(index === 0 ? [] : [{ text: '' }]), ...lines])
    .map((line) => ({ ...line, text: line.text.trimEnd() }));
}

const rawHeading = { text: 'Raw answer', key: 'raw answer' };

/**
 * The range of the raw answer among the lines of a result, including its heading; undefined if there is none.
 */
export function rawAnswerLines(lines: readonly ResultLine[]): { start: number; end: number } | undefined {
  const start = lines.findIndex(({ key }) => key === rawHeading.key);
  return start === -1 ? undefined : { start, end: lines.length - 1 };
}

/** The stack in a form that can be sent again, and as received; after a failure, what the TVM left on it. */
function rawAnswer(result: GetMethodResult): ResultLine[] {
  const raw = result.stack.map((entry, index) =>
    labeled(`raw ${index}`, `  raw  out ${index}  `, rawText(entry.value)),
  );
  // The wire format only repeats the rows above it.
  const wire = result.raw.map((entry, index): ResultLine => ({
    text: `  wire out ${index}  ${visibleText(JSON.stringify(entry))}`,
  }));
  return raw.length + wire.length === 0 ? [] : [rawHeading, ...raw, ...wire];
}

/** A line with a label and one value. */
function labeled(key: string, label: string, text: string): ResultLine {
  return { text: `${label}${text}`, key, fields: [{ column: label.length, text }] };
}

/** The previous answer of the same call; undefined if there is nothing to compare with. */
function previousRows(
  signature: GetMethodSignature | undefined,
  options: DescribeOptions,
): Row[] | undefined {
  const { previous } = options;
  return previous === undefined || !isSuccess(previous)
    ? undefined
    : outputRows(previous, signature, options).rows;
}

function inputRows(
  result: GetMethodResult,
  signature: GetMethodSignature | undefined,
  options: DescribeOptions,
): Row[] {
  const parameters = signature?.parameters ?? [];
  const typed = typedArgumentRows(result.arguments, parameters, options);
  return typed ?? result.arguments.map((value, index) => entryRow('in', index, readEntry(value), options));
}

/** The source of the types, or that the answer does not match them. */
function typesLine(
  signature: GetMethodSignature | undefined,
  fits: boolean,
  isComplete: boolean,
  place: string | undefined,
): string[] {
  if (signature === undefined || !isComplete) {
    return [];
  }
  const text = visibleText(signatureText(signature));
  const origin = visibleText(place ?? signature.origin);
  if (!fits && slotsOf(withoutUnknown(signature.result)) === undefined) {
    return [`types by ${origin}: ${text}. It does not tell the whole type of the answer.`];
  }
  return fits
    ? [`types by ${origin}: ${text}`]
    : [`The answer does not match the ${origin} (${text}), so it is shown without types.`];
}

/** A type that the source leaves open counts as one that nothing declares. */
function withoutUnknown(type: AbiType): AbiType {
  return type.kind === 'unknown'
    ? { kind: 'named', name: 'unknown', arguments: [] }
    : withParts(type, withoutUnknown);
}

function headOf(result: GetMethodResult, options: DescribeOptions): ResultLine[] {
  const account = options.accountName?.(result.address) ?? friendly(result.address);
  const block = result.block === undefined ? '' : `, block ${groupDigits(result.block)}`;
  const title = `${visibleText(result.method)} on ${visibleText(account)}`.padEnd(headerWidth - 2);
  const { exitCode } = result;
  const isOwn =
    exitCode !== null && explainExitCode(exitCode, 'get-method', options.exits)?.by === 'contract';
  const meaning = `${visibleText(withExits(result, options.exits).exitMeaning)}${isOwn ? ' (by the contract)' : ''}`;
  const verdict = isSuccess(result)
    ? `success (${exitFact(result)}), `
    : `failed: ${exitFact(result)}, ${meaning}; `;
  const gas = gasFact(result);
  const time =
    options.withoutTime === true
      ? `, over ${result.api}`
      : `, ${groupDigits(Math.round(result.elapsedMs))} ms over ${result.api}`;
  const explanation = isSuccess(result) ? [] : exitExplanation(result, options.exits);
  return [
    { text: `${title}  ${visibleText(result.network)}${block}` },
    {
      text: `${verdict}${gas}${time}`,
      key: 'verdict',
      fields: [
        { column: 0, text: verdict },
        { column: verdict.length, text: gas },
      ],
    },
    ...explanation.map((sentence, index) => labeled(`why ${index}`, '  ', visibleText(sentence))),
  ];
}

/** The whole value on one line, ready to be sent again. */
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

/** Precedes the previous value, and follows a new line inside a value. */
const changeMark = '←';

/**
 * The rows with changes since `before` marked in their notes: `← was 41`; inside a struct, map or cell the new lines
 * are marked. Without `before`, nothing is marked.
 */
function markChanges(rows: readonly Row[], before: readonly Row[] | undefined): Row[] {
  if (before === undefined) {
    return [...rows];
  }
  const keyOf = ({ index, name }: Row): string => `${index} ${name ?? ''}`;
  const known = new Map(before.map((row) => [keyOf(row), row]));
  return rows.map((row) => {
    const old = known.get(keyOf(row));
    if (old === undefined) {
      return { ...row, note: noted(row.note, `${changeMark} new`), changed: { lines: new Set() } };
    }
    const inside = changedInside(row.lines, old.lines);
    if (row.value === old.value && inside.size === 0 && row.lines.length === old.lines.length) {
      return row;
    }
    const was = row.value === old.value ? 'changed inside' : `was ${old.value}`;
    const lines = row.lines.map((line, index) =>
      inside.has(index) ? `${line.trimEnd()}  ${changeMark}` : line,
    );
    return { ...row, note: noted(row.note, `${changeMark} ${was}`), lines, changed: { lines: inside } };
  });
}

/** The lines that are new in the value. */
function changedInside(lines: readonly string[], before: readonly string[]): Set<number> {
  const known = new Set(before.map((line) => line.trim()));
  return new Set(lines.flatMap((line, index) => (known.has(line.trim()) ? [] : [index])));
}

function noted(note: string, mark: string): string {
  return note === '' ? mark : `${note}  ${mark}`;
}
