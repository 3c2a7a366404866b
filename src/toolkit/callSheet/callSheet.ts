import type { AbiType } from '../contracts/abi/abiType';
import { slotsOf } from '../contracts/abi/abiType';
import { WorkbenchError } from '../base/errors';
import type { StackValue } from '../stack/stackValue';
import { visibleText } from '../base/text';

/** A part of the text, in UTF-16 code units. */
export interface Place {
  offset: number;
  length: number;
}

/** An error in the text. */
export interface CallSheetProblem extends Place {
  /** A whole sentence. */
  message: string;
  /** The fix: a whole sentence. */
  suggestion?: string | undefined;
  /**
   * The value was read without names and types; once they are known, it may turn out valid or get a better
   * message.
   */
  isUntyped?: true;
}

/** A piece of text and its position. */
export interface PlacedText extends Place {
  text: string;
}

/** `target method(arguments)`. */
export interface MethodCall extends Place {
  target: PlacedText;
  method: PlacedText;
  /** The text between the brackets. */
  arguments: PlacedText;
}

/** One step into an answer: `.count`, `.0` (of a tuple), `[bob]` (of a map). */
export type PathPart = { kind: 'name' | 'key'; at: PlacedText };

/** A part of another call's answer: `vault info().limits.perTransfer`. */
export interface AnswerPart {
  call: MethodCall;
  /** Empty: the whole answer. */
  path: PathPart[];
}

/** `@name = value`: stack text of one value, most often an address; or a part of an answer. */
export interface SheetVariable {
  name: PlacedText;
  value: PlacedText;
  /** The value is read from this answer when the run gets here. */
  answer?: AnswerPart;
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>=';

/** What an expectation is about. */
export type ExpectedSubject =
  | { kind: 'exit' | 'gas' }
  /** `expect fails`: has neither a comparison nor a value. */
  | { kind: 'fails' }
  /** An entry of the call's stack by its number; `1.0` is inside a tuple. */
  | { kind: 'entry'; path: number[] }
  /** A field of the call's own answer. */
  | { kind: 'field'; path: PathPart[] }
  /** Another call's answer. */
  | ({ kind: 'answer' } & AnswerPart);

/** `expect exit 0`, `expect gas < 5000`, `expect 0 == 42`, `expect count == 1`, `expect vault info().count == 1`. */
export interface Expectation extends Place {
  subject: ExpectedSubject;
  comparison: Comparison;
  /** One value, of the type that it is compared with; for exit codes also their names. */
  value: PlacedText;
}

/** `@concurrent`, or `@concurrent 2.1.3` for one order of deliveries. */
export interface ConcurrentMark extends Place {
  order?: PlacedText;
}

/** What all steps have in common. */
interface StepBase extends Place {
  /** The text after `###`, or what the step does. */
  title: string;
  /** The line of the step itself, counted from 1. */
  lineNumber: number;
  /** Position of the `###` line, or of the step itself: the place for lenses. */
  header: Place;
  /** Steps below the same `###` line have the same number. */
  scenario: number;
  /** The scenario's title; absent if there is no `###` line. */
  scenarioTitle?: string;
  /** `@network` of this scenario only. */
  network?: PlacedText;
  /** `@restore` of this scenario. */
  restore?: Place;
  /** `@concurrent` of this scenario: its messages are under way together. */
  concurrent?: ConcurrentMark;
  expectations: Expectation[];
}

/** A get-method call. */
export interface SheetCall extends StepBase, MethodCall {
  kind: 'call';
}

/** `send …`: a composed message, sent and followed to its end. */
export interface SheetSend extends StepBase {
  kind: 'send';
  /** Without the word `send`. */
  line: PlacedText;
}

/** `deploy FILE {data} as NAME`. */
export interface SheetDeploy extends StepBase {
  kind: 'deploy';
  file: PlacedText;
  /** The fields of the storage, or a cell. */
  data?: PlacedText;
  /** Stack text of coins; default `1ton`. */
  value?: PlacedText;
  name: PlacedText;
  /** The wallet that pays; default: the first one. */
  from?: PlacedText;
}

/** `replay FILE with SOURCE`: runs a saved transaction again, with the code that the source has now. No network is asked. */
export interface SheetReplay extends StepBase {
  kind: 'replay';
  /** The `*.tonreplay` file. */
  file: PlacedText;
  /** Without one, the code is that of the saved state. */
  source?: PlacedText;
}

/** Expectations about answers, with no call or message above them. */
export interface SheetCheck extends StepBase {
  kind: 'check';
}

export type SheetStep = SheetCall | SheetSend | SheetDeploy | SheetReplay | SheetCheck;

/** A parsed sheet. */
export interface CallSheet {
  /** `@network` above the first step. */
  network?: PlacedText;
  /** `@restore` above the first step: undo the run's changes to the local network. */
  restore?: Place;
  variables: SheetVariable[];
  /** In the order of the text. */
  steps: SheetStep[];
  /** The steps that call a get-method. */
  calls: SheetCall[];
  problems: CallSheetProblem[];
}

/** The problems that prevent a step from running: those in its own lines, and those above all steps. */
export function problemsOfStep({ steps, problems }: CallSheet, step: SheetStep): CallSheetProblem[] {
  return problems.filter(({ offset }) => {
    const owner = steps.findLast((one) => Math.min(one.header.offset, one.offset) <= offset);
    return owner === undefined || owner === step;
  });
}

/** What a step does, in a few words: `seqno on alice`. */
export function stepName(step: SheetStep): string {
  switch (step.kind) {
    case 'call':
      return visibleText(`${step.method.text} on ${step.target.text}`);
    case 'send':
      return visibleText(`send ${/^\S+(?:\s+[A-Za-z]\w*(?=\s*\{))?/.exec(step.line.text)?.[0] ?? ''}`);
    case 'deploy':
      return visibleText(`deploy ${step.name.text}`);
    case 'replay':
      return visibleText(`replay ${step.file.text}`);
    case 'check':
      return visibleText(step.title);
  }
}

/**
 * The names that can follow in a path: fields of a struct, indexes of a tuple; undefined if that depends on
 * the answer.
 */
export function partNames(at: AbiType): string[] | undefined {
  const type = plainType(at);
  switch (type.kind) {
    case 'struct':
      return type.fields.map(({ name }) => name);
    case 'tensor':
    case 'typedTuple':
      return type.items.map((_, index) => String(index));
    case 'cellOf':
      return partNames(type.inner);
    case 'unknown':
    case 'named':
    case 'list':
    case 'array':
    case 'union':
    case 'tuple':
      return undefined;
    default:
      return [];
  }
}

/** The type of a field or of an item. */
export function partType(at: AbiType, name: string): AbiType | undefined {
  const type = plainType(at);
  switch (type.kind) {
    case 'struct':
      return type.fields.find((field) => field.name === name)?.type;
    case 'tensor':
    case 'typedTuple':
      return type.items[Number(name)];
    case 'list':
    case 'array':
      return type.inner;
    case 'cellOf':
      return partType(type.inner, name);
    default:
      return undefined;
  }
}

/** The underlying type of a nullable one; other types are returned as they are. */
export function plainType(type: AbiType): AbiType {
  return type.kind === 'nullable' ? plainType(type.inner) : type;
}

/**
 * The path by names to an entry of the stack; undefined if the types do not say which part of the answer it
 * is, so that only the entry itself can be used.
 */
export function entryPath(result: AbiType | undefined, path: readonly number[]): PathPart[] | undefined {
  if (result === undefined || result.kind === 'unknown') {
    return undefined;
  }
  const isSpread = result.kind === 'tensor' || (result.kind === 'struct' && result.asTuple !== true);
  // An answer with a single value has only entry 0.
  const steps = isSpread ? path : path.slice(1);
  if (!isSpread && path[0] !== 0) {
    return undefined;
  }
  const parts: PathPart[] = [];
  let type: AbiType = result;
  for (const index of steps) {
    const names = partNames(type);
    const isEven = names?.every((name) => slotsOf(partType(type, name) ?? { kind: 'void' }) === 1);
    const name = names?.[index];
    const next: AbiType | undefined = name === undefined ? undefined : partType(type, name);
    if (isEven !== true || name === undefined || next === undefined) {
      return undefined;
    }
    parts.push({ kind: 'name', at: { text: name, offset: 0, length: 0 } });
    type = next;
  }
  return parts;
}

/** Compares two numbers with an operator. */
export function compareNumbers(comparison: Comparison, a: bigint, b: bigint): boolean {
  switch (comparison) {
    case '==':
      return a === b;
    case '!=':
      return a !== b;
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

/** What was expected, for a sentence: `40`, `not 40`, `at least 40`. */
export function expectedWords(comparison: Comparison, text: string): string {
  const words = {
    '==': '',
    '!=': 'not ',
    '<': 'less than ',
    '<=': 'at most ',
    '>': 'more than ',
    '>=': 'at least ',
  };
  return words[comparison] + text;
}

/**
 * Whether two values are equal. The APIs do not always distinguish slices from cells, so only bits and
 * references count; the empty list is null.
 */
export function isSameStack(a: StackValue, b: StackValue): boolean {
  if (isEmptyList(a) && isEmptyList(b)) {
    return true;
  }
  if ('cell' in a && 'cell' in b) {
    return a.cell.equals(b.cell);
  }
  if (a.type !== b.type) {
    return false;
  }
  if ('items' in a && 'items' in b) {
    const others = b.items;
    return a.items.length === others.length && a.items.every((item, index) => isSameAt(item, others[index]));
  }
  return a.type === 'int' && b.type === 'int' ? a.value === b.value : a.type === 'nan';
}

function isSameAt(a: StackValue, b: StackValue | undefined): boolean {
  return b !== undefined && isSameStack(a, b);
}

function isEmptyList(value: StackValue): boolean {
  return value.type === 'null' || (value.type === 'list' && value.items.length === 0);
}

/** An error and its position in the text. */
interface PlacedError {
  error: WorkbenchError;
  offset: number;
  length: number;
}

/** The position of an error in a text; rethrows any other error. */
export function placedError(error: unknown): PlacedError {
  if (!WorkbenchError.is(error) || typeof error.details.offset !== 'number') {
    throw error;
  }
  const { offset, length = 0 } = error.details as { offset: number; length?: number };
  return { error, offset, length };
}
