import type { AbiType } from './abiType';
import { typeText } from './abiType';
import type { SourceReadings } from './sourceLanguage';
import type { SourceToken } from './tokenize';
import { closersOf, tokenize } from './tokenize';

/** Where a signature comes from, most trustworthy first. */
export type SignatureOrigin =
  'compiler ABI' | 'Tolk source' | 'FunC source' | 'Tact source' | 'TypeScript wrapper' | 'known interface';

/** What is known about a get-method. */
export interface GetMethodSignature {
  name: string;
  /** If it is not the usual one, derived from the name (crc16 with bit 16 set). */
  methodId?: number;
  parameters: SignatureParameter[];
  result: AbiType;
  origin: SignatureOrigin;
  /** Its contract, if a text declares several. */
  contract?: string;
  /** The comment before the declaration, without comment marks. */
  comment?: string;
  /** Offset of the name in the text, in UTF-16 code units. */
  offset?: number;
  /** Numbers that its source gives names; arguments and expected values may use them. */
  constants?: ReadonlyMap<string, bigint>;
}

export interface SignatureParameter {
  name: string;
  type: AbiType;
  /** The default value as written in the source: a value or an expression. Get-method callers must pass it anyway. */
  defaultText?: string;
}

/** `get_wallet_address(owner: address): address` */
export function signatureText({ name, parameters, result }: GetMethodSignature): string {
  const list = parameters.map((parameter) => `${parameter.name}: ${typeText(parameter.type)}`).join(', ');
  return `${name}(${list})${result.kind === 'void' ? '' : `: ${typeText(result)}`}`;
}

const words: Readonly<Record<string, AbiType>> = {
  int: { kind: 'int', isTruth: true },
  slice: { kind: 'slice' },
  cell: { kind: 'cell' },
  builder: { kind: 'builder' },
  tuple: { kind: 'tuple' },
  cont: { kind: 'continuation' },
};
/**
 * The results of get-methods that a FunC source leaves to the compiler (`_ get_data() method_id { return (a, b); }`), where
 * each value that is returned has a type that is written somewhere: of a global or local variable, a parameter, a constant,
 * or a function. A result stays unknown if any of its values does.
 *
 * @param imported the other texts of the contract
 */
export function inferFuncResults(
  text: string,
  methods: readonly GetMethodSignature[],
  imported: readonly string[],
  readings: SourceReadings,
): GetMethodSignature[] {
  if (methods.every(({ result }) => result.kind !== 'unknown')) {
    return [...methods];
  }
  const declared = new Map(
    [...imported, text].flatMap((one) => [...readings.of('types of func', one, () => declaredTypes(one))]),
  );
  const tokens = tokenize(text, 'func');
  const closers = closersOf(tokens);
  return methods.map((method) => {
    const at = tokens.findIndex(({ offset }) => offset === method.offset);
    const open = at < 0 ? -1 : tokens.findIndex((token, place) => place > at && token.text === '{');
    const close = closers.get(open);
    if (method.result.kind !== 'unknown' || close === undefined) {
      return method;
    }
    const own = method.parameters.map(({ name, type }) => [name, type] as const);
    const body = { tokens, closers, known: new Map([...declared, ...own]) };
    return { ...method, result: resultOf(body, open + 1, close) ?? method.result };
  });
}

/** The types of what a text declares at its top: globals, constants, and functions with one result. */
function declaredTypes(text: string): Map<string, AbiType> {
  const tokens = tokenize(text, 'func');
  const closers = closersOf(tokens);
  const found = new Map<string, AbiType>();
  for (let place = 0; place < tokens.length; place++) {
    const [first = '', second = '', third = '', fourth = ''] = tokens
      .slice(place, place + 4)
      .map((token) => token.text);
    if (first === 'global') {
      const end = endOf({ tokens, closers }, place, tokens.length);
      for (let at = place + 1; at < end; at++) {
        at = closers.get(at) ?? at;
        const after = tokens[at + 2]?.text;
        const type = words[tokens[at]?.text ?? ''];
        if (type !== undefined && (after === ',' || after === ';')) {
          found.set(tokens[at + 1]?.text ?? '', type);
        }
      }
      place = end;
    } else if (first === 'const') {
      const type = words[second];
      const [name, value = ''] = type === undefined ? [second, fourth] : [third, tokens[place + 4]?.text];
      found.set(name, type ?? words[value.startsWith('"') ? 'slice' : 'int']!);
      place = endOf({ tokens, closers }, place, tokens.length);
    } else if (Object.hasOwn(words, first) && third === '(') {
      found.set(second.replace(/^~/, ''), words[first]!);
    }
    place = closers.get(place) ?? place;
  }
  return found;
}

interface Body {
  tokens: readonly SourceToken[];
  closers: ReadonlyMap<number, number>;
  known: Map<string, AbiType>;
}

/** The type of all returns between two tokens; undefined if one is not known, or they differ in their number. */
function resultOf(body: Body, from: number, to: number): AbiType | undefined {
  const { tokens, known } = body;
  let result: AbiType | undefined;
  let count: number | undefined;
  for (let place = from; place < to; place++) {
    const [text = '', next = '', then = ''] = tokens.slice(place, place + 3).map((one) => one.text);
    if (Object.hasOwn(words, text) && /^[^\d()[\],;{}=]/.test(next)) {
      known.set(next, words[text]!);
    } else if (text === 'var' && then === '=') {
      const type = typeOf(body, place + 3, endOf(body, place + 3, to));
      if (type === undefined) {
        known.delete(next);
      } else {
        known.set(next, type);
      }
    } else if (text === 'return') {
      const end = endOf(body, place + 1, to);
      const parts = partsOf(body, place + 1, end);
      const types = parts.map(([start, stop]) => typeOf(body, start, stop));
      if (types.some((type) => type === undefined) || (count !== undefined && count !== types.length)) {
        return undefined;
      }
      count = types.length;
      const items = types.filter((type) => type !== undefined);
      result ??=
        items.length === 1 ? items[0] : items.length === 0 ? { kind: 'void' } : { kind: 'tensor', items };
      place = end;
    }
  }
  return result;
}

/** The `;` that ends an expression. */
function endOf({ tokens, closers }: Pick<Body, 'tokens' | 'closers'>, from: number, to: number): number {
  for (let place = from; place < to; place++) {
    if (tokens[place]?.text === ';') {
      return place;
    }
    place = closers.get(place) ?? place;
  }
  return to;
}

/** The values of an expression: those in brackets around all of it, else itself. */
function partsOf({ tokens, closers }: Body, from: number, to: number): [from: number, to: number][] {
  if (tokens[from]?.text !== '(' || closers.get(from) !== to - 1) {
    return [[from, to]];
  }
  const parts: [number, number][] = [];
  let start = from + 1;
  for (let place = start; place < to; place++) {
    if (tokens[place]?.text === ',' || place === to - 1) {
      if (place > start) {
        parts.push([start, place]);
      }
      start = place + 1;
    } else {
      place = closers.get(place) ?? place;
    }
  }
  return parts;
}

const operators = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '&',
  '|',
  '^',
  '<',
  '>',
  '==',
  '!=',
  '<=',
  '>=',
  '<<',
  '>>',
  '<=>',
]);

function typeOf(body: Body, from: number, to: number): AbiType | undefined {
  const { tokens, closers, known } = body;
  const first = tokens[from]?.text ?? '';
  if (to - from === 1) {
    return literalType(first) ?? known.get(first);
  }
  if (to - from === 2 && first.startsWith('"')) {
    // With some letters behind it, a text is a number.
    return words[/^[uhHc]$/.test(tokens[from + 1]?.text ?? '') ? 'int' : 'slice'];
  }
  let called: string | undefined;
  let isArithmetic = false;
  for (let place = from; place < to; place++) {
    const text = tokens[place]?.text ?? '';
    if (text === '?' || text === ',') {
      return undefined;
    }
    isArithmetic ||= operators.has(text);
    const close = closers.get(place);
    if (text === '(' && close !== undefined) {
      // A call, also one of several in a chain; the last one gives the result.
      const name = place === from ? '' : (tokens[place - 1]?.text ?? '');
      called = close === to - 1 ? name.split(/[.~]/).at(-1) : undefined;
      place = close;
    }
  }
  return isArithmetic ? words['int'] : called === undefined ? undefined : known.get(called);
}

/** Of a number, or of a text. */
function literalType(text: string): AbiType | undefined {
  if (/^-?(?:\d|0x)/.test(text) || text === 'true' || text === 'false') {
    return words['int'];
  }
  return text.startsWith('"') ? words['slice'] : undefined;
}
