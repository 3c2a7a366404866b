import { closersOf, numberOf, tokenize } from '../abi/tokenize';
import type { SourceToken } from '../abi/tokenize';
import { inFuncWords } from './inFuncWords';
import type { LayoutType } from './layoutSet';

/** A function of a source that takes slices apart by hand. */
export interface LoadedFunction {
  name: string;
  parameters: readonly string[];
  /** The network calls it: a handler or a get-method. */
  isEntry: boolean;
  tokens: readonly SourceToken[];
  closers: ReadonlyMap<number, number>;
  /** The tokens of the body: from the first to behind the last. */
  from: number;
  to: number;
}

/** Texts of one contract, in the words of FunC whatever language they are in. */
export interface LoadedSource {
  functions: readonly LoadedFunction[];
  /** What reads the contract's data as a cell: `get_data`, and other names for `c4 PUSH`. */
  readers: ReadonlySet<string>;
  /** Whether the texts declare all that these functions call, so that nothing else can be in what they do. */
  isClosed(functions: readonly LoadedFunction[]): boolean;
  /**
   * What a method of slices loads, such as `load_uint`: one of the language, or one that the texts declare in assembler or
   * as a call of another; undefined if that is not known.
   *
   * @param range of the arguments, in the function's tokens
   */
  typeOf(method: string, one: Pick<LoadedFunction, 'tokens'>, range: TokenRange): LayoutType | undefined;
  /** The source from behind a token to the end of its line. */
  lineBehind(one: LoadedFunction, place: number): string;
}

/** From the first token to behind the last. */
type TokenRange = readonly [from: number, to: number];

/** What the network calls, in both languages. */
const entries = new Set([
  ...['recv_internal', 'recv_external', 'run_ticktock', 'split_prepare', 'split_install', 'main'],
  ...[
    'onInternalMessage',
    'onExternalMessage',
    'onBouncedMessage',
    'onRunTickTock',
    'onSplitPrepare',
    'onSplitInstall',
  ],
]);

/** Functions that load in terms of others: deeper ones are hardly more than a wrapper around each other. */
const deepest = 8;

/** Reads the functions of a contract's texts, its own first. */
export function readLoadedSource(texts: readonly string[], language: 'func' | 'tolk'): LoadedSource {
  const constants = new Map<string, Value>();
  const assembler = new Map<string, string>();
  const functions: LoadedFunction[] = [];
  const textOf = new Map<readonly SourceToken[], string>();
  for (const text of texts) {
    const plain = tokenize(text, language);
    const tokens = language === 'tolk' ? inFuncWords(plain) : plain;
    textOf.set(tokens, text);
    readTokens(tokens, { constants, assembler, functions });
  }
  const readers = new Set([
    'get_data',
    ...[...assembler].flatMap(([name, code]) => (/\bc4 PUSH/.test(code) ? [name] : [])),
  ]);
  const byName = new Map(
    functions
      .flatMap((one) => [
        [one.name, one] as const,
        // A method of Tolk: `fun slice.loadText(mutate self)`.
        [one.name.replace(/^\w+[.~]/, ''), one] as const,
      ])
      .toReversed(),
  );

  const numberAt = (
    tokens: readonly SourceToken[],
    [from, to]: TokenRange,
    depth = 0,
  ): number | undefined => {
    let [sum, product, isMinus, isShift] = [0, 1, false, false];
    for (let place = from; place < to; place++) {
      const word = tokens[place]?.text ?? '';
      const literal = numberOf(word);
      const constant = literal === undefined ? constants.get(word) : undefined;
      const asm = /^(\d{1,4}) PUSHINT$/.exec(assembler.get(word) ?? '')?.[1];
      const value =
        literal !== undefined
          ? Number(literal)
          : asm !== undefined
            ? Number(asm)
            : constant !== undefined && depth < deepest
              ? numberAt(constant.tokens, constant.range, depth + 1)
              : undefined;
      const isCall = tokens[place + 1]?.text === '(' && tokens[place + 2]?.text === ')';
      place += value !== undefined && isCall ? 3 : 1;
      const operator = place < to ? tokens[place]?.text : '+';
      if (value === undefined || !/^(?:[-+*]|<<)$/.test(operator ?? '')) {
        return undefined;
      }
      product = isShift ? product * 2 ** value : product * value;
      isShift = operator === '<<';
      if (operator !== '*' && !isShift) {
        sum += isMinus ? -product : product;
        [product, isMinus] = [1, operator === '-'];
      }
    }
    return to > from ? sum : undefined;
  };

  const typeOf = (
    method: string,
    one: Pick<LoadedFunction, 'tokens'>,
    range: TokenRange,
    depth = 0,
  ): LayoutType | undefined => {
    const declared = assembler.get(`~${method}`) ?? assembler.get(method);
    if (declared !== undefined) {
      const known = assembledType(declared);
      if (known !== undefined) {
        return known;
      }
    }
    const own = byName.get(`~${method}`) ?? byName.get(method);
    if (own !== undefined && declared === undefined && depth < deepest) {
      const loads: number[] = [];
      for (let place = own.from; place < own.to; place++) {
        const text = own.tokens[place]?.text ?? '';
        if (/[.~](?:pre)?load_\w+$/.test(text) && text.split(/[.~]/, 1)[0] === own.parameters[0]) {
          loads.push(place);
        }
      }
      const [only, another] = loads;
      if (only === undefined || another !== undefined) {
        return undefined;
      }
      const inner = (own.tokens[only]?.text ?? '').replace(/^.*[.~](?:pre)?load_/, 'load_');
      return typeOf(inner, own, [only + 2, own.closers.get(only + 1) ?? only + 2], depth + 1);
    }
    const bits = numberAt(one.tokens, range);
    return builtInType(method, bits);
  };

  const isDeclared = (word: string): boolean =>
    [word, word.replace(/^.*[.~]/, ''), word.replace(/^.*[.~]/, '~')].some(
      (name) => builtIn.test(name) || byName.has(name) || assembler.has(name),
    );
  return {
    functions,
    readers,
    isClosed: (all) =>
      language === 'func' &&
      all.every(({ tokens, from, to }) =>
        tokens
          .slice(from, to)
          .every(
            ({ text }, at) =>
              tokens[from + at + 1]?.text !== '(' || !/^\W*[a-z_]/i.test(text) || isDeclared(text),
          ),
      ),
    typeOf: (method, one, range) => typeOf(method, one, range),
    lineBehind: ({ tokens }, place) => {
      const token = tokens[place];
      const start = (token?.offset ?? 0) + (token?.text.length ?? 0);
      return (textOf.get(tokens) ?? '').slice(start, start + 200).split('\n', 1)[0] ?? '';
    },
  };
}

/** What FunC itself declares, and its words before brackets. */
const builtIn =
  /^(?:if|ifnot|elseif|elseifnot|while|until|repeat|return|catch|var|int|cell|slice|tuple|_|throw(?:_arg)?(?:_if|_unless)?|(?:pre)?load_(?:u?int|bits)|store_u?int|muldiv\w*|~?divmod|moddiv|null\??|touch2?|(?:\w+_)?at)$/;

interface Value {
  tokens: readonly SourceToken[];
  range: TokenRange;
}

/** The first token from a place on that fits; the number of all if none does. */
function indexFrom(tokens: readonly SourceToken[], from: number, pattern: RegExp): number {
  let place = from;
  while (place < tokens.length && !pattern.test(tokens[place]?.text ?? '')) {
    place++;
  }
  return place;
}

/** Finds the functions and constants of one text. What is not understood is skipped. */
function readTokens(
  tokens: readonly SourceToken[],
  found: { constants: Map<string, Value>; assembler: Map<string, string>; functions: LoadedFunction[] },
): void {
  const closers = closersOf(tokens);
  let [name, head, isEntry] = ['', 0, false];
  const clear = (): void => {
    [name, head, isEntry] = ['', 0, false];
  };
  for (let place = 0; place < tokens.length; place++) {
    const text = tokens[place]?.text ?? '';
    const close = closers.get(place);
    if (text === 'const') {
      const equals = [1, 2, 3].map((ahead) => place + ahead).find((at) => tokens[at]?.text === '=');
      const end = equals === undefined ? tokens.length : indexFrom(tokens, equals, /^[;,]$/);
      if (equals !== undefined && end < tokens.length) {
        found.constants.set(tokens[equals - 1]?.text ?? '', { tokens, range: [equals + 1, end] });
        place = end;
      }
    } else if (text === '{' && close !== undefined) {
      if (name !== '') {
        const parameters = partsOf({ tokens, closers }, head, (closers.get(head) ?? head) + 1);
        found.functions.push({
          ...{ name, tokens, closers, from: place + 1, to: close, isEntry: isEntry || entries.has(name) },
          parameters: parameters.map(([, to]) => tokens[to - 1]?.text ?? ''),
        });
      }
      clear();
      place = close;
    } else if (text === 'asm' && name !== '') {
      const end = indexFrom(tokens, place + 1, /^(?!["()\d]|->$)/);
      const code = tokens.slice(place, end).filter((token) => token.text.startsWith('"'));
      found.assembler.set(name, code.map((token) => token.text.replaceAll('"', '')).join(' '));
      clear();
    } else if (text === ';') {
      clear();
    } else if (text === 'method_id' || (text === 'get' && tokens[place + 1]?.text === 'fun')) {
      isEntry = true;
      place = tokens[place + 1]?.text === '(' ? (closers.get(place + 1) ?? place) : place;
    } else if (close !== undefined) {
      place = close;
    } else if (
      name === '' &&
      tokens[place + 1]?.text === '(' &&
      /^[^\d"=@#]/.test(text) &&
      tokens[place - 1]?.text !== '@'
    ) {
      name = text === 'get' ? '' : text;
      head = place + 1;
    }
  }
}

function builtInType(method: string, bits: number | undefined): LayoutType | undefined {
  switch (method) {
    case 'load_uint':
    case 'load_int':
      return bits !== undefined && bits > 0 && bits <= 257
        ? { kind: method === 'load_int' ? 'int' : 'uint', bits }
        : undefined;
    case 'load_bits':
    case 'skip_bits':
      return bits !== undefined && bits > 0 && bits <= 1023 ? { kind: 'bits', bits } : undefined;
    case 'load_coins':
    case 'load_grams':
      return { kind: 'coins' };
    case 'load_bool':
      return { kind: 'bool' };
    case 'load_msg_addr':
    case 'load_address':
      return { kind: 'address' };
    case 'load_ref':
      return { kind: 'cell' };
    case 'load_dict':
      return { kind: 'map' };
    case 'load_maybe_ref':
      return { kind: 'maybe', inner: { kind: 'cell' } };
    default:
      return undefined;
  }
}

/** What one instruction loads: `8 LDU`. */
function assembledType(code: string): LayoutType | undefined {
  const [, digits, instruction] = /^(?:(\d{1,3}) )?P?(LD[A-Z\d]*)$/.exec(code) ?? [];
  const bits = digits === undefined ? undefined : Number(digits);
  switch (instruction) {
    case 'LDU':
      return builtInType('load_uint', bits);
    case 'LDI':
      return bits === 1 ? { kind: 'bool' } : builtInType('load_int', bits);
    case 'LDSLICE':
      return builtInType('load_bits', bits);
    case 'LDGRAMS':
    case 'LDVARUINT16':
      return { kind: 'coins' };
    case 'LDMSGADDR':
    case 'LDSTDADDR':
    case 'LDOPTSTDADDR':
      return { kind: 'address' };
    case 'LDREF':
      return { kind: 'cell' };
    case 'LDDICT':
    case 'LDOPTREF':
      return instruction === 'LDDICT' ? { kind: 'map' } : { kind: 'maybe', inner: { kind: 'cell' } };
    default:
      return undefined;
  }
}

/** The first token of the statement around a place. */
export function statementStart({ tokens, closers, from }: LoadedFunction, place: number): number {
  let start = from;
  for (let at = from; at < place; at++) {
    const text = tokens[at]?.text ?? '';
    const close = closers.get(at);
    if (text === ';') {
      start = at + 1;
    } else if (close !== undefined && close < place) {
      at = close;
      start = text === '{' ? close + 1 : start;
    } else if (text === '{') {
      start = at + 1;
    }
  }
  return start;
}

/** The `;` that ends the statement around a place, or the end of its block. */
export function statementEnd(one: LoadedFunction, place: number): number {
  const { tokens, closers, to } = one;
  for (let at = statementStart(one, place); at < to; at++) {
    const text = tokens[at]?.text ?? '';
    if (text === ';' || text === '}') {
      return at;
    }
    at = closers.get(at) ?? at;
  }
  return to;
}

/** The values of an expression: those in brackets around all of it, also behind `var`, else itself. */
export function partsOf(
  { tokens, closers }: Pick<LoadedFunction, 'tokens' | 'closers'>,
  from: number,
  to: number,
): [from: number, to: number][] {
  const start = /^va[rl]$/.test(tokens[from]?.text ?? '') ? from + 1 : from;
  if (tokens[start]?.text !== '(' || closers.get(start) !== to - 1) {
    return [[start, to]];
  }
  const parts: [number, number][] = [];
  let first = start + 1;
  for (let place = first; place < to; place++) {
    if (tokens[place]?.text === ',' || place === to - 1) {
      if (place > first) {
        parts.push([first, place]);
      }
      first = place + 1;
    } else {
      place = closers.get(place) ?? place;
    }
  }
  return parts;
}
