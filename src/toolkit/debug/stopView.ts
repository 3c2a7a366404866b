import { knownValues } from '../sourceMap/knownValues';
import type { KnownValue } from '../sourceMap/knownValues';
import { splitStack } from '../recording/splitStack';
import { stackTextAt } from '../recording/recording';
import { formatInteger } from '../trace/figures';
import {
  actionsValue,
  bodyValue,
  cellValue,
  fieldValue,
  unknownValue,
  vmValue,
  wordValue,
} from './debugValues';
import { constantOf } from './constantOf';
import { typedValue } from './typedValue';
import type { AccountNames, DebugValue, DebugVariable } from './debugValues';
import type { EvaluationScope } from './evaluate';
import { foldParts } from './foldParts';
import { globalVariable, slotsValue } from './globalVariables';
import type { RunView } from './runView';
import { whyUnknown } from './whyUnknown';

/** What can be seen at a step of an execution. */
export class StopView {
  readonly #stack: readonly string[];
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
  ) {
    this.#stack = splitStack(stackTextAt(view.recording, step));
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
    const parts = known.map((one) => ({ name: one.path, value: this.#valueOf(one) }));
    return foldParts(parts, (name) => {
      const own = known.find(({ path }) => path === name);
      return around === undefined || own?.from === 'message'
        ? undefined
        : { kind: 'name', function: around, name: own?.slot ?? name };
    });
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
      [...this.locals(), ...this.globals()].find((variable) => variable.name === name)?.value ??
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
