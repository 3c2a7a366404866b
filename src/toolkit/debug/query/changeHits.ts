import { WorkbenchError } from '../../base/errors';
import { isTurnOver, nextTurn } from '../../base/turns';
import type { Registers } from '../../recording/followRegisters';
import { variablesOf } from '../../sourceMap/knownValues';
import { placeAt } from '../../sourceMap/mapSteps';
import type { SourcePlace } from '../../sourceMap/sourceMap';
import type { DebugValue } from '../debugValue';
import { foldParts, shownText } from '../debugValue';
import { evaluate, expressionNames } from '../evaluate';
import type { RunView } from '../runView';
import { StopView, typedValue } from '../stopView';
import { difference, shortChanges } from '../valueChangeText';
import { valueAt } from './lineHits';
import type { LocalWord } from './localWords';
import { LocalWords } from './localWords';
import type { AskedRun, FoundHit, RunHits } from './queryHit';

/** How many times a value that is not on the stack, such as a field of the message, is looked up in an execution. */
const mostLookups = 300;

/**
 * The steps at which an expression has another value than before, and those at which it has its first: each call of a
 * function has variables of its own, while registers and globals are those of the execution. The step is the first that
 * sees the value; its line is the one that made it.
 */
export async function changeHits(run: AskedRun, expression: string): Promise<RunHits> {
  const { view, nameOf } = run;
  const watch = new Watched(run, expression);
  const hits: FoundHit[] = [];
  const last = new Map<number, DebugValue>();
  for (let step = 0; step < view.steps; step += 1) {
    const now = watch.valueIfChanged(step);
    const call = watch.isLocal ? (view.calls.at[step] ?? -1) : -1;
    const before = last.get(call);
    const changes = now === undefined || before === undefined ? [] : difference(expression, before, now);
    if (now !== undefined && (before === undefined || changes.length > 0)) {
      last.set(call, now);
      hits.push({
        step,
        tell: () => ({
          title: before === undefined ? `${expression} = ${shownText(now)}` : shortChanges(changes),
          values: [{ name: expression, value: shownText(now), before: before && shownText(before) }],
          place: madeAt(view, step, watch.isLocal),
        }),
      });
    }
    if ((step & 0xff) === 0 && isTurnOver()) {
      await nextTurn();
    }
  }
  const { why } = hits.length > 0 ? {} : valueAt(view, view.failedStep ?? view.steps - 1, expression, nameOf);
  return {
    hits,
    notes: [
      ...(why === undefined ? [] : [`${why}.`]),
      ...(watch.lookupsLeft > 0
        ? []
        : [
            `What ${expression} was is known for its first ${mostLookups} places only: it is not on the stack.`,
          ]),
    ],
    ...(hits.length === 0 && { instead: [] }),
  };
}

/** The line that made a value: before the step, in the same function; for a register, in whatever function. */
function madeAt(
  { run: { lines }, calls: { at } }: RunView,
  step: number,
  isLocal: boolean,
): SourcePlace | undefined {
  if (lines === undefined) {
    return undefined;
  }
  let before = step - 1;
  while (isLocal && before >= 0 && at[before] !== at[step]) {
    before -= 1;
  }
  return placeAt(lines, before) ?? placeAt(lines, step);
}

/** The value of an expression, worked out only where something has changed that it names. */
class Watched {
  /** Whether it names variables of functions. */
  readonly isLocal: boolean;
  lookupsLeft = mostLookups;
  readonly #words: LocalWords;
  readonly #locals: readonly string[];
  readonly #readsRegisters: boolean;
  readonly #reads: readonly (keyof Registers)[];
  /** Steps before which a register was written. */
  readonly #written: ReadonlySet<number>;
  /** How often registers were written so far, and how often by call of a function when it was looked at last. */
  #writes = 0;
  readonly #writesSeen = new Map<number, number>();
  #general = new Map<string, DebugValue | undefined>();
  #registers: Partial<Registers> = {};
  readonly #given = new Map<string, DebugValue>();
  /** By place: whether its function has a variable that may be known without being on the stack. */
  readonly #declares = new Map<number, boolean>();
  /** Places at which values were looked for that are not on the stack. */
  readonly #tried = new Set<string>();

  constructor(
    private readonly run: AskedRun,
    private readonly expression: string,
  ) {
    const { recording, run: ran } = run.view;
    const general = new Set([
      ...['c4', 'c5', 'c7'],
      ...(ran.lines?.map.globals ?? []).map(({ name }) => name),
      ...(ran.lines?.map.constants ?? []).map(({ name }) => name),
      ...ran.constants.keys(),
    ]);
    const names = expressionNames(expression);
    this.#locals = names.filter((name) => !general.has(headOf(name)));
    this.isLocal = this.#locals.length > 0;
    this.#readsRegisters = this.#locals.length < names.length || names.length === 0;
    const heads = new Set(names.map(headOf));
    const readsGlobals = ran.lines?.map.globals.some(({ name }) => heads.has(name)) === true;
    this.#reads = (['c4', 'c5', 'c7'] as const).filter(
      (one) => heads.has(one) || (one === 'c7' && readsGlobals),
    );
    this.#words = new LocalWords(run.view, this.#locals);
    const writes = [...recording.writes, ...recording.exceptions.map(({ step }) => step)];
    this.#written = new Set(this.#readsRegisters ? writes.map((step) => step + 1) : []);
  }

  /** Its value before a step, if it may be another than it was; undefined if it is not, or has none. */
  valueIfChanged(step: number): DebugValue | undefined {
    const call = this.run.view.calls.at[step] ?? -1;
    const hasMoved = this.isLocal && this.#words.moveTo(step);
    if (this.#written.has(step)) {
      this.#noteWrites(step);
    }
    const key = this.isLocal ? call : -1;
    const isWritten = this.#readsRegisters && this.#writesSeen.get(key) !== this.#writes;
    if (!hasMoved && !isWritten && !this.#mayBeGiven(call)) {
      return undefined;
    }
    this.#writesSeen.set(key, this.#writes);
    const known = this.isLocal ? this.#words.known(call) : new Map<string, LocalWord>();
    if (!this.#haveAll(known, call)) {
      return undefined;
    }
    try {
      return evaluate(this.expression, {
        find: (name) => this.#find(name, step, call, known),
        nameOf: this.run.nameOf,
      });
    } catch (error) {
      if (WorkbenchError.is(error, 'expression-invalid')) {
        return undefined;
      }
      throw error;
    }
  }

  /** Notes whether one of the registers that it reads has another value. */
  #noteWrites(step: number): void {
    const now: Partial<Registers> = this.run.view.run.registers?.before(step) ?? {};
    if (this.#reads.some((register) => now[register] !== this.#registers[register])) {
      this.#writes += 1;
      this.#general = new Map();
    }
    this.#registers = now;
  }

  #find(
    name: string,
    step: number,
    call: number,
    known: ReadonlyMap<string, LocalWord>,
  ): DebugValue | undefined {
    const { nameOf, view } = this.run;
    if (!this.#locals.some((local) => headOf(local) === headOf(name))) {
      const value = this.#general.has(name)
        ? this.#general.get(name)
        : new StopView(view, step, nameOf).general(name);
      this.#general.set(name, value);
      return value;
    }
    const { layouts } = view.run.lines?.map ?? {};
    const own = known.get(name);
    if (own !== undefined) {
      return typedValue(own.word, { ...own, layouts }, nameOf);
    }
    const parts = [...known].flatMap(([path, { word, kind, cell }]) =>
      path.startsWith(`${name}.`)
        ? [{ name: path, value: typedValue(word, { kind, cell, layouts }, nameOf) }]
        : [],
    );
    return parts.length > 0 && !name.includes('.')
      ? foldParts(parts, () => undefined)[0]?.value
      : this.#lookUp(name, step, call);
  }

  /** A value that the function has though it is not on the stack: of the message, or of its caller. */
  #lookUp(name: string, step: number, call: number): DebugValue | undefined {
    const key = `${call} ${name}`;
    const known = this.#given.get(key);
    const place = this.#words.placeOf(call);
    const isTried = this.#tried.has(`${key} ${place}`);
    if (known !== undefined || isTried || !this.#declaresGiven(place) || this.lookupsLeft === 0) {
      return known;
    }
    this.#tried.add(`${key} ${place}`);
    this.lookupsLeft -= 1;
    const found = new StopView(this.run.view, step, this.run.nameOf).scope.find(name);
    if (found !== undefined) {
      this.#given.set(key, found);
    }
    return found;
  }

  /** Whether a name may be known at a place for the first time without being on the stack. */
  #mayBeGiven(call: number): boolean {
    const place = this.#words.placeOf(call);
    return (
      this.lookupsLeft > 0 &&
      this.#declaresGiven(place) &&
      this.#locals.some(
        (name) => !this.#given.has(`${call} ${name}`) && !this.#tried.has(`${call} ${name} ${place}`),
      )
    );
  }

  /** Whether a value may be known of each of its variables: to find out by evaluating costs more. */
  #haveAll(known: ReadonlyMap<string, LocalWord>, call: number): boolean {
    const heads = [...known.keys()].map(headOf);
    return (
      this.#locals.every((name) => heads.includes(headOf(name))) ||
      this.#declaresGiven(this.#words.placeOf(call))
    );
  }

  #declaresGiven(number: number): boolean {
    const known = this.#declares.get(number);
    if (known !== undefined) {
      return known;
    }
    const { map } = this.run.view.run.lines ?? {};
    const heads = new Set(this.#locals.map(headOf));
    const declares =
      map !== undefined &&
      variablesOf(map, map.places[number]).some(
        ({ name, isMessage, body, parameter }) =>
          heads.has(name) && (isMessage !== undefined || body !== undefined || parameter !== undefined),
      );
    this.#declares.set(number, declares);
    return declares;
  }
}

function headOf(path: string): string {
  return path.split('.', 1)[0] ?? '';
}
