import { TolkCalls, hasSelf } from './tolkCalls';
import type { TolkBodies, TolkFunction } from './tolkFunctions';
import { bare, isTolkName } from './tolkFunctions';

/** What is followed to where it is parsed: the contract's data, and the bodies of messages. */
type Origin = 'data' | 'body';

/** What the network calls with a message. */
const messageEntries = new Set(['onInternalMessage', 'onExternalMessage', 'recv_internal', 'recv_external']);

/** Calls through calls: deeper ones are hardly more than a wrapper around each other. */
const mostRounds = 8;

/** Where data and bodies go: through variables, arguments, results, and fields. */
class TolkFlow {
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

/** What a contract does with its types, followed from its entry points through its functions and imports. */
export interface TolkUses {
  /** The types that it loads its data as, in the order in which they are met; several if its data has several forms. */
  storage: readonly string[];
  /** The types that its header says it is deployed with. */
  deployed: readonly string[];
  /** The types that it parses the bodies of its messages as. */
  received: readonly string[];
  /** The names in the functions that it can reach, and those of members: `ERROR_X`, `Errors.NotOwner`. */
  words: ReadonlySet<string>;
}

const otherEntries = new Set([
  'onBouncedMessage',
  'onRunTickTock',
  'onSplitPrepare',
  'onSplitInstall',
  'main',
]);

/**
 * What a Tolk contract uses.
 *
 * @param own the text with its entry point, of which only this may have a header
 * @param all its texts, its own included
 * @param aliases what the names of types stand for, by name, as the first word of each variant
 */
export function tolkUses(
  own: TolkBodies,
  all: readonly TolkBodies[],
  aliases: (name: string) => readonly string[] = () => [],
): TolkUses {
  const calls = new TolkCalls(all, aliases);
  const entries = calls.functions.filter(
    ({ receiver, name, isGetMethod }) =>
      receiver === undefined && (isGetMethod || messageEntries.has(name) || otherEntries.has(name)),
  );
  // A part of a contract, in which nothing is called from outside.
  const every = calls.from(entries.length > 0 ? entries : calls.functions);
  const handled = calls.from(entries.filter(({ name }) => messageEntries.has(name)));
  const flow = new TolkFlow(calls, [...every.keys()]);
  const words = new Set<string>();
  for (const { tokens, from, to } of every.keys()) {
    for (let place = from; place < to; place++) {
      const text = tokens[place]?.text ?? '';
      if (isTolkName(text)) {
        words.add(text);
        if (tokens[place + 1]?.text === '.') {
          words.add(`${text}.${tokens[place + 2]?.text ?? ''}`);
        }
      }
    }
  }
  const typesOf = (key: string): readonly string[] =>
    (own.header?.get(key) ?? []).filter(isTolkName).slice(0, 1);
  const declared = typesOf('storage');
  const deployed = typesOf('storageAtDeployment');
  const externals = [...typesOf('incomingMessages'), ...typesOf('incomingExternal')];
  const loaded = declared.length > 0 ? [...new Set([...declared, ...deployed])] : flow.parsed('data', every);
  return {
    storage: loaded.length > 0 ? loaded : onlyDeclared(own, calls),
    deployed,
    received: [...new Set([...externals, ...flow.parsed('body', handled)])],
    words,
  };
}

/** A contract whose handlers do not load its data yet, but whose own file has one way to do so. */
function onlyDeclared({ functions }: TolkBodies, calls: TolkCalls): string[] {
  const found = new TolkFlow(calls, functions).parsed('data', new Map(functions.map((one) => [one, true])));
  return found.length === 1 ? found : [];
}
