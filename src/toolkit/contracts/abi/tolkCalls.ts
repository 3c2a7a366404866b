import { groupBy } from '../../base/collections';
import { bare, endOfAngles, isTolkName } from './tolkFunctions';
import type { TolkBodies, TolkFunction } from './tolkFunctions';

interface TolkCall {
  callee: TolkFunction;
  /** Where its name stands, its opening bracket, and the end of its arguments. */
  place: number;
  open: number | undefined;
  end: number;
  isCertain: boolean;
  /** What the type parameter stands for that it is a method of. */
  binds: string | undefined;
}

export function hasSelf({ parameters }: TolkFunction): boolean {
  return parameters[0]?.name === 'self';
}

/** Which functions are called from which. */
export class TolkCalls {
  readonly functions: readonly TolkFunction[];
  readonly #byName = new Map<string, TolkFunction[]>();
  readonly #locals = new Map<TolkFunction, Map<string, string>>();
  readonly #results = new Map<TolkFunction, string | undefined>();
  readonly #calls = new Map<TolkFunction, ReadonlyMap<number, readonly TolkCall[]>>();

  constructor(
    all: readonly TolkBodies[],
    private readonly aliases: (name: string) => readonly string[],
  ) {
    this.functions = all.flatMap(({ functions }) => functions);
    for (const one of this.functions) {
      this.#byName.set(one.name, [...(this.#byName.get(one.name) ?? []), one]);
    }
  }

  /** All that can be called, certain calls first; true for those. */
  from(entries: readonly TolkFunction[]): Map<TolkFunction, boolean> {
    const found = new Map(entries.map((one) => [one, true]));
    for (const isCertain of [true, false]) {
      // What is added meanwhile is visited, too.
      for (const [one] of found) {
        for (const call of this.callsOf(one)) {
          if ((call.isCertain || !isCertain) && !found.has(call.callee)) {
            found.set(call.callee, isCertain);
          }
        }
      }
    }
    return found;
  }

  callsOf(one: TolkFunction): readonly TolkCall[] {
    return [...this.#callsByPlace(one).values()].flat();
  }

  /** The functions that the name at a place can call. */
  callsAt(one: TolkFunction, place: number): readonly TolkCall[] {
    return this.#callsByPlace(one).get(place) ?? [];
  }

  #callsByPlace(one: TolkFunction): ReadonlyMap<number, readonly TolkCall[]> {
    const calls = this.#calls.get(one) ?? groupBy(this.#readCalls(one), ({ place }) => place);
    this.#calls.set(one, calls);
    return calls;
  }

  #readCalls(one: TolkFunction): TolkCall[] {
    const { tokens, from, to, closers } = one;
    const calls: TolkCall[] = [];
    for (let place = from; place < to; place++) {
      const name = bare(tokens[place]?.text ?? '');
      const named = this.#byName.get(name);
      if (named === undefined) {
        continue;
      }
      const behind = tokens[place + 1]?.text === '<' ? endOfAngles(tokens, place + 1) + 1 : place + 1;
      const open = tokens[behind]?.text === '(' ? behind : undefined;
      const end = open === undefined ? place : (closers.get(open) ?? to);
      if (tokens[place - 1]?.text !== '.') {
        // A function that is only named is handed on to be called.
        named
          .filter(({ receiver }) => receiver === undefined)
          .forEach((callee) => calls.push({ callee, place, open, end, isCertain: true, binds: undefined }));
      } else if (open !== undefined) {
        const on = this.#typeAt(one, place);
        const exact = on === undefined ? [] : named.filter(({ receiver }) => this.#isOf(receiver, on));
        const isGeneric = ({ receiver }: TolkFunction): boolean =>
          receiver !== undefined && /^[A-Z]\d?$/.test(receiver);
        const generic = exact.length > 0 || on === undefined ? [] : named.filter(isGeneric);
        const certain = exact.length > 0 ? exact : generic;
        // A value's own methods have self; those without belong to the type's name.
        const possible = certain.length > 0 ? certain : named.filter((callee) => hasSelf(callee));
        possible.forEach((callee) =>
          calls.push({
            ...{ callee, place, open, end },
            isCertain: certain.length > 0,
            binds: generic.includes(callee) ? on : undefined,
          }),
        );
      }
    }
    return calls;
  }

  /** The type before the `.name` at this place, or that of the value there, if it is plain. */
  #typeAt(one: TolkFunction, place: number): string | undefined {
    const { tokens } = one;
    let object = place - 2;
    if (tokens[object]?.text === '>') {
      // `Box<int32>.load()`
      while (object > one.from && tokens[object]?.text !== '<') {
        object--;
      }
      object--;
    }
    const text = bare(tokens[object]?.text ?? '');
    if (!isTolkName(text) || tokens[object - 1]?.text === '.') {
      return undefined;
    }
    return text === 'self'
      ? one.receiver
      : (this.localsOf(one).get(text) ?? (/^[A-Z]/.test(text) ? text : undefined));
  }

  #isOf(receiver: string | undefined, type: string): boolean {
    return receiver === type || (receiver !== undefined && this.aliases(type).includes(receiver));
  }

  /** The types of parameters and variables, as far as they are plain to see. */
  localsOf(one: TolkFunction): ReadonlyMap<string, string> {
    const known = this.#locals.get(one);
    if (known !== undefined) {
      return known;
    }
    const locals = new Map<string, string>();
    this.#locals.set(one, locals);
    one.parameters.forEach(({ name, type }) => type !== undefined && locals.set(name, type));
    for (let place = one.from; place < one.to; place++) {
      const word = one.tokens[place]?.text;
      if (word !== 'val' && word !== 'var') {
        continue;
      }
      const name = bare(one.tokens[place + 1]?.text ?? '');
      const mark = one.tokens[place + 2]?.text;
      const type = mark === ':' ? one.tokens[place + 3]?.text : this.#typeOfValue(one, place + 3);
      if (isTolkName(name) && isTolkName(type) && (mark === ':' || mark === '=')) {
        locals.set(name, bare(type ?? ''));
      }
    }
    return locals;
  }

  #typeOfValue(one: TolkFunction, start: number): string | undefined {
    const { tokens } = one;
    const place = tokens[start]?.text === 'lazy' ? start + 1 : start;
    const first = bare(tokens[place]?.text ?? '');
    const next = tokens[place + 1]?.text;
    if (next === '{') {
      return first;
    }
    if (next === '(') {
      return this.#resultOf((this.#byName.get(first) ?? []).find(({ receiver }) => receiver === undefined));
    }
    const method = bare(tokens[place + 2]?.text ?? '');
    if (next !== '.' || tokens[place + 3]?.text !== '(') {
      return undefined;
    }
    if (method === 'fromCell' || method === 'fromSlice') {
      return first;
    }
    const on = first === 'self' ? one.receiver : (this.localsOf(one).get(first) ?? first);
    return this.#resultOf((this.#byName.get(method) ?? []).find(({ receiver }) => receiver === on));
  }

  /** The declared type of a function's result, else that of the first value that it returns. */
  #resultOf(one: TolkFunction | undefined): string | undefined {
    if (one === undefined || one.result !== undefined) {
      return one?.result;
    }
    if (!this.#results.has(one)) {
      // A function that returns its own result has none that is plain to see.
      this.#results.set(one, undefined);
      for (let place = one.from; place < one.to; place++) {
        if (one.tokens[place]?.text === 'return') {
          this.#results.set(one, this.#typeOfValue(one, place + 1));
          break;
        }
      }
    }
    return this.#results.get(one);
  }
}
