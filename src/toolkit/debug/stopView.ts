import { namedWords } from '../sourceMap/namedValues';
import { splitStack } from '../recording/splitStack';
import { stackTextAt } from '../recording/recording';
import { formatInteger } from '../trace/figures';
import { actionsValue, bodyValue, cellValue, unknownValue, vmValue, wordValue } from './debugValues';
import type { AccountNames, DebugValue, DebugVariable } from './debugValues';
import type { EvaluationScope } from './evaluate';
import { foldParts } from './foldParts';
import type { NamedPart } from './foldParts';
import { globalVariable, slotsValue } from './globalVariables';
import type { RunView } from './runView';

/** How many steps back a variable is looked for that is no longer on the stack. */
const farthest = 2_000;

/** What can be seen at a step of an execution. */
export class StopView {
  readonly #stack: readonly string[];
  readonly #named: ReadonlyMap<string, string>;

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
    const { lines } = view.run;
    this.#named = lines === undefined ? new Map() : namedWords(lines, step);
  }

  /** For expressions. */
  get scope(): EvaluationScope {
    return { find: (name) => this.#find(name), nameOf: this.nameOf };
  }

  /**
   * The variables that the source names; those with a dot in their names are parts of a struct. Those that are no longer
   * on the stack follow, with the value that they had last.
   */
  locals(): DebugVariable[] {
    const part =
      (isPast: boolean) =>
      ([name, word]: [string, string]): NamedPart => {
        const value = wordValue(word, this.nameOf);
        return { name, value: isPast ? { ...value, text: `${value.text} (last seen)` } : value };
      };
    const { calls } = this.view;
    const around = calls.list[calls.at[this.step] ?? -1]?.name;
    return foldParts([...[...this.#named].map(part(false)), ...[...this.#past()].map(part(true))], (name) =>
      around === undefined ? undefined : { kind: 'name', function: around, name },
    );
  }

  /** Variables of the function that are no longer on the stack: nothing can have changed them since. */
  #past(): ReadonlyMap<string, string> {
    const { lines } = this.view.run;
    const { calls } = this.view;
    const here = calls.at[this.step];
    const first = Math.max(calls.list[here ?? -1]?.first ?? 0, this.step - farthest);
    const past = new Map<string, string>();
    // Lists of names whose values are known: steps share them.
    const known = new Set<number>([-1]);
    for (let step = this.step - 1; lines !== undefined && step >= first; step -= 1) {
      const names = lines.names[step] ?? -1;
      if (calls.at[step] !== here || known.has(names)) {
        continue;
      }
      known.add(names);
      for (const [name, word] of namedWords(lines, step)) {
        if (!this.#named.has(name) && !past.has(name)) {
          past.set(name, word);
        }
      }
    }
    return past;
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
    const word = this.#named.get(name);
    if (word !== undefined) {
      return wordValue(word, this.nameOf);
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
    const value = this.view.run.constants.get(name);
    return value === undefined ? undefined : vmValue({ type: 'int', value: BigInt(value) }, this.nameOf);
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
