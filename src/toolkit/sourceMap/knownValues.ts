import { groupBy } from '../base/collections';
import { escapePattern } from '../base/text';
import type { Activations } from './activations';
import { InlinedCalls } from './sourceFunctions';
import type { MappedSteps } from './mapSteps';
import { placeAt } from './mapSteps';
import type { WordlessValue } from './messageWords';
import { messageWords } from './messageWords';
import { namedWords } from './namedValues';
import type { SourceCall, SourceMap, SourcePlace, SourceVariable, VariableSlot } from './sourceMap';

/** Methods that only read, by the beginnings of their names. */
const reading = '(?:is[A-Z]|preload|remaining|get|to[A-Z]|hash)';

/** A longer line is not read: it may do anything. */
const longest = 1_000;

/** Whether a line can change a variable: it assigns it, alone or with others, or calls something on it that can. */
function assigns(text: string, variable: string): boolean {
  if (text.length > longest) {
    return true;
  }
  const code = text.replace(/(?:\/\/|;;).*/, '');
  const name = escapePattern(variable);
  const own = String.raw`(?<![\w$.?!])${name}(?![\w$?!])`;
  return (
    new RegExp(String.raw`${own}(?:\.[\w$]+)*\s*(?:<<|>>|[-+*%&|^~/]|[~^]/)?=(?!=)`).test(code) ||
    new RegExp(String.raw`${own}(?:~|(?:\.[\w$]+)*\.(?!${reading})[\w$]+\s*(?:<[^<>()]*>)?\()`).test(code) ||
    new RegExp(String.raw`\bmutate\s+${own}`).test(code) ||
    new RegExp(String.raw`[([][^()=]*${own}[^()=]*[)\]]\s*=(?!=)`).test(code)
  );
}

/** How many steps back a variable is looked for that is no longer on the stack. */
const farthest = 2_000;

/** A variable of a function, or a field of one, at a step. */
export interface KnownValue extends Pick<VariableSlot, 'kind' | 'cell'> {
  /** As the source names it: `st.total`. */
  path: string;
  /** As the compiler names it. */
  slot: string;
  /** As the VM's log prints it; empty for a field. */
  word: string;
  /** A field of the received message that the VM has no value for. */
  field?: WordlessValue | undefined;
  /**
   * Where it is from: on the stack, no longer there, in the message that the contract has received, or what the caller of
   * an inlined function has for its parameter.
   */
  from: 'stack' | 'past' | 'message' | 'caller';
  /** A line that has run since, and may have changed it; undefined if there is none. */
  changedAt?: number | undefined;
}

/**
 * The variables of the function that runs at a step, by their names in the source: those on the stack, the deepest first,
 * then those that no longer are, then what is known from the received message. Where the sources say which variables a
 * function declares, it has those only: what the compiler has put into it from others has names of its own.
 */
export function knownValues(
  steps: MappedSteps,
  { at, list }: Pick<Activations, 'at' | 'list'>,
  step: number,
  namesAt = step,
): KnownValue[] {
  const { recording, map } = steps;
  const here = at[step] ?? -1;
  const begin = list[here]?.first ?? 0;
  const scopes = new Scopes(map);
  const place = placeOf(steps, at, step);
  const found = new Map<string, KnownValue>();
  const note = (name: string, word: string, then: SourcePlace | undefined, seen?: number): void => {
    const [head = ''] = name.split('.', 1);
    const variable = scopes.find(head, place);
    if (scopes.areKnown(place) && (variable === undefined || variable !== scopes.find(head, then))) {
      return;
    }
    const slot = variable?.slots.find((one) => one.slot === name);
    const path = slot?.path ?? name;
    if (!found.has(path)) {
      const changedAt =
        seen === undefined || variable?.isFixed === true
          ? undefined
          : changedSince(steps, at, seen, step, head, name);
      const from = seen === undefined ? 'stack' : 'past';
      found.set(path, { path, slot: name, word, from, kind: slot?.kind, cell: slot?.cell, changedAt });
    }
  };
  for (const [name, word] of namedWords(steps, namesAt)) {
    note(name, word, place);
  }
  // Lists of names whose values are known: steps share them.
  const known = new Set<number>([-1]);
  for (let before = step - 1; before >= Math.max(begin, step - farthest); before -= 1) {
    const names = steps.names[before] ?? -1;
    if (at[before] === here && !known.has(names)) {
      known.add(names);
      const then = placeAt(steps, before);
      for (const [name, word] of namedWords(steps, before)) {
        note(name, word, then, before);
      }
    }
  }
  for (const variable of scopes.at(place)) {
    for (const [path, { word, kind, field }] of messageWords(recording, map, variable)) {
      if (!found.has(path)) {
        const { isFixed, isMessage, name } = variable;
        const changedAt =
          isFixed === true || isMessage !== undefined
            ? undefined
            : changedSince(steps, at, begin, step, name, path);
        found.set(path, { path, slot: path, word, field, kind, from: 'message', changedAt });
      }
    }
  }
  for (const variable of scopes.at(place)) {
    const isThere = [...found.keys()].some(
      (path) => path === variable.name || path.startsWith(`${variable.name}.`),
    );
    const given = isThere ? [] : givenValues(steps, { at, list }, here, variable, scopes);
    for (const value of given) {
      const changedAt = changedSince(steps, at, begin, step, variable.name, value.path);
      found.set(value.path, { ...value, changedAt });
    }
  }
  return [...found.values()];
}

/** A name or a path of one: what an argument is where its value is another variable's. */
const namePattern = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/;

/**
 * What a parameter of an inlined function is: no instruction hands it over, but the source says which of the caller's
 * variables it is, or which number.
 */
function givenValues(
  steps: MappedSteps,
  activations: Pick<Activations, 'at' | 'list'>,
  here: number,
  { name, parameter }: SourceVariable,
  scopes: Scopes,
): KnownValue[] {
  const { at, list } = activations;
  const one = list[here];
  const caller = one && (one.isInlined || one.parent < 0 ? callerOf(steps, list, one) : undefined);
  if (parameter === undefined || one === undefined || caller === undefined) {
    return [];
  }
  let before = one.first - 1;
  while (before >= 0 && at[before] !== one.parent) {
    before -= 1;
  }
  const own = scopes.of({ file: one.file ?? '', function: one.name, line: 0, text: '' });
  const isMethod = own.some((variable) => variable.parameter === 0 && variable.name === 'self');
  const texts = callsOf(steps, list, one, caller, placeAt(steps, before)?.line).map(({ receiver, given }) =>
    isMethod && parameter === 0 ? receiver : given[isMethod ? parameter - 1 : parameter],
  );
  const [text] = texts;
  if (text === undefined || texts.some((other) => other !== text)) {
    return [];
  }
  if (/^\d+$/.test(text)) {
    return [{ path: name, slot: name, word: text, from: 'caller' }];
  }
  if (before < 0 || !namePattern.test(text)) {
    return [];
  }
  return knownValues(steps, activations, before, one.first).flatMap((value): KnownValue[] => {
    const isIt = value.path === text || value.path.startsWith(`${text}.`);
    const path = `${name}${value.path.slice(text.length)}`;
    return isIt && value.changedAt === undefined ? [{ ...value, path, slot: path, from: 'caller' }] : [];
  });
}

/** A function that calls another one. */
type Caller = Pick<Activations['list'][number], 'name' | 'file'>;

/** What called a function; the method itself has no step of its own if all that it does is to call. */
function callerOf(
  { map, selected }: MappedSteps,
  list: Activations['list'],
  one: Activations['list'][number],
): Caller | undefined {
  const method = map.methods[selected[one.first] ?? -1]?.name;
  return (
    list[one.parent] ??
    (method === one.name ? undefined : map.functions.find((other) => other.name === method))
  );
}

/**
 * The calls of the source that a copy of an inlined function can be. Copies that follow each other look like one, so all
 * calls count up to the next line of the caller that has instructions of its own.
 *
 * @param from the line at which the caller was before
 */
function callsOf(
  { map, ...steps }: MappedSteps,
  list: Activations['list'],
  one: Activations['list'][number],
  caller: Caller,
  from = 0,
): readonly SourceCall[] {
  const calls = new InlinedCalls({ map, ...steps }, list).callsIn(caller, one.name);
  const [first] = calls;
  const isInOrder = calls.every(
    ({ block, isRepeated }) => block !== undefined && block === first?.block && !isRepeated,
  );
  if (!isInOrder) {
    return calls;
  }
  const later = calls.filter(({ line }) => line >= from);
  const begin = later[0]?.line ?? 0;
  const own = map.places.filter(
    (place) => place.function === caller.name && place.file === caller.file && place.line > begin,
  );
  const end = Math.min(...own.map(({ line }) => line));
  return later.filter(({ line }) => line === begin || line < end);
}

/** The line of a function at a step; of the last one before it if it has none. */
function placeOf(steps: MappedSteps, at: Activations['at'], step: number): SourcePlace | undefined {
  for (let before = step; before >= 0 && at[before] === at[step]; before -= 1) {
    const place = placeAt(steps, before);
    if (place !== undefined) {
      return place;
    }
  }
  return undefined;
}

/** The last line that ran since a value was on the stack, and that may have changed it. */
function changedSince(
  steps: MappedSteps,
  at: Activations['at'],
  seen: number,
  step: number,
  variable: string,
  name: string,
): number | undefined {
  const here = at[step];
  const { place, map } = steps;
  const now = place[step];
  const tried = new Map<number, boolean>();
  for (let one = step - 1; one >= seen; one -= 1) {
    const number = place[one] ?? -1;
    if (at[one] !== here || number < 0 || number === now) {
      continue;
    }
    const { text = '', line } = map.places[number] ?? {};
    const changes = tried.get(number) ?? assigns(text, variable);
    tried.set(number, changes);
    if (changes && !isResult(steps, at, seen, number, name)) {
      return line;
    }
  }
  return undefined;
}

/** Whether a value that was last seen in a line is what the line made: it was not there when the line began. */
function isResult(
  steps: MappedSteps,
  at: Activations['at'],
  seen: number,
  number: number,
  name: string,
): boolean {
  if (steps.place[seen] !== number) {
    return false;
  }
  const word = namedWords(steps, seen).get(name);
  let first = seen;
  while (first > 0 && (steps.place[first - 1] === number || at[first - 1] !== at[seen])) {
    first -= 1;
  }
  return namedWords(steps, first).get(name) !== word;
}

/** By map and function: its variables. */
const indexes = new WeakMap<SourceMap, ReadonlyMap<string, readonly SourceVariable[]>>();

function indexOf(map: SourceMap): ReadonlyMap<string, readonly SourceVariable[]> {
  const index = groupBy(map.variables ?? [], (variable) => `${variable.function} ${variable.file}`);
  indexes.set(map, index);
  return index;
}

/** The variables that a function declares, in the order of its lines. */
export function variablesOf(map: SourceMap, place: SourcePlace | undefined): readonly SourceVariable[] {
  return new Scopes(map).of(place);
}

/** Which variables of the sources are declared where. */
class Scopes {
  readonly #index: ReadonlyMap<string, readonly SourceVariable[]>;

  constructor(private readonly map: SourceMap) {
    this.#index = indexes.get(map) ?? indexOf(map);
  }

  /** Whether it is known which variables the function around a line declares. */
  areKnown(place: SourcePlace | undefined): boolean {
    return this.map.variables !== undefined && place?.function !== undefined;
  }

  /** The variables that can be named in a line. */
  at(place: SourcePlace | undefined): SourceVariable[] {
    const line = place?.line ?? 0;
    return this.of(place).filter((one) => one.line <= line && line <= one.end);
  }

  /** Those of the function around a line. */
  of(place: SourcePlace | undefined): readonly SourceVariable[] {
    return this.#index.get(`${place?.function} ${place?.file}`) ?? [];
  }

  find(name: string, place: SourcePlace | undefined): SourceVariable | undefined {
    return this.at(place).findLast((one) => one.name === name);
  }
}
