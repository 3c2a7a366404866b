import { WorkbenchError } from '../base/errors';
import { readInteger } from '../stack/integerText';
import { vmValue } from './debugValue';
import type { AccountNames, DebugValue } from './debugValue';

/** What names mean at a stop. */
export interface EvaluationScope {
  /** A variable, a slot such as `s0`, or a register; undefined if there is none. */
  find: (name: string) => DebugValue | undefined;
  nameOf: AccountNames;
  /** Why a name has no value, as the end of a sentence. */
  whyNot?: (path: string) => string;
}

/** Longest expression, in characters. */
const longest = 1_000;
/** As in the VM. */
const mostShifted = 1_023n;
/** Nested parentheses. */
const deepest = 50;

const tokenPattern =
  /\s*(0x[0-9a-fA-F]+|\d[\d_]*(?:(?:\.\d+)?(?:ton|nano(?:ton|coins?)?)\b)?|[A-Za-z_$][\w$?!]*(?:\.[A-Za-z_$][\w$?!]*)*|==|!=|<<|>>|<=|>=|&&|\|\||[-+*/%<>()![\].&|^])/y;

/** Operators by how strongly they bind, the weakest first; those on bits bind as in Tolk, before comparisons. */
const levels: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
];

/**
 * The value of an expression at a stop: names of the source, `s0`, `c4.field`, numbers, amounts such as `1.5ton`,
 * arithmetic, operators on bits, and comparisons.
 * Evaluating changes nothing.
 *
 * @throws WorkbenchError `expression-invalid` (input) if it cannot be read, or names nothing that is known here
 */
export function evaluate(text: string, scope: EvaluationScope): DebugValue {
  return new Evaluator(readTokens(text), scope).whole();
}

/**
 * The names in an expression, in their order, each once: `order.amount`, `c4.total`, `s0`.
 *
 * @throws WorkbenchError `expression-invalid` (input) if it cannot be read, or is empty
 */
export function expressionNames(text: string): string[] {
  const tokens = readTokens(text);
  if (tokens.length === 0) {
    throw invalid('There is nothing to evaluate.');
  }
  const isName = (token: string, index: number): boolean =>
    /^[A-Za-z_$]/.test(token) && tokens[index - 1] !== '.' && token !== 'true' && token !== 'false';
  return [...new Set(tokens.filter(isName))];
}

/** Whether a value counts as true: an integer that is not zero. */
export function isTrue(value: DebugValue): boolean {
  return intOf(value) !== 0n;
}

/** What was read last: watched expressions are evaluated at thousands of steps. */
let lastRead: { text: string; tokens: readonly string[] } = { text: '', tokens: [] };

function readTokens(text: string): readonly string[] {
  if (lastRead.text !== text) {
    lastRead = { text, tokens: splitTokens(text) };
  }
  return lastRead.tokens;
}

function splitTokens(text: string): string[] {
  if (text.length > longest) {
    throw invalid(`The expression is longer than ${longest} characters.`);
  }
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  const end = text.trimEnd().length;
  while (tokenPattern.lastIndex < end) {
    const at = tokenPattern.lastIndex;
    const [, token] = tokenPattern.exec(text) ?? [];
    if (token === undefined) {
      throw invalid(`Cannot read this expression at “${text.slice(at).trim().slice(0, 20)}”.`);
    }
    tokens.push(token);
  }
  return tokens;
}

class Evaluator {
  #at = 0;
  #depth = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly scope: EvaluationScope,
  ) {}

  whole(): DebugValue {
    if (this.tokens.length === 0) {
      throw invalid('There is nothing to evaluate.');
    }
    const value = this.#level(0);
    if (this.#at < this.tokens.length) {
      throw invalid(`Cannot read this expression at “${this.tokens[this.#at] ?? ''}”.`);
    }
    return value;
  }

  #level(level: number): DebugValue {
    const operators = levels[level];
    if (operators === undefined) {
      return this.#unary();
    }
    let left = this.#level(level + 1);
    for (let token = this.tokens[this.#at]; token !== undefined && operators.includes(token);) {
      this.#at += 1;
      left = this.#apply(token, left, this.#level(level + 1));
      token = this.tokens[this.#at];
    }
    return left;
  }

  #unary(): DebugValue {
    const token = this.tokens[this.#at];
    if (token === '-' || token === '!') {
      this.#at += 1;
      const value = intOf(this.#nested(() => this.#unary()));
      return token === '-' ? this.#int(-value) : truth(value === 0n);
    }
    return this.#postfix();
  }

  #postfix(): DebugValue {
    let value = this.#primary();
    for (;;) {
      if (this.#takes('[')) {
        const index = intOf(this.#nested(() => this.#level(0)));
        this.#expect(']');
        value = partNamed(value, `[${index}]`);
      } else if (this.#takes('.')) {
        const path = this.tokens[this.#at];
        this.#at += 1;
        value = (path ?? '').split('.').reduce(partNamed, value);
      } else {
        return value;
      }
    }
  }

  #primary(): DebugValue {
    const token = this.tokens[this.#at];
    this.#at += 1;
    if (token === '(') {
      const value = this.#nested(() => this.#level(0));
      this.#expect(')');
      return value;
    }
    if (token !== undefined && /^\d/.test(token)) {
      return this.#int(numberOf(token));
    }
    if (token === undefined || !/^[A-Za-z_$]/.test(token)) {
      throw invalid(
        token === undefined ? 'The expression is not complete.' : `A value is missing before “${token}”.`,
      );
    }
    return this.#named(token);
  }

  /** Names with dots are variables of their own where the compiler has taken a struct apart. */
  #named(path: string): DebugValue {
    if (path === 'true' || path === 'false') {
      return truth(path === 'true');
    }
    const names = path.split('.');
    for (let count = names.length; count > 0; count -= 1) {
      const found = this.scope.find(names.slice(0, count).join('.'));
      if (found !== undefined) {
        return names.slice(count).reduce(partNamed, found);
      }
    }
    const why = this.scope.whyNot?.(path);
    throw invalid(`${path} is not known here${why === undefined ? '' : `: ${why}`}.`);
  }

  #apply(operator: string, left: DebugValue, right: DebugValue): DebugValue {
    if ((operator === '==' || operator === '!=') && (!isInt(left) || !isInt(right))) {
      return truth((identity(left) === identity(right)) === (operator === '=='));
    }
    const [one, other] = [intOf(left), intOf(right)];
    switch (operator) {
      case '||':
        return truth(one !== 0n || other !== 0n);
      case '&&':
        return truth(one !== 0n && other !== 0n);
      case '==':
        return truth(one === other);
      case '!=':
        return truth(one !== other);
      case '<':
        return truth(one < other);
      case '<=':
        return truth(one <= other);
      case '>':
        return truth(one > other);
      case '>=':
        return truth(one >= other);
      case '+':
        return this.#int(one + other);
      case '-':
        return this.#int(one - other);
      case '*':
        return this.#int(one * other);
      case '|':
        return this.#int(one | other);
      case '^':
        return this.#int(one ^ other);
      case '&':
        return this.#int(one & other);
      case '<<':
      case '>>':
        if (other < 0n || other > mostShifted) {
          throw invalid(`Numbers are shifted by 0 to ${mostShifted} bits.`);
        }
        return this.#int(operator === '<<' ? one << other : one >> other);
      default:
        if (other === 0n) {
          throw invalid('Cannot divide by zero.');
        }
        return this.#int(floorDivide(one, other, operator === '%'));
    }
  }

  #int(value: bigint): DebugValue {
    return vmValue({ type: 'int', value }, this.scope.nameOf);
  }

  #nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > deepest) {
      throw invalid('The expression has too many parentheses.');
    }
    const value = read();
    this.#depth -= 1;
    return value;
  }

  #takes(token: string): boolean {
    const isNext = this.tokens[this.#at] === token;
    this.#at += isNext ? 1 : 0;
    return isNext;
  }

  #expect(token: string): void {
    if (!this.#takes(token)) {
      throw invalid(`A “${token}” is missing.`);
    }
  }
}

/** `42`, `0x2a`, `1_000`, `1.5ton`. */
function numberOf(token: string): bigint {
  const read = readInteger(token);
  if ('problem' in read) {
    throw invalid(`Cannot read ${token}: ${read.problem}.`);
  }
  return read.value;
}

/** As in TON's languages: the quotient is rounded down, and the rest has the sign of the divisor. */
function floorDivide(one: bigint, other: bigint, wantsRest: boolean): bigint {
  const rest = ((one % other) + other) % other;
  return wantsRest ? rest : (one - rest) / other;
}

function truth(isSo: boolean): DebugValue {
  return {
    text: String(isSo),
    type: 'bool',
    value: () => ({ type: 'int', value: isSo ? -1n : 0n }),
    stackText: () => (isSo ? '-1' : '0'),
  };
}

function partNamed(value: DebugValue, name: string): DebugValue {
  const parts = value.parts?.();
  const part = parts?.find((one) => one.name === name);
  if (part === undefined) {
    const count =
      name.startsWith('[') && parts !== undefined ? ` It is a ${value.text}, counted from 0.` : '';
    throw invalid(`There is no ${name} in it.${count}`);
  }
  return part.value;
}

function isInt(value: DebugValue): boolean {
  return value.value?.().type === 'int';
}

function intOf(value: DebugValue): bigint {
  const read = value.value?.();
  if (read?.type !== 'int') {
    throw invalid(`${value.text} is not a number.`);
  }
  return read.value;
}

/** Cells are equal if their hashes are. */
function identity(value: DebugValue): string {
  const read = value.value?.();
  return read !== undefined && 'cell' in read ? read.cell.hash().toString('hex') : value.text;
}

function invalid(message: string): WorkbenchError {
  return new WorkbenchError({ code: 'expression-invalid', kind: 'input', message });
}
