import type { Cell } from '@ton/core';
import { createHash } from 'node:crypto';
import type { Recording } from './recording';
import { finalFailure, instructionAt, isOwnStep, stackTextAt } from './recording';
import type { TryHandler, VmValue } from './vmValue';
import { actionCell, readTopValues, readTryHandler } from './vmValue';

/** Registers at a moment of an execution; a part is undefined if the log does not tell. */
export interface Registers {
  /** The account's data. */
  c4: Cell | undefined;
  /** The list of actions. */
  c5: Cell | undefined;
  /** The globals; the first is the tuple of the transaction's surroundings. */
  c7: readonly VmValue[] | undefined;
}

/** The registers c4, c5, and c7 of an execution, at each step. */
export interface RegisterHistory {
  /** Before a step's instruction; `steps` of the recording is the end of the execution. */
  before(step: number): Registers;
  /** What the VM hands over: c4 and c5 at the end, or as they were committed if an exception ended the execution. */
  committed(): Pick<Registers, 'c4' | 'c5'>;
}

interface State {
  /** First step that sees it. */
  from: number;
  c4: Register<Cell>;
  c5: Register<Cell>;
  c7: Register<readonly VmValue[]>;
}

/** Place of the random seed in the first global. */
const seedPlace = 6;
/** Instructions that set registers by number, keep them in continuations, or run a child VM. */
const writesUnseen = /^(?:POPCTRX|POPSAVE|SAVE\w* c[457]|SET\w*CTR(?:X|MANYX?| c[457])|RUNVM)/;

/**
 * Follows c4, c5, and c7 through an execution. The log does not print them: they are computed from the instructions that
 * write them. Where that is impossible (steps that the log has lost, child VMs, registers saved in continuations by
 * hand), they are undefined until they are written anew.
 *
 * @param start the registers before the first step
 */
export function followRegisters(recording: Recording, start: Registers): RegisterHistory {
  const known = recording.stepsMissing === 0;
  const first: State = {
    from: 0,
    c4: Register.of(() => (known ? start.c4 : undefined)),
    c5: Register.of(() => (known ? start.c5 : undefined)),
    c7: Register.of(() => (known ? start.c7 : undefined)),
  };
  const states: [State, ...State[]] = [first];
  const now = (): State => states.at(-1) ?? first;
  const caught = recording.exceptions.filter(({ isFinal }) => !isFinal).map(({ step }) => step);
  let committed: Pick<State, 'c4' | 'c5'> = first;
  const tries: number[] = [];
  const restoreUntil = (step: number): void => {
    for (let at = caught[0]; at !== undefined && at < step; at = caught[0]) {
      caught.shift();
      const handler = takeHandler(recording, tries, at);
      states.push({ ...restored(now(), handler), from: at + 1 });
    }
  };
  for (const [index, step] of recording.writes.entries()) {
    restoreUntil(step);
    if (isOwnStep(recording, step + 1)) {
      continue;
    }
    const instruction = instructionAt(recording, step);
    if (instruction.startsWith('COMMIT')) {
      committed = now();
    } else if (instruction.startsWith('TRY')) {
      tries.push(step);
    } else if (!isForTry(recording, index)) {
      states.push({ ...now(), ...changeOf(recording, step, now()), from: step + 1 });
    }
  }
  restoreUntil(recording.steps);
  const hasFailed = finalFailure(recording) !== undefined;
  return {
    before: (step) => {
      const { c4, c5, c7 } = stateAt(states, step);
      return { c4: c4.value(), c5: c5.value(), c7: c7.value() };
    },
    committed: () => {
      const { c4, c5 } = hasFailed ? committed : now();
      return { c4: c4.value(), c5: c5.value() };
    },
  };
}

/**
 * The handler of the TRY that caught an exception: of the newest one whose code goes on there. TRYs that are newer than
 * it are over. Undefined if the log does not tell.
 */
function takeHandler(recording: Recording, tries: number[], exception: number): TryHandler | undefined {
  const { cell, offset, cells } = recording;
  const next = exception + 1;
  const hash = cells[cell[next] ?? -1];
  while (tries.length > 0) {
    const handler = handlerAt(recording, tries.pop() ?? 0);
    // An empty handler returns at once, which has no position.
    if (hash === undefined ? tries.length === 0 : handler?.cell === hash && handler.offset === offset[next]) {
      return handler;
    }
  }
  return undefined;
}

/** The continuation on top of the stack. */
function handlerAt(recording: Recording, step: number): TryHandler | undefined {
  const stack = stackTextAt(recording, step).trimEnd();
  return readTryHandler(stack.slice(stack.lastIndexOf(' ') + 1));
}

function restored(now: State, handler: TryHandler | undefined): Omit<State, 'from'> {
  if (handler === undefined) {
    return unknownState();
  }
  const { saved } = handler;
  return {
    c4: saved.has(4) ? Register.of(() => cellOf(saved.get(4))) : now.c4,
    c5: saved.has(5) ? Register.of(() => cellOf(saved.get(5))) : now.c5,
    c7: saved.has(7) ? Register.of(() => itemsOf(saved.get(7))) : now.c7,
  };
}

/**
 * Whether an instruction may write registers so that the log does not tell what.
 *
 * @param index of its step among the writes of the recording
 */
export function mayWriteUnseen(recording: Recording, index: number): boolean {
  const name = instructionAt(recording, recording.writes[index] ?? recording.steps);
  return writesUnseen.test(name) && !isForTry(recording, index);
}

/** Whether an instruction only prepares the handler of a TRY: no other comes between. */
function isForTry(recording: Recording, index: number): boolean {
  const name = (at: number): string => instructionAt(recording, recording.writes[at] ?? recording.steps);
  let next = index;
  while (name(next).startsWith('SETCONT')) {
    next += 1;
  }
  return next > index && name(next).startsWith('TRY');
}

function unknownState(): Omit<State, 'from'> {
  const unknown = (): undefined => undefined;
  return {
    c4: Register.of<Cell>(unknown),
    c5: Register.of<Cell>(unknown),
    c7: Register.of<readonly VmValue[]>(unknown),
  };
}

/** What a step's instruction makes of the registers. */
function changeOf(recording: Recording, step: number, { c5, c7 }: State): Partial<State> {
  const instruction = instructionAt(recording, step);
  const stack = (): string => stackTextAt(recording, step);
  const top = (): VmValue | undefined => readTopValues(stack(), 1)[0];
  if (writesUnseen.test(instruction)) {
    return unknownState();
  }
  const [, global] = /^SETGLOB (\d+)$/.exec(instruction) ?? [];
  if (global !== undefined) {
    return { c7: c7.changed((globals) => withGlobal(globals, Number(global), top())) };
  }
  switch (instruction) {
    case 'POP c4':
      return { c4: Register.of(() => cellOf(top())) };
    case 'POP c5':
      return { c5: Register.of(() => cellOf(top())) };
    case 'POP c7':
      return { c7: Register.of(() => itemsOf(top())) };
    case 'SETGLOBVAR':
      return {
        c7: c7.changed((globals) => {
          const [value, index] = readTopValues(stack(), 2);
          return index?.type === 'int' ? withGlobal(globals, Number(index.value), value) : undefined;
        }),
      };
    case 'RANDU256':
    case 'RAND':
      return {
        c7: c7.changed((globals) => withSeed(globals, (seed) => hashed('sha512', seed).subarray(0, 32))),
      };
    case 'SETRAND':
      return { c7: c7.changed((globals) => withSeed(globals, () => seedBytes(top()))) };
    case 'ADDRAND':
      return {
        c7: c7.changed((globals) =>
          withSeed(globals, (seed) => {
            const more = seedBytes(top());
            return more === undefined ? undefined : hashed('sha256', Buffer.concat([seed, more]));
          }),
        ),
      };
  }
  return { c5: c5.changed((list) => actionCell(list, instruction, stack()) ?? list) };
}

function withGlobal(
  globals: readonly VmValue[],
  index: number,
  value: VmValue | undefined,
): readonly VmValue[] | undefined {
  if (value === undefined || (value.type === 'null' && index >= globals.length)) {
    return value === undefined ? undefined : globals;
  }
  const padding = Array.from(
    { length: Math.max(0, index - globals.length) },
    () => ({ type: 'null' }) as const,
  );
  return Object.assign([...globals, ...padding], { [index]: value });
}

function withSeed(
  globals: readonly VmValue[],
  change: (seed: Buffer) => Buffer | undefined,
): readonly VmValue[] | undefined {
  if (globals[0]?.type === 'unknown') {
    return globals;
  }
  const surroundings = itemsOf(globals[0]);
  const seed = seedBytes(surroundings?.[seedPlace]);
  const changed = seed === undefined ? undefined : change(seed);
  if (surroundings === undefined || changed === undefined) {
    return undefined;
  }
  const value = BigInt(`0x${changed.toString('hex')}`);
  const items = Object.assign([...surroundings], { [seedPlace]: { type: 'int', value } as const });
  return [{ type: 'tuple', items }, ...globals.slice(1)];
}

function seedBytes(value: VmValue | undefined): Buffer | undefined {
  return value?.type === 'int' ? Buffer.from(value.value.toString(16).padStart(64, '0'), 'hex') : undefined;
}

function hashed(algorithm: 'sha256' | 'sha512', bytes: Buffer): Buffer {
  return createHash(algorithm).update(bytes).digest();
}

function cellOf(value: VmValue | undefined): Cell | undefined {
  return value?.type === 'cell' ? value.cell : undefined;
}

function itemsOf(value: VmValue | undefined): readonly VmValue[] | undefined {
  return value?.type === 'tuple' ? value.items : undefined;
}

/** The state that a step sees. */
function stateAt(states: readonly [State, ...State[]], step: number): State {
  let [low, high] = [0, states.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((states[middle]?.from ?? 0) <= step) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return states[low] ?? states[0];
}

/**
 * A register after one of its changes: worked out when somebody asks, from the nearest value before that is known.
 */
class Register<T> {
  private known: { value: T | undefined } | undefined;

  private constructor(
    private readonly previous: Register<T> | undefined,
    private readonly change: (before: T | undefined) => T | undefined,
  ) {}

  /** A value that does not depend on the one before. */
  static of<T>(read: () => T | undefined): Register<T> {
    return new Register<T>(undefined, read);
  }

  /** The register after a change of a known value; an unknown one stays unknown. */
  changed(change: (before: T) => T | undefined): Register<T> {
    return new Register<T>(this, (before) => (before === undefined ? undefined : change(before)));
  }

  /** Undefined if unknown. */
  value(): T | undefined {
    this.known ??= { value: Register.work(this) };
    return this.known.value;
  }

  /** Without recursion: an execution may change a register tens of thousands of times. */
  private static work<T>(register: Register<T>): T | undefined {
    const changes: Register<T>[] = [];
    let nearest: Register<T> | undefined = register;
    while (nearest !== undefined && nearest.known === undefined) {
      changes.push(nearest);
      nearest = nearest.previous;
    }
    return changes.reduceRight((value, { change }) => change(value), nearest?.known?.value);
  }
}
