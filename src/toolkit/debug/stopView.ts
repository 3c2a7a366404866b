import { decodeByLayout } from '../contracts/layouts/decodeByLayout';
import type { Registers } from '../recording/followRegisters';
import { stackTextAt } from '../recording/recording';
import { splitStack } from '../recording/splitStack';
import type { KnownValue } from '../sourceMap/knownValues';
import { knownValues, variablesOf } from '../sourceMap/knownValues';
import { whyUnread } from '../sourceMap/messageWords';
import { kindText } from '../sourceMap/namedValues';
import { lastWord } from '../sourceMap/sourceFunctions';
import type { SourceConstant, SourceGlobal, SourceMap, VariableSlot } from '../sourceMap/sourceMap';
import { visibleText } from '../base/text';
import { formatInteger } from '../trace/figures';
import type { AccountNames, DebugValue, DebugVariable, WatchedData } from './debugValue';
import {
  actionsValue,
  bodyValue,
  cellValue,
  fieldValue,
  foldParts,
  unknownValue,
  vmValue,
  wordValue,
} from './debugValue';
import type { EvaluationScope } from './evaluate';
import { evaluate } from './evaluate';
import { globalOf } from './globalOf';
import type { RunView } from './runView';

/** What can be seen at a step of an execution. */
export class StopView {
  #words: readonly string[] | undefined;
  #values: readonly KnownValue[] | undefined;

  /**
   * @param step of the function that is looked at
   * @param now where the execution is: registers and globals are the same for all functions in the call stack
   */
  constructor(
    private readonly view: RunView,
    private readonly step: number,
    private readonly nameOf: AccountNames,
    private readonly now = step,
  ) {}

  get #stack(): readonly string[] {
    this.#words ??= splitStack(stackTextAt(this.view.recording, this.step));
    return this.#words;
  }

  /** For expressions. */
  get scope(): EvaluationScope {
    return {
      find: (name) => this.#find(name),
      nameOf: this.nameOf,
      whyNot: (name) => whyUnknown(this.view, this.step, name),
    };
  }

  /**
   * The variables that the source names; those with a dot in their names are parts of a struct. Those that are no longer
   * on the stack follow, with the value that they had last, then those of the received message.
   */
  locals(): DebugVariable[] {
    const { calls } = this.view;
    const around = calls.list[calls.at[this.step] ?? -1]?.name;
    const known = this.#known();
    return foldParts(this.named(), (name) => {
      const own = known.find(({ path }) => path === name);
      return around === undefined || own?.from === 'message'
        ? undefined
        : { kind: 'name', function: around, name: own?.slot ?? name };
    });
  }

  /** The same, each part of a struct by itself, under the name that expressions have for it: `kept.limit`. */
  named(): DebugVariable[] {
    return this.#known().map((one) => ({ name: one.path, value: this.#valueOf(one), expression: one.path }));
  }

  #known(): readonly KnownValue[] {
    const { calls, run } = this.view;
    this.#values ??= run.lines === undefined ? [] : knownValues(run.lines, calls, this.step);
    return this.#values;
  }

  #valueOf({ word, field, kind, cell, from, changedAt }: KnownValue): DebugValue {
    const { layouts } = this.view.run.lines?.map ?? {};
    const value =
      field === undefined
        ? typedValue(word, { kind, cell, layouts }, this.nameOf)
        : fieldValue(field, this.nameOf);
    const note = {
      stack: undefined,
      past: changedAt === undefined ? 'last seen' : `last seen before line ${changedAt}`,
      message: changedAt === undefined ? 'in the message' : `in the message, before line ${changedAt}`,
      caller: changedAt === undefined ? "the caller's" : `the caller's, before line ${changedAt}`,
    }[from];
    return { ...value, note };
  }

  /** The number of slots on the stack. */
  get depth(): number {
    return this.#stack.length;
  }

  /** Slots of the stack, the top first. */
  stack(from: number, count: number): DebugVariable[] {
    const last = this.#stack.length - 1;
    const slots = this.#stack.slice(Math.max(0, last - from - count + 1), last - from + 1).reverse();
    return slots.map((word, index) => ({
      name: `s${from + index}`,
      value: wordValue(word, this.nameOf),
      expression: `s${from + index}`,
    }));
  }

  /** c4, c5, and c7; what the log does not tell says so. */
  registers(): DebugVariable[] {
    return (['c4', 'c5', 'c7'] as const).map((kind) => ({
      name: kind,
      value: this.#register(kind) ?? unknownValue,
      expression: kind,
      watched: { kind },
    }));
  }

  /** The global variables that the source names; the others are in c7, by their numbers. */
  globals(): DebugVariable[] {
    const { lines, registers } = this.view.run;
    const c7 = registers?.before(this.now).c7;
    return (lines?.map.globals ?? []).map((global) => globalVariable(global, c7, this.nameOf));
  }

  /** A variable, a global, or a register, or a part of one: `st.total`. */
  variable(path: string): DebugVariable | undefined {
    const [head = '', ...rest] = path.split('.');
    const first = [...this.locals(), ...this.globals(), ...this.registers()].find(
      ({ name }) => name === head,
    );
    return rest.reduce<DebugVariable | undefined>(
      (variable, part) => variable?.value.parts?.().find(({ name }) => name === part),
      first,
    );
  }

  /** Gas of the instruction, of the line so far, and what is left. */
  gas(): DebugVariable[] {
    const { recording, calls } = this.view;
    const own = recording.gas[this.step] ?? 0;
    let begin = this.step;
    while (begin > 0 && this.view.starts[begin] === 0 && calls.at[begin - 1] === calls.at[this.step]) {
      begin -= 1;
    }
    const ofLine = recording.gas.subarray(begin, this.step).reduce((sum, gas) => sum + gas, 0);
    const left = (recording.gasAfter[this.step] ?? 0) + own;
    const text = (value: number): DebugValue => ({ text: formatInteger(value) });
    return [
      { name: 'this instruction', value: text(own) },
      { name: 'this line so far', value: text(ofLine) },
      { name: 'left', value: text(left) },
      {
        name: 'step',
        value: {
          text: `${formatInteger(recording.stepsMissing + this.step + 1)} of ${formatInteger(recording.stepsMissing + recording.steps)}`,
        },
      },
    ];
  }

  #find(name: string): DebugValue | undefined {
    const known = this.#known().find(({ path }) => path === name);
    if (known !== undefined) {
      return this.#valueOf(known);
    }
    const [, slot] = /^s(\d{1,3})$/.exec(name) ?? [];
    const value = slot === undefined ? undefined : this.#stack[this.#stack.length - 1 - Number(slot)];
    if (value !== undefined) {
      return wordValue(value, this.nameOf);
    }
    return (
      this.#register(name) ??
      this.locals().find((variable) => variable.name === name)?.value ??
      this.general(name)
    );
  }

  /** A register, a global, or a constant: what is the same in all functions. */
  general(name: string): DebugValue | undefined {
    const { lines, registers } = this.view.run;
    const global = lines?.map.globals.find((one) => one.name === name);
    return (
      this.#register(name) ??
      (global && globalVariable(global, registers?.before(this.now).c7, this.nameOf).value) ??
      this.#constant(name)
    );
  }

  #constant(name: string): DebugValue | undefined {
    const { constants, lines } = this.view.run;
    const code = constants.get(name);
    return code === undefined
      ? constantOf(lines?.map.constants ?? [], name)
      : vmValue({ type: 'int', value: BigInt(code) }, this.nameOf);
  }

  #register(name: string): DebugValue | undefined {
    if (name !== 'c4' && name !== 'c5' && name !== 'c7') {
      return undefined;
    }
    const { registers, readStorage } = this.view.run;
    const before = registers?.before(this.now);
    if (name === 'c7') {
      return before?.c7 && slotsValue(before.c7, this.nameOf);
    }
    const cell = before?.[name];
    if (cell === undefined) {
      return undefined;
    }
    if (name === 'c5') {
      return actionsValue(cell, this.nameOf);
    }
    const plain = cellValue(cell, 'cell');
    const body = readStorage(cell);
    return body === undefined
      ? plain
      : {
          ...plain,
          text: body.name || plain.text,
          parts: () => [
            ...(bodyValue(body, this.nameOf).parts?.() ?? []),
            ...this.#beforeExecution(cell),
            { name: '(cell)', value: plain },
          ],
        };
  }

  /** The data as it was when the execution began, if it differs. */
  #beforeExecution(now: { hash: () => Buffer }): DebugVariable[] {
    const { registers, readStorage } = this.view.run;
    const first = registers?.before(0).c4;
    const body = first === undefined || first.hash().equals(now.hash()) ? undefined : readStorage(first);
    return body === undefined ? [] : [{ name: '(before)', value: bodyValue(body, this.nameOf) }];
  }
}

/** How many constants a value is computed from, one within another. */
const deepest = 20;

/** The value of a constant by the text of its source; undefined if that does not tell a number. */
function constantOf(constants: readonly SourceConstant[], name: string, depth = 0): DebugValue | undefined {
  const text = constants.find((one) => one.name === name)?.text;
  if (text === undefined || depth > deepest) {
    return undefined;
  }
  try {
    // Amounts are written otherwise in expressions.
    return evaluate(text.replaceAll(/\bton\("([\d.]{1,30})"\)/g, '$1ton'), {
      find: (other) => constantOf(constants, other, depth + 1),
      nameOf: () => undefined,
    });
  } catch {
    return undefined;
  }
}

/** What the source says about a value. */
interface ValueType extends Pick<VariableSlot, 'kind' | 'cell'>, Pick<SourceMap, 'layouts'> {}

/** An entry of a stack by its declared type: coins as coins, and a cell of a known struct with its fields. */
export function typedValue(
  word: string,
  { kind, cell, layouts }: ValueType,
  nameOf: AccountNames,
): DebugValue {
  const value = wordValue(word, nameOf);
  const text = kindText(word, kind);
  if (text !== undefined) {
    return { ...value, text, type: kind };
  }
  const layout = cell === undefined ? undefined : layouts?.structs.get(cell);
  const read = layout === undefined ? undefined : value.value?.();
  if (layout === undefined || layouts === undefined || read === undefined || !('cell' in read)) {
    return value;
  }
  const body = bodyValue(decodeByLayout(read.cell, layout, layouts), nameOf);
  return {
    ...value,
    text: body.text,
    type: `Cell<${layout.name}>`,
    parts: () => [...(body.parts?.() ?? []), { name: '(cell)', value }],
  };
}

/** Why a name has no value at a step, as the end of a sentence. */
function whyUnknown({ run, calls, recording, line }: RunView, step: number, path: string): string {
  const [name = ''] = path.split('.', 1);
  const shown = visibleText(name, 60);
  const { lines } = run;
  if (lines === undefined) {
    return 'no source is known to compile to this code, so only s0, c4, c5, and c7 have names';
  }
  const { map } = lines;
  const around = calls.list[calls.at[step] ?? -1];
  const place = map.places[line[step] ?? -1];
  const declared = variablesOf(map, place).filter((one) => one.name === name);
  const now = place?.line ?? 0;
  const variable = declared.findLast((one) => one.line <= now && now <= one.end);
  if (variable !== undefined) {
    const unread = whyUnread(recording, map, variable);
    return unread ?? `no instruction up to here has kept a value of ${shown} on the stack`;
  }
  const [later] = declared;
  if (later !== undefined) {
    return later.line > now
      ? `${shown} is declared in line ${later.line}, which comes later`
      : `${shown} is gone: it is declared in line ${later.line}, in a block that has ended`;
  }
  if (map.constants.some((one) => one.name === name)) {
    return `${shown} is a constant, but its source gives no number`;
  }
  if (map.functions.some((one) => lastWord(one.name) === name)) {
    return `${shown} is a function`;
  }
  const where = around === undefined ? 'here' : `in ${visibleText(around.name, 60)}`;
  return `there is no variable ${shown} ${where}, nor a global or a constant of this name in its sources`;
}

/** A global variable by its name in the source, structs with their fields. */
function globalVariable(
  { name, index, fields }: SourceGlobal,
  c7: Registers['c7'],
  nameOf: AccountNames,
): DebugVariable {
  const valueOf = (part?: number): DebugValue => {
    const value = globalOf(c7, index, part);
    return value === undefined ? unknownValue : vmValue(value, nameOf);
  };
  const watched = (path: string): WatchedData => {
    const at = fields.findIndex((field) => `${name}.${field}` === path);
    return { kind: 'global', index, part: at < 0 ? undefined : at };
  };
  const isSet = globalOf(c7, index)?.type !== 'null';
  const parts =
    fields.length > 0 && isSet
      ? fields.map((field, at) => ({ name: `${name}.${field}`, value: valueOf(at) }))
      : [{ name, value: valueOf() }];
  const [variable] = foldParts(parts, watched);
  return variable!;
}

/** The globals by their numbers, as c7 holds them. */
function slotsValue(c7: NonNullable<Registers['c7']>, nameOf: AccountNames): DebugValue {
  const value = vmValue({ type: 'tuple', items: c7 }, nameOf);
  return {
    ...value,
    parts: () =>
      value.parts?.().map((part, index) => ({
        ...part,
        expression: `c7${part.name}`,
        watched: { kind: 'global', index },
      })) ?? [],
  };
}
