import { hasSelf } from './tolkCalls';
import type { TolkCalls } from './tolkCalls';
import { bare, isTolkName } from './tolkFunctions';
import type { TolkFunction } from './tolkFunctions';

/** What is followed to where it is parsed: the contract's data, and the bodies of messages. */
type Origin = 'data' | 'body';

/** What the network calls with a message. */
export const messageEntries = new Set([
  'onInternalMessage',
  'onExternalMessage',
  'recv_internal',
  'recv_external',
]);

/** Calls through calls: deeper ones are hardly more than a wrapper around each other. */
const mostRounds = 8;

/** Where data and bodies go: through variables, arguments, results, and fields. */
export class TolkFlow {
  readonly #variables: Record<Origin, Map<TolkFunction, Set<string>>> = { data: new Map(), body: new Map() };
  readonly #fields: Record<Origin, Set<string>> = { data: new Set(), body: new Set(['body']) };
  readonly #returning: Record<Origin, Set<TolkFunction>> = { data: new Set(), body: new Set() };
  #steps = 0;

  constructor(
    private readonly calls: TolkCalls,
    private readonly reached: readonly TolkFunction[],
  ) {
    for (const one of reached.filter(
      ({ name, receiver }) => receiver === undefined && messageEntries.has(name),
    )) {
      one.parameters
        .filter(({ type }) => type === 'slice')
        .forEach(({ name }) => this.#add('body', one, name));
    }
    for (let round = 0, before = -1; round < mostRounds && this.#steps !== before; round++) {
      before = this.#steps;
      for (const one of reached) {
        this.#follow(one);
      }
    }
  }

  /** The types that something of this origin is parsed as, in functions that are certainly called if there are any. */
  parsed(origin: Origin, functions: ReadonlyMap<TolkFunction, boolean>): string[] {
    const certain = new Set<string>();
    const possible = new Set<string>();
    for (const one of this.reached.filter((each) => functions.has(each))) {
      for (const type of this.#typesParsed(origin, one)) {
        (functions.get(one) === true ? certain : possible).add(type);
      }
    }
    return [...(certain.size > 0 ? certain : possible)];
  }

  #typesParsed(origin: Origin, one: TolkFunction): string[] {
    const { tokens, from, to } = one;
    const found: string[] = [];
    for (let place = from; place < to; place++) {
      const text = tokens[place]?.text;
      const isParse = text === 'fromCell' || text === 'fromSlice';
      if (isParse && tokens[place - 1]?.text === '.' && tokens[place + 1]?.text === '(') {
        const type = wordBefore(one, place - 1);
        if (type !== undefined && this.#ends(origin, one, place + 2) !== undefined) {
          found.push(...(type === one.receiver && /^[A-Z]\d?$/.test(type) ? this.#bound(one) : [type]));
        }
      } else if (text === 'as' && tokens[place + 1]?.text === 'Cell' && tokens[place + 2]?.text === '<') {
        // `(contract.getData() as Cell<Storage>).load()`
        let start = place - 1;
        while (start > from && !/^[;{}=]$|^return$/.test(tokens[start - 1]?.text ?? '')) {
          start--;
        }
        const isWhole = [start, start + 1, start + 2].some((at) => this.#ends(origin, one, at) === place);
        const type = tokens[place + 3]?.text;
        if (isWhole && type !== undefined) {
          found.push(bare(type));
        }
      }
    }
    return found;
  }

  /** What a method of any type is called on. */
  #bound(one: TolkFunction): string[] {
    return this.reached.flatMap((caller) =>
      this.calls
        .callsOf(caller)
        .flatMap(({ callee, binds }) => (callee === one && binds !== undefined ? [binds] : [])),
    );
  }

  #follow(one: TolkFunction): void {
    const { tokens, from, to, closers } = one;
    for (const origin of ['data', 'body'] as const) {
      for (let place = from; place < to; place++) {
        const text = tokens[place]?.text ?? '';
        const before = tokens[place - 1]?.text ?? '';
        const name = bare(before);
        if (text === 'return') {
          this.#returned(origin, one, place + 1);
        } else if (
          text === '=' &&
          tokens[place + 1]?.text !== '=' &&
          this.#ends(origin, one, place + 1) !== undefined
        ) {
          const isTyped = tokens[place - 2]?.text === ':';
          const variable = isTyped ? bare(tokens[place - 3]?.text ?? '') : name;
          if (isTolkName(variable) && tokens[place - 2]?.text !== '.') {
            this.#add(origin, one, variable);
          }
        } else if (text === ':' && isTolkName(before) && this.#ends(origin, one, place + 1) !== undefined) {
          this.#addTo(this.#fields[origin], name);
        }
      }
      for (const { callee, place, open, end } of this.calls.callsOf(one)) {
        const isOnValue = hasSelf(callee) && tokens[place - 1]?.text === '.';
        if (isOnValue && this.#isVariable(origin, one, tokens[place - 2]?.text)) {
          this.#add(origin, callee, 'self');
        }
        let index = isOnValue ? 1 : 0;
        for (let at = open === undefined ? end : open + 1; at < end; at++) {
          const parameter = callee.parameters[index]?.name;
          if (
            parameter !== undefined &&
            [',', ')'].includes(tokens[this.#ends(origin, one, at) ?? -1]?.text ?? '')
          ) {
            this.#add(origin, callee, parameter);
          }
          for (; at < end && tokens[at]?.text !== ','; at++) {
            at = closers.get(at) ?? at;
          }
          index++;
        }
      }
    }
  }

  #returned(origin: Origin, one: TolkFunction, place: number): void {
    if (this.#ends(origin, one, place) !== undefined) {
      this.#addTo(this.#returning[origin], one);
    }
  }

  #isVariable(origin: Origin, one: TolkFunction, name: string | undefined): boolean {
    return name !== undefined && this.#variables[origin].get(one)?.has(bare(name)) === true;
  }

  #add(origin: Origin, one: TolkFunction, name: string): void {
    const names = this.#variables[origin].get(one) ?? new Set();
    this.#variables[origin].set(one, names);
    this.#addTo(names, name);
  }

  #addTo<T>(set: Set<T>, value: T): void {
    if (!set.has(value)) {
      set.add(value);
      this.#steps++;
    }
  }

  /** Where a value of this origin ends that begins here; undefined if another value does. */
  #ends(origin: Origin, one: TolkFunction, start: number): number | undefined {
    const { tokens } = one;
    const begin = tokens[start]?.text === 'mutate' ? start + 1 : start;
    let end = this.#endOfChain(origin, one, begin);
    while (end !== undefined && tokens[end]?.text === '.' && tokens[end + 1]?.text === 'beginParse') {
      end += 4;
    }
    return end !== undefined && tokens[end]?.text === '.' ? undefined : end;
  }

  #endOfChain(origin: Origin, one: TolkFunction, start: number): number | undefined {
    const { tokens, closers } = one;
    const first = tokens[start]?.text ?? '';
    if (!isTolkName(first)) {
      return undefined;
    }
    if (origin === 'data' && first === 'contract' && tokens[start + 2]?.text === 'getData') {
      return start + 5;
    }
    const isMethod = tokens[start + 1]?.text === '.';
    const call = this.calls
      .callsAt(one, isMethod ? start + 2 : start)
      .find(({ callee, open }) => open !== undefined && this.#returning[origin].has(callee));
    if (call?.open !== undefined) {
      return (closers.get(call.open) ?? start) + 1;
    }
    let end = start + 1;
    while (tokens[end]?.text === '.' && isTolkName(tokens[end + 1]?.text) && tokens[end + 2]?.text !== '(') {
      end += 2;
    }
    const isOrigin =
      end === start + 1
        ? this.#isVariable(origin, one, first)
        : this.#fields[origin].has(bare(tokens[end - 1]?.text ?? ''));
    return isOrigin ? end : undefined;
  }
}

/** The type before `.fromCell(`, with its arguments left out. */
function wordBefore({ tokens, from }: TolkFunction, dot: number): string | undefined {
  let place = dot - 1;
  if (tokens[place]?.text === '>') {
    let depth = 0;
    do {
      depth += tokens[place]?.text === '>' ? 1 : tokens[place]?.text === '<' ? -1 : 0;
      place--;
    } while (depth > 0 && place > from);
  }
  const text = tokens[place]?.text;
  return isTolkName(text) ? bare(text ?? '') : undefined;
}
