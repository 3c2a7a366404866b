import { Cell } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { finalFailure, isFailure } from '../recording/recording';
import type { Registers } from '../recording/followRegisters';
import type { VmValue } from '../recording/vmValue';
import { namedWords } from '../sourceMap/namedValues';
import { isTurnOver, nextTurn } from '../base/turns';
import type { AccountNames, WatchedData } from './debugValue';
import { evaluate, isTrue } from './evaluate';
import { globalOf } from './globalOf';
import type { LineSource, RunView } from './runView';
import { StopView } from './stopView';

/** When a breakpoint counts. */
export interface StopCondition {
  /** Number of the breakpoint. */
  id: number;
  /** An expression that must be true. */
  condition?: string | undefined;
  /** `3`, `>= 3`, `% 10`: of the times that it is reached with a true condition, counted from the beginning. */
  hitCondition?: string | undefined;
  /** Text that is written instead of stopping, with expressions in braces. */
  logMessage?: string | undefined;
}

/** A breakpoint at a line. */
export interface LineStop extends StopCondition {
  source: LineSource;
  line: number;
}

/** A breakpoint at a function's beginning. */
export interface FunctionStop extends StopCondition {
  name: string;
}

/** A breakpoint at an instruction. */
export interface InstructionStop extends StopCondition {
  /** Hash of its code cell, lowercase hex. */
  cell: string;
  offset: number;
}

/** A breakpoint at a change of a value. */
export interface DataStop extends StopCondition {
  data: WatchedData;
}

/** Which exceptions stop. */
export type ExceptionStop = 'all' | 'uncaught' | 'failedAction';

/** Where a session stops. */
export interface StopRules {
  lines: readonly LineStop[];
  functions: readonly FunctionStop[];
  instructions: readonly InstructionStop[];
  data: readonly DataStop[];
  exceptions: ReadonlySet<ExceptionStop>;
}

/** Why an execution stops at a step. */
export type StopReason =
  'breakpoint' | 'function breakpoint' | 'instruction breakpoint' | 'data breakpoint' | 'exception';

/** A step at which an execution stops, forward and backward. */
export interface Stop {
  step: number;
  reason: StopReason;
  /** The breakpoints that it is for. */
  ids: readonly number[];
  /** Texts of log points that are passed there. */
  logs: readonly string[];
  /** Whether it stops; false if it only writes. */
  isStop: boolean;
}

/**
 * All steps at which an execution stops, ascending. They do not depend on the direction in which it is walked through:
 * hits are counted from the beginning.
 *
 * @param onError called with what is wrong with a condition, in a sentence
 */
export async function findStops(
  view: RunView,
  rules: StopRules,
  nameOf: AccountNames,
  onError: (message: string) => void,
): Promise<Stop[]> {
  const candidates = [
    ...lineCandidates(view, rules.lines),
    ...functionCandidates(view, rules.functions),
    ...instructionCandidates(view, rules.instructions),
    ...(await dataCandidates(view, rules.data)),
    ...exceptionCandidates(view, rules.exceptions),
  ].sort((one, other) => one.step - other.step);
  const hits = new Map<StopCondition, number>();
  const stops = new Map<number, Stop>();
  for (const { step, reason, rule } of candidates) {
    if (rule === undefined || holds(view, step, { rule, hits, nameOf, onError })) {
      const before = stops.get(step);
      const isLog = rule?.logMessage !== undefined;
      stops.set(step, {
        step,
        reason: before?.isStop === true ? before.reason : reason,
        ids: [...(before?.ids ?? []), ...(rule === undefined || isLog ? [] : [rule.id])],
        logs: [
          ...(before?.logs ?? []),
          ...(rule?.logMessage === undefined ? [] : [logText(view, step, rule.logMessage, nameOf)]),
        ],
        isStop: before?.isStop === true || !isLog,
      });
    }
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return [...stops.values()];
}

interface Candidate {
  step: number;
  reason: StopReason;
  rule?: StopCondition;
}

function lineCandidates(view: RunView, rules: readonly LineStop[]): Candidate[] {
  return rules.flatMap((rule) =>
    view.stepsAt(rule.source, rule.line).map((step) => ({ step, reason: 'breakpoint' as const, rule })),
  );
}

function functionCandidates(view: RunView, rules: readonly FunctionStop[]): Candidate[] {
  return rules.flatMap((rule) =>
    view.calls.list
      .filter(({ name }) => isFunctionNamed(name, rule.name))
      .map(({ first }) => ({ step: first, reason: 'function breakpoint' as const, rule })),
  );
}

/** Whether a function is meant by a name: `Storage.save` also by `save`. */
export function isFunctionNamed(name: string, wanted: string): boolean {
  return name === wanted || name.endsWith(`.${wanted}`);
}

function instructionCandidates(view: RunView, rules: readonly InstructionStop[]): Candidate[] {
  return rules.flatMap((rule) => {
    const cell = view.recording.cells.indexOf(rule.cell);
    const steps = cell < 0 ? [] : view.stepsOf({ cell, offset: rule.offset });
    return steps.map((step) => ({ step, reason: 'instruction breakpoint' as const, rule }));
  });
}

async function dataCandidates(view: RunView, rules: readonly DataStop[]): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const rule of rules) {
    const steps = await findChanges(view, rule.data);
    found.push(...steps.map((step) => ({ step, reason: 'data breakpoint' as const, rule })));
  }
  return found;
}

function exceptionCandidates(
  { recording, run, steps }: RunView,
  wanted: ReadonlySet<ExceptionStop>,
): Candidate[] {
  const thrown = recording.exceptions.filter(isFailure);
  const hasFailedLater = run.failure !== undefined && finalFailure(recording) === undefined;
  return [
    ...thrown
      .filter(({ isFinal }) => wanted.has('all') || (isFinal && wanted.has('uncaught')))
      .map(({ step }) => Math.max(0, step)),
    ...(hasFailedLater && wanted.has('failedAction') ? [steps - 1] : []),
  ].map((step) => ({ step, reason: 'exception' as const }));
}

interface Holding {
  rule: StopCondition | LineStop;
  hits: Map<StopCondition, number>;
  nameOf: AccountNames;
  onError: (message: string) => void;
}

function holds(view: RunView, step: number, { rule, hits, nameOf, onError }: Holding): boolean {
  const { condition, hitCondition } = rule;
  try {
    const isMet =
      condition === undefined || isTrue(evaluate(condition, new StopView(view, step, nameOf).scope));
    if (!isMet) {
      return false;
    }
    const count = (hits.get(rule) ?? 0) + 1;
    hits.set(rule, count);
    return hitCondition === undefined || isHit(count, hitCondition);
  } catch (error) {
    const where = 'line' in rule ? ` at line ${String(rule.line)}` : '';
    onError(
      `The condition of the breakpoint${where} cannot be evaluated: ${error instanceof WorkbenchError ? error.message : String(error)}`,
    );
    // A condition that cannot be read here must not hide the stop.
    return true;
  }
}

/** @throws WorkbenchError `expression-invalid` */
function isHit(count: number, text: string): boolean {
  const [, operator = '==', number] = /^(==|>=|<=|>|<|%)? *(\d{1,9})$/.exec(text.trim()) ?? [];
  if (number === undefined) {
    throw new WorkbenchError({
      code: 'expression-invalid',
      kind: 'input',
      message: `“${text}” is not a hit count. Write a number, or one of ==, >=, <=, >, <, % and a number.`,
    });
  }
  const wanted = Number(number);
  switch (operator) {
    case '>=':
      return count >= wanted;
    case '<=':
      return count <= wanted;
    case '>':
      return count > wanted;
    case '<':
      return count < wanted;
    case '%':
      return wanted > 0 && count % wanted === 0;
    default:
      return count === wanted;
  }
}

function logText(view: RunView, step: number, message: string, nameOf: AccountNames): string {
  const { scope } = new StopView(view, step, nameOf);
  return message.replace(/\{([^{}]*)\}/g, (_, expression: string) => {
    try {
      return evaluate(expression, scope).text;
    } catch (error) {
      return `{${error instanceof WorkbenchError ? error.message : String(error)}}`;
    }
  });
}

/** The first steps that see another value, ascending. */
export function findChanges(view: RunView, data: WatchedData): Promise<number[]> {
  return data.kind === 'name'
    ? nameChanges(view, data)
    : registerChanges(view, (registers) => readRegister(registers, data));
}

function readRegister(
  registers: Registers | undefined,
  data: Exclude<WatchedData, { kind: 'name' }>,
): Registers['c4' | 'c7'] | VmValue {
  return data.kind === 'global' ? globalOf(registers?.c7, data.index, data.part) : registers?.[data.kind];
}

async function registerChanges(
  { recording, run, steps }: RunView,
  read: (registers: Registers | undefined) => unknown,
): Promise<number[]> {
  const after = [...recording.writes, ...recording.exceptions.map(({ step }) => step)].map(
    (step) => step + 1,
  );
  const changes: number[] = [];
  let before = shown(read(run.registers?.before(0)));
  for (const step of [...new Set(after)].sort((one, other) => one - other)) {
    if (step < steps) {
      const now = shown(read(run.registers?.before(step)));
      if (now !== before) {
        changes.push(step);
      }
      before = now;
    }
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return changes;
}

/** Equal values have equal texts; cells are equal if their hashes are. */
function shown(value: unknown): string {
  return value === undefined
    ? 'unknown'
    : JSON.stringify(value instanceof Cell ? hashOf(value) : value, (_, part: unknown) =>
        typeof part === 'bigint' ? String(part) : part instanceof Cell ? hashOf(part) : part,
      );
}

function hashOf(cell: Cell): string {
  return cell.hash().toString('hex');
}

/** Compares a variable, or each field of a struct, with its last value in the same run of the function. */
async function nameChanges(
  { calls, steps, run }: RunView,
  { function: around, name }: Extract<WatchedData, { kind: 'name' }>,
): Promise<number[]> {
  const { lines } = run;
  const changes: number[] = [];
  /** By run of the function: the last values of the variable and of its fields. */
  const last = new Map<number, Map<string, string>>();
  for (let step = 0; lines !== undefined && step < steps; step += 1) {
    const at = calls.at[step] ?? -1;
    if (calls.list[at]?.name === around) {
      const known = last.get(at) ?? new Map<string, string>();
      last.set(at, known);
      let hasChanged = false;
      for (const [field, word] of namedWords(lines, step)) {
        if (field === name || field.startsWith(`${name}.`)) {
          hasChanged ||= known.has(field) && known.get(field) !== word;
          known.set(field, word);
        }
      }
      if (hasChanged) {
        changes.push(step);
      }
    }
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return changes;
}
