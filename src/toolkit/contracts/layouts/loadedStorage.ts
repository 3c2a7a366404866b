import { WorkbenchError } from '../../base/errors';
import { WorkBudget } from '../../base/limits';
import type { LayoutType, StructLayout } from './layoutSet';
import type { LoadedFunction, LoadedSource } from './loadedSource';
import { partsOf, statementEnd, statementStart } from './loadedSource';
import { mergedChains, structOfLoads } from './mergedChains';
import type { LoadChain, SliceLoad } from './mergedChains';
import { NotFollowed, SliceWalk, blockEnd } from './sliceWalk';

/** A contract's data as its source loads it by hand. */
interface LoadedStorage {
  /** The whole data first, then a shorter form if the source loads the rest only where there is one. */
  forms: StructLayout[];
  /** Structs in cells of the data, by the keys that the fields refer to. */
  inner: ReadonlyMap<string, StructLayout>;
}

/** Cells within cells that are followed. */
const deepest = 4;

/**
 * The data of a contract that reads it by hand, value by value (`ds~load_coins()`): followed through its functions, with
 * the names of the variables that take the values, else of the comments behind them. Undefined if it is not certain that
 * this is the whole data, if two places of the source take it apart differently, or if there is too much to follow.
 *
 * @param contract names the struct
 * @param reached the names of the functions that the contract can reach
 */
export function loadedStorage(
  source: LoadedSource,
  contract: string,
  reached: ReadonlySet<string>,
): LoadedStorage | undefined {
  try {
    return new StorageReader(source, contract, reached).storage();
  } catch (error) {
    if (WorkbenchError.is(error, 'over-limit')) {
      return undefined;
    }
    throw error;
  }
}

class StorageReader {
  readonly #inner = new Map<string, StructLayout>();
  readonly #functions: readonly LoadedFunction[];
  readonly #budget = new WorkBudget('storageSteps');

  constructor(
    private readonly source: LoadedSource,
    private readonly contract: string,
    reached: ReadonlySet<string>,
  ) {
    this.#functions = source.functions.filter(({ name, isEntry }) => isEntry || reached.has(name));
  }

  storage(): LoadedStorage | undefined {
    const key = `${this.contract}$Data`;
    if (!this.#functions.some(({ isEntry }) => isEntry)) {
      return undefined;
    }
    if (this.source.isClosed(this.#functions) && !this.#functions.some((one) => this.#touchesData(one))) {
      return { forms: [structOfLoads(key, [])], inner: this.#inner };
    }
    const raw = this.#raw();
    if (raw !== undefined) {
      return { forms: [structOfLoads(key, [raw])], inner: this.#inner };
    }
    const chains: LoadChain[] = [];
    for (const one of this.#functions) {
      for (const { variable, at } of slicesMadeIn(one, this.source.readers)) {
        chains.push(this.#chain(one, variable, at, key, 0));
      }
      chains.push(...this.#readAt(one));
    }
    const whole = mergedChains(chains);
    if (whole === undefined || whole.loads.length === 0) {
      return undefined;
    }
    const full = structOfLoads(key, whole.loads);
    const first = structOfLoads(`${this.contract}$First`, whole.loads.slice(0, whole.always));
    return {
      forms: whole.always === undefined ? [full] : [full, { ...first, isDeployed: true }],
      inner: this.#inner,
    };
  }

  /** @throws WorkbenchError `over-limit` once too many tokens were looked at */
  #spend(looked: readonly LoadedFunction[]): void {
    looked.forEach(({ from, to }) => this.#budget.spend(to - from));
  }

  #touchesData({ tokens, from, to }: LoadedFunction): boolean {
    return tokens
      .slice(from, to)
      .some(
        ({ text }) => this.source.readers.has(text) || this.source.readers.has(text.replace(/^.*[.~]/, '')),
      );
  }

  /** The data as one cell, if nothing looks into it: `cell code = get_data();` */
  #raw(): SliceLoad | undefined {
    let name: string | undefined;
    let count = 0;
    const functionNames = new Set(this.source.functions.map((one) => one.name));
    for (const { tokens, from, to } of this.#functions) {
      const words = new Set(tokens.slice(from, to).map(({ text }) => text));
      for (let place = from; place < to; place++) {
        if (this.source.readers.has(tokens[place]?.text ?? '')) {
          const isKept = tokens[place - 1]?.text === '=' && tokens[place + 3]?.text === ';';
          const callee = tokens[place - 1]?.text === '(' ? tokens[place - 2]?.text : undefined;
          // An instruction takes it whole; a function may look into it.
          const isArgument =
            callee !== undefined &&
            callee !== 'begin_parse' &&
            !functionNames.has(callee) &&
            /^[,)]$/.test(tokens[place + 3]?.text ?? '');
          const variable = isKept ? (tokens[place - 2]?.text ?? '') : undefined;
          const isParsed = words.has(`${variable}.begin_parse`);
          if ((!isKept && !isArgument) || isParsed) {
            return undefined;
          }
          name = plain(variable);
          count++;
        }
      }
    }
    return count === 0 ? undefined : { name: name ?? 'data', type: { kind: 'rest' } };
  }

  /** What a function takes from a slice in a variable, from a place of its body on. */
  #chain(one: LoadedFunction, variable: string, at: number, key: string, depth: number): LoadChain {
    this.#spend([one]);
    const walk = new SliceWalk(this.source, one, variable);
    let isFollowed = true;
    try {
      walk.walk(at, blockEnd(one, at));
    } catch (error) {
      // What one place does with the rest in its own way, another may load plainly.
      if (!(error instanceof NotFollowed)) {
        throw error;
      }
      isFollowed = false;
    }
    const found = isFollowed ? walk.found : walk.found.slice(0, walk.always);
    const loads = found.map(({ place, close, type }): SliceLoad => {
      if (type.kind === 'next') {
        return { name: undefined, type };
      }
      const name = this.#nameOf(one, place, close);
      if (type.kind !== 'cell') {
        return { name, type: isDropped(one, place, close) ? asBits(type) : type };
      }
      const inner = this.#innerOf(one, place, close, `${key}.${name ?? place}`, depth + 1);
      return { name: name ?? inner?.name, type: inner?.type ?? type };
    });
    return {
      loads,
      always: isFollowed ? walk.always : undefined,
      isWhole:
        isFollowed &&
        (walk.isEnded ||
          isOneValue(
            one,
            found.map(({ place }) => place),
          ) ||
          this.#isWritten(loads.length)),
    };
  }

  /** What a function reads out of the data at a place of it: `get_data().begin_parse().skip_bits(32).preload_uint(8)`. */
  #readAt(one: LoadedFunction): LoadChain[] {
    const { tokens, closers, from, to } = one;
    const chains: LoadChain[] = [];
    for (let place = from; place < to; place++) {
      if (this.source.readers.has(tokens[place]?.text ?? '') && tokens[place + 3]?.text === '.begin_parse') {
        const loads: SliceLoad[] = [];
        for (let at = place + 6; /^\.(?:skip_bits|preload_\w+)$/.test(tokens[at]?.text ?? ''); at++) {
          const close = closers.get(at + 1) ?? at;
          const method = (tokens[at]?.text ?? '').slice(1).replace(/^preload_/, 'load_');
          const type = this.source.typeOf(method, one, [at + 2, close]);
          if (type === undefined) {
            break;
          }
          // A get-method is named after what it gives.
          const isResult =
            one.isEntry && tokens[place - 1]?.text === 'return' && tokens[close + 1]?.text === ';';
          const isNamed = isResult && method !== 'skip_bits';
          loads.push({ name: isNamed ? plain(one.name.replace(/^get_/, '')) : undefined, type });
          at = close;
        }
        chains.push({ loads, always: undefined, isWhole: false });
      }
    }
    return chains;
  }

  /** Whether the source also writes data of so many values. */
  #isWritten(count: number): boolean {
    this.#spend(this.#functions);
    return this.#functions.some(({ tokens, closers, from, to }) => {
      for (let place = from; place < to; place++) {
        if (tokens[place]?.text === 'set_data' && tokens[place + 2]?.text === 'begin_cell') {
          const end = closers.get(place + 1) ?? to;
          let stores = 0;
          for (let at = place + 3; at < end; at++) {
            at = closers.get(at) ?? at;
            stores += Number(tokens[at]?.text.startsWith('.store_') === true);
          }
          if (stores === count) {
            return true;
          }
        }
      }
      return false;
    });
  }

  /** What the cell of a reference holds, if the source takes it apart where it takes it. */
  #innerOf(
    one: LoadedFunction,
    place: number,
    close: number,
    key: string,
    depth: number,
  ): { type: LayoutType; name: string | undefined } | undefined {
    if (depth > deepest) {
      return undefined;
    }
    const { tokens } = one;
    const isParsed = tokens[close + 1]?.text === '.begin_parse';
    const end = isParsed ? close + 3 : close;
    let chain: LoadChain | undefined;
    let name: string | undefined;
    if (tokens[place - 1]?.text === '(' && tokens[end + 1]?.text === ')') {
      // The argument of a function: `load_limits(ds~load_ref())`
      const callee = this.#functions.find((each) => each.name === tokens[place - 2]?.text);
      const [parameter] = callee?.parameters ?? [];
      if (callee !== undefined && parameter !== undefined && callee.parameters.length === 1) {
        const slice = isParsed
          ? { variable: parameter, at: callee.from }
          : slicesMadeIn(callee, new Set([parameter]))[0];
        chain = slice && this.#chain(callee, slice.variable, slice.at, key, depth);
        name = plain(/^(?:.*::)?(?:un|un_)?(?:load|pack|parse)_(\w+)$/.exec(callee.name)?.[1]);
      }
    } else if (tokens[place - 1]?.text === '=') {
      const target = tokens[place - 2]?.text ?? '';
      const slice = isParsed
        ? { variable: target, at: end + 1 }
        : slicesMadeIn(one, new Set([target]), end)[0];
      chain = slice && this.#chain(one, slice.variable, slice.at, key, depth);
    }
    if (chain === undefined || !chain.isWhole || chain.always !== undefined || chain.loads.length === 0) {
      return name === undefined ? undefined : { name, type: { kind: 'cell' } };
    }
    const called = name ?? key.slice(key.lastIndexOf('.') + 1);
    this.#inner.set(key, { ...structOfLoads(called, chain.loads), isStorage: false });
    return { name, type: { kind: 'cell', inner: { kind: 'struct', key } } };
  }

  /** The name that the source gives a value: of the variable that takes it, here or where it is returned to. */
  #nameOf(one: LoadedFunction, place: number, close: number): string | undefined {
    this.#spend([one]);
    const { tokens } = one;
    const start = statementStart(one, place);
    const end = statementEnd(one, place);
    const isReturn = tokens[start]?.text === 'return';
    const equals = isReturn ? start : assignmentOf(one, start, place);
    if (equals !== undefined) {
      const values = partsOf(one, equals + 1, end);
      const index = values.findIndex(([from, to]) => from <= place && place < to);
      const targets = isReturn ? [] : partsOf(one, start, equals).map(([, to]) => tokens[to - 1]?.text);
      const isWhole = values[index]?.[0] === place && values[index][1] === close + 1;
      if (targets.length === values.length && !isReturn) {
        const own = plain(targets[index]);
        if (own !== undefined && isWhole) {
          return own;
        }
      } else if (values.length > 1 || isReturn) {
        const variable = isReturn ? undefined : targets[0];
        const isReturned =
          isReturn ||
          tokens.some(
            ({ text }, at) =>
              at > end && at < one.to && text === 'return' && tokens[at + 1]?.text === variable,
          );
        const name = isReturned ? this.#nameAtCall(one.name, index, values.length) : undefined;
        if (name !== undefined) {
          return name;
        }
      }
    }
    return commentBehind(this.source, one, close);
  }

  #nameAtCall(name: string, index: number, count: number): string | undefined {
    this.#spend(this.#functions);
    for (const one of this.#functions) {
      const { tokens, from, to } = one;
      for (let place = from; place < to; place++) {
        if (
          tokens[place]?.text === name &&
          tokens[place + 1]?.text === '(' &&
          tokens[place - 1]?.text === '='
        ) {
          const targets = partsOf(one, statementStart(one, place), place - 1);
          const at = targets.length === count ? targets[index] : undefined;
          const found = at === undefined ? undefined : plain(tokens[at[1] - 1]?.text);
          if (found !== undefined) {
            return found;
          }
        }
      }
    }
    return undefined;
  }
}

/** Where a function makes a slice of a cell: of what a function like `get_data` gives, or of a variable. */
function slicesMadeIn(
  { tokens, from, to }: LoadedFunction,
  cells: ReadonlySet<string>,
  after = from,
): { variable: string; at: number }[] {
  const found: { variable: string; at: number }[] = [];
  for (let place = after; place < to; place++) {
    const text = tokens[place]?.text ?? '';
    const isCall =
      cells.has(text) && tokens[place + 1]?.text === '(' && tokens[place + 3]?.text === '.begin_parse';
    const isMethod = text.endsWith('.begin_parse') && cells.has(text.slice(0, -'.begin_parse'.length));
    const isWrapped = text === 'begin_parse' && cells.has(tokens[place + 2]?.text ?? '');
    const isWrappedCall = isWrapped && tokens[place + 3]?.text === '(';
    const end = isCall ? place + 6 : isMethod ? place + 3 : isWrapped ? place + (isWrappedCall ? 6 : 4) : 0;
    if (end > 0 && tokens[place - 1]?.text === '=' && /^[;)]$/.test(tokens[end]?.text ?? '')) {
      found.push({ variable: tokens[place - 2]?.text ?? '', at: end + 1 });
    }
  }
  return found;
}

/** The `=` of a statement before a place. */
function assignmentOf({ tokens, closers }: LoadedFunction, start: number, place: number): number | undefined {
  for (let at = start; at < place; at++) {
    if (tokens[at]?.text === '=') {
      return at;
    }
    at = closers.get(at) ?? at;
  }
  return undefined;
}

/** Whether all the values are one list that a function returns or keeps, so that it is made to be whole. */
function isOneValue(one: LoadedFunction, places: readonly number[]): boolean {
  const [first, ...others] = places;
  if (one.isEntry || first === undefined || others.length === 0) {
    return false;
  }
  const starts = new Set(places.map((place) => statementStart(one, place)));
  const isList =
    starts.size === 1 &&
    partsOf(one, startOfValue(one, first), statementEnd(one, first)).length >= places.length;
  const isKept = [...starts].every(
    (start) => assignmentOf(one, start, statementEnd(one, start)) !== undefined,
  );
  return isList || (isKept && statementEnd(one, places.at(-1) ?? 0) >= one.to - 2);
}

function startOfValue(one: LoadedFunction, place: number): number {
  const start = statementStart(one, place);
  return one.tokens[start]?.text === 'return'
    ? start + 1
    : (assignmentOf(one, start, place) ?? start - 1) + 1;
}

/** The name in a comment at the end of the line: `;; total_supply`; undefined if the comment says more than a name. */
function commentBehind(source: LoadedSource, one: LoadedFunction, close: number): string | undefined {
  const [code = '', ...comments] = source.lineBehind(one, close).split(/;;|\/\//);
  const [comment = ''] = comments;
  return code.includes('load_') || code.includes('.load')
    ? undefined
    : plain(/^\s*([A-Za-z_]\w{0,60})\s*(?:\(.*)?$/.exec(comment)?.[1]);
}

/** A variable's name as a field's: `storage::owner` is owner. */
function plain(name: string | undefined): string | undefined {
  const own = (name ?? '').replace(/^.*::/, '').replaceAll(/[^\w]/g, '');
  return own === '' || own === '_' || /^\d/.test(own) || ['int', 'slice', 'cell', 'var'].includes(own)
    ? undefined
    : own;
}

/** Whether a value is only stepped over: `ds~load_uint(64);` */
function isDropped({ tokens }: LoadedFunction, place: number, close: number): boolean {
  return /^[;{}]$/.test(tokens[place - 1]?.text ?? '') && tokens[close + 1]?.text === ';';
}

function asBits(type: LayoutType): LayoutType {
  return type.kind === 'int' || type.kind === 'uint' ? { kind: 'bits', bits: type.bits } : type;
}
