import type { AbiType } from './abiType';
import type { TolkTypes } from './tolkTypes';
import type { TokenReader } from './tokenize';

/** The types that variables and their fields have at a place, by their paths, where that is narrower than declared. */
export type Narrowed = ReadonlyMap<string, AbiType | undefined>;

/** What is known of an expression's value; no type if that is not known. */
export interface TolkValue {
  type: AbiType | undefined;
  /** If it is a variable or a field of one: `message.amount`. */
  path?: string | undefined;
  /** Of a condition: what else is known if it holds, and if it does not. */
  ifTrue?: Narrowed;
  ifFalse?: Narrowed;
  /** Of several in brackets: each. */
  parts?: readonly TolkValue[];
}

const int: AbiType = { kind: 'int' };
const bool: AbiType = { kind: 'bool' };

/** Longest first. */
const operators = [
  ...['<=>', '^>>', '~>>', '<<=', '>>=', '~/=', '^/='],
  ...[
    '==',
    '!=',
    '<=',
    '>=',
    '<<',
    '>>',
    '&&',
    '||',
    '+=',
    '-=',
    '*=',
    '/=',
    '%=',
    '&=',
    '|=',
    '^=',
    '~/',
    '^/',
    '??',
  ],
  ...['=', '<', '>', '+', '-', '*', '/', '%', '&', '|', '^', '!', '?'],
];
/** How tightly those with two operands bind. */
const strengths: Readonly<Record<string, number>> = {
  ...{ '??': 1, '&&': 1, '||': 1, '&': 2, '|': 2, '^': 2 },
  ...{ '==': 3, '!=': 3, '<': 3, '>': 3, '<=': 3, '>=': 3, '<=>': 3 },
  ...{ '<<': 4, '>>': 4, '~>>': 4, '^>>': 4, '+': 5, '-': 5, '*': 6, '/': 6, '%': 6, '~/': 6, '^/': 6 },
};
const assignments = /^(?:=|<<=|>>=|[~^]\/=|[-+*/%&|^]=)$/;

/** The operator at the place, of which each character is a token. */
export function operatorAt({ tokens, position }: TokenReader): string | undefined {
  let [text, end] = ['', tokens[position]?.offset];
  for (let place = position; place < position + 3 && tokens[place]?.offset === end; place++) {
    text += tokens[place]?.text ?? '';
    end = (tokens[place]?.offset ?? 0) + (tokens[place]?.text.length ?? 0);
  }
  return text.startsWith('=>') ? undefined : operators.find((one) => text.startsWith(one));
}

export function skipOperator(reader: TokenReader, operator: string): void {
  for (let length = 0; length < operator.length;) {
    length += reader.next().text.length;
  }
}

/** How tightly an operator binds its two operands; undefined for others. */
export function strengthOf(operator: string | undefined): number | undefined {
  return operator === undefined ? undefined : strengths[operator];
}

export function isAssignment(operator: string): boolean {
  return assignments.test(operator);
}

/** The opposite of a condition. */
export function negated({ ifTrue = new Map(), ifFalse = new Map() }: TolkValue): TolkValue {
  return { type: bool, ifTrue: ifFalse, ifFalse: ifTrue };
}

/** What an operator makes of two values. */
export function tolkOperation(
  types: TolkTypes,
  operator: string,
  left: TolkValue,
  right: TolkValue,
): TolkValue {
  switch (operator) {
    case '&&':
      return { type: bool, ifTrue: new Map([...(left.ifTrue ?? []), ...(right.ifTrue ?? [])]) };
    case '||':
      return { type: bool, ifFalse: new Map([...(left.ifFalse ?? []), ...(right.ifFalse ?? [])]) };
    case '==':
    case '!=': {
      const compared =
        right.type?.kind === 'null' ? left : left.type?.kind === 'null' ? right : { type: undefined };
      const facts = factsOf(types, compared, { kind: 'null' });
      return operator === '==' ? facts : negated(facts);
    }
    case '&':
    case '|':
    case '^': {
      const [a, b] = [left.type, right.type].map((type) => type && types.resolve(type).kind);
      return {
        type: a === undefined || b === undefined ? undefined : a === 'bool' && b === 'bool' ? bool : int,
      };
    }
    case '+':
    case '-':
      return {
        type: left.type && types.resolve(left.type).kind === 'coins' ? left.type : left.type && int,
      };
    case '??': {
      const rest = left.type && types.without(left.type, { kind: 'null' });
      return { type: types.joined(rest, right.type) };
    }
    default:
      return { type: strengths[operator] === 3 ? bool : int };
  }
}

/** What is known if a value is of a type, and if it is not. */
export function factsOf(types: TolkTypes, { path, type }: TolkValue, tested: AbiType): TolkValue {
  if (path === undefined) {
    return { type: bool, ifTrue: new Map(), ifFalse: new Map() };
  }
  const rest = type && types.without(type, tested);
  return { type: bool, ifTrue: new Map([[path, tested]]), ifFalse: new Map([[path, rest]]) };
}
