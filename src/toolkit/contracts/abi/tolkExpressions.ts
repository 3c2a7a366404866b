import type { AbiType } from './abiType';
import { readTolkType } from './readTolkType';
import { bare, isTolkName } from './tolkFunctions';
import { TolkFlow } from './tolkFlow';
import type { TolkRange } from './tolkHeads';
import { neverType } from './tolkHeads';
import type { TolkValue } from './tolkOperation';
import {
  factsOf,
  isAssignment,
  negated,
  operatorAt,
  skipOperator,
  strengthOf,
  tolkOperation,
} from './tolkOperation';
import type { CalledTolkFunction, TolkTypes } from './tolkTypes';
import { withBound } from './tolkTypes';
import { TokenReader, UnexpectedToken, numberOf } from './tokenize';

const int: AbiType = { kind: 'int' };
const bool: AbiType = { kind: 'bool' };
/** A text in quotes: a slice before Tolk 1.3, and a string since. */
const literalText: AbiType = { kind: 'named', name: 'text in quotes', arguments: [] };

/** Finds out the types of expressions as Tolk's compiler does, reading each once from left to right. */
export abstract class TolkExpressions extends TolkFlow {
  protected readonly reader: TokenReader;
  protected readonly closers: ReadonlyMap<number, number>;

  constructor(types: TolkTypes, range: TolkRange) {
    super(types);
    this.reader = new TokenReader(range.tokens);
    this.reader.position = range.from;
    this.closers = range.closers;
  }

  /** What a function returns. */
  protected abstract functionResult(called: CalledTolkFunction): AbiType | undefined;
  /** What a constant or a global is. */
  protected abstract constantType(name: string): AbiType | undefined;
  /** What `match (x) { … }` is; its arms can be blocks. */
  protected abstract match(): AbiType | undefined;

  /** Reads one expression. */
  protected expression(): TolkValue {
    return this.reader.nested(() => {
      const value = this.#choice();
      const operator = operatorAt(this.reader);
      if (operator === undefined || !isAssignment(operator)) {
        return value;
      }
      skipOperator(this.reader, operator);
      const given = this.expression();
      if (operator !== '=') {
        return { type: value.type };
      }
      this.assign(value, given.type);
      return { type: given.type };
    });
  }

  /** `condition ? a : b` */
  #choice(): TolkValue {
    const condition = this.#binary(1);
    if (operatorAt(this.reader) !== '?') {
      return condition;
    }
    this.reader.next();
    const { way, join } = this.fork();
    const a = way(() => {
      this.learn(condition.ifTrue);
      const { type } = this.reader.nested(() => this.#choice());
      this.reader.expect(':');
      return type;
    });
    const b = way(() => {
      this.learn(condition.ifFalse);
      return this.reader.nested(() => this.#choice()).type;
    });
    join();
    return { type: this.types.joined(a, b) };
  }

  #binary(least: number): TolkValue {
    let left = this.#cast();
    for (;;) {
      const operator = operatorAt(this.reader);
      const strength = strengthOf(operator);
      if (operator === undefined || strength === undefined || strength < least) {
        return left;
      }
      skipOperator(this.reader, operator);
      const before = new Map(this.narrowed);
      this.learn(operator === '&&' ? left.ifTrue : operator === '||' ? left.ifFalse : undefined);
      const right = this.reader.nested(() => this.#binary(strength + 1));
      if (operator === '&&' || operator === '||') {
        this.narrowed = before;
      }
      left = tolkOperation(this.types, operator, left, right);
    }
  }

  /** `x as T`, `x is T`, `x !is T` */
  #cast(): TolkValue {
    const { reader } = this;
    let value = this.#unary();
    for (;;) {
      if (reader.take('as')) {
        value = { type: readTolkType(reader) };
      } else if (reader.peek() === 'is' || (reader.peek() === '!' && reader.peek(1) === 'is')) {
        const isNot = reader.take('!');
        reader.next();
        const facts = factsOf(this.types, value, readTolkType(reader));
        value = isNot ? negated(facts) : facts;
      } else {
        return value;
      }
    }
  }

  #unary(): TolkValue {
    const { reader } = this;
    switch (reader.peek()) {
      case '!': {
        reader.next();
        return negated(reader.nested(() => this.#unary()));
      }
      case '-':
      case '+':
      case '~':
        reader.next();
        reader.nested(() => this.#unary());
        return { type: int };
      case 'lazy':
        reader.next();
        return { type: reader.nested(() => this.#unary()).type };
      case 'match':
        return this.#behind({ type: this.match() });
      default:
        return this.#behind(this.#primary());
    }
  }

  /** `.field`, `.method(…)`, and `!` behind a value. */
  #behind(start: TolkValue): TolkValue {
    const { reader } = this;
    let value = start;
    for (;;) {
      if (reader.peek() === '.') {
        reader.next();
        value = this.#member(value);
      } else if (reader.peek() === '!' && operatorAt(this.reader) === '!' && reader.peek(1) !== 'is') {
        reader.next();
        value = { type: value.type && this.types.without(value.type, { kind: 'null' }) };
      } else if (reader.peek() === '(' && reader.tokens[reader.position]?.startsLine === false) {
        // What is called is not known.
        this.#arguments();
        value = { type: undefined };
      } else {
        return value;
      }
    }
  }

  #member({ type, path }: TolkValue): TolkValue {
    const { reader } = this;
    const name = bare(reader.next().text);
    const given = this.#typeArguments();
    if (reader.peek() !== '(') {
      const own = path === undefined ? undefined : `${path}.${name}`;
      const part =
        own !== undefined && this.narrowed.has(own)
          ? this.narrowed.get(own)
          : type && this.types.partOf(type, name);
      return { type: part, path: own };
    }
    const on: AbiType | undefined = type === literalText ? { kind: 'string', isCell: true } : type;
    const called = on && this.types.methodNamed(name, on);
    const result = this.#call(called, given, on);
    if (path !== undefined && called?.head.parameters[0]?.mutates === true) {
      this.forget(path);
    }
    return { type: result };
  }

  #call(
    called: CalledTolkFunction | undefined,
    given: readonly AbiType[],
    self: AbiType | undefined,
  ): AbiType | undefined {
    const values = this.#arguments();
    if (called === undefined) {
      return undefined;
    }
    const { head, bound } = called;
    head.typeParameters.forEach((name, place) => given[place] && bound.set(name, given[place]));
    // A method that is called on its type has no self.
    const own = head.parameters[0]?.name === 'self' ? head.parameters.slice(1) : head.parameters;
    own.forEach(({ type }, place) => {
      const value = values[place];
      if (type !== undefined && value !== undefined && head.typeParameters.length > given.length) {
        this.types.bind(type, value, bound);
      }
    });
    const result = this.functionResult(called);
    this.isDead ||= result === neverType;
    return result?.kind === 'named' && result.name === 'self' ? self : result && withBound(result, bound);
  }

  /** The types of what is between brackets. */
  #arguments(): (AbiType | undefined)[] {
    this.reader.expect('(');
    return this.reader.list(')', () => {
      const isMutable = this.reader.take('mutate');
      const { type, path } = this.expression();
      if (isMutable && path !== undefined) {
        this.forget(path);
      }
      return type;
    });
  }

  /** `<int, slice>` behind a name; none if the `<` compares. */
  #typeArguments(): AbiType[] {
    const { reader } = this;
    const start = reader.position;
    if (!reader.take('<')) {
      return [];
    }
    try {
      const types = reader.list('>', () => readTolkType(reader));
      if (/^[({[.]$/.test(reader.peek())) {
        return types;
      }
    } catch (error) {
      if (!(error instanceof UnexpectedToken)) {
        throw error;
      }
    }
    reader.position = start;
    return [];
  }

  #primary(): TolkValue {
    const { reader, types } = this;
    const start = reader.position;
    const { text } = reader.next();
    switch (text) {
      case 'true':
      case 'false':
        return { type: bool };
      case 'null':
        return { type: { kind: 'null' } };
      case '(': {
        const items = reader.list(')', () => this.expression());
        const [only] = items;
        return items.length === 1 && only !== undefined
          ? only
          : { type: severalOf('tensor', items), parts: items };
      }
      case '[':
        return this.#list(reader.list(']', () => this.expression()));
      case '{':
        // Of a type that stands elsewhere.
        reader.position = (this.closers.get(start) ?? start) + 1;
        return { type: undefined };
      case 'fun':
        return this.#lambda();
    }
    if (numberOf(text) !== undefined) {
      return { type: int };
    }
    if (text.startsWith('"')) {
      return { type: literalText };
    }
    if (!isTolkName(text)) {
      throw new UnexpectedToken(text);
    }
    const name = bare(text);
    const scope = this.scopes.findLast((one) => one.has(name));
    if (scope !== undefined) {
      return { type: this.narrowed.has(name) ? this.narrowed.get(name) : scope.get(name), path: name };
    }
    const given = this.#typeArguments();
    const next = reader.peek();
    if (next === '(') {
      return { type: this.#call(types.functionNamed(name), given, undefined) };
    }
    reader.position = start;
    const type = types.valueNamed(name) === undefined ? this.#typeHere() : undefined;
    if (type === undefined) {
      reader.position = start + 1;
      return { type: this.constantType(name) };
    }
    if (reader.peek() === '{') {
      return { type: this.#literal(type) };
    }
    if (reader.peek() === '[') {
      reader.next();
      reader.list(']', () => this.expression());
      return { type };
    }
    if (reader.peek() === '.' && reader.peek(2) !== '(' && reader.peek(2) !== '<') {
      // `Color.Red`
      reader.next();
      reader.next();
      return { type: types.resolve(type).kind === 'enum' ? type : undefined };
    }
    return { type };
  }

  /** A type that stands before `{`, `[`, or `.`. */
  #typeHere(): AbiType | undefined {
    const { reader } = this;
    const type = readTolkType(reader);
    return /^[{[.]$/.test(reader.peek()) && this.types.isType(type) ? type : undefined;
  }

  /** `Point { x: 1, y }`: a generic struct's arguments follow from its fields. */
  #literal(type: AbiType): AbiType | undefined {
    const { reader } = this;
    const declared =
      type.kind === 'named' && type.arguments.length === 0 ? this.types.find(type.name) : undefined;
    const bound = new Map<string, AbiType>();
    reader.expect('{');
    reader.list('}', () => {
      const start = reader.position;
      const { text: name } = reader.name();
      if (!reader.take(':')) {
        reader.position = start;
      }
      const value = this.expression().type;
      const field =
        declared?.type.kind === 'struct' ? declared.type.fields.find((one) => one.name === name) : undefined;
      if (field !== undefined && value !== undefined && declared!.parameters.length > 0) {
        this.types.bind(field.type, value, bound);
      }
    });
    const given = declared?.parameters.map((name) => bound.get(name)) ?? [];
    const known = given.filter((one) => one !== undefined);
    return type.kind === 'named' && given.length > 0
      ? known.length === given.length
        ? { ...type, arguments: known }
        : undefined
      : type;
  }

  /** A list of values of one type is an array since Tolk 1.3; others are tuples. */
  #list(items: readonly TolkValue[]): TolkValue {
    const [first] = items;
    if (first === undefined) {
      return { type: { kind: 'array', inner: { kind: 'unknown' } } };
    }
    const several = severalOf('typedTuple', items);
    const inner = items.reduce<AbiType | undefined>(
      (type, item) => this.types.joined(type, item.type),
      first.type,
    );
    return {
      type: inner === undefined || several === undefined ? several : { kind: 'array', inner },
      parts: items,
    };
  }

  /** A function in an expression: what it does is not done here. */
  #lambda(): TolkValue {
    const { reader } = this;
    while (reader.peek() !== '{') {
      reader.position = (this.closers.get(reader.position) ?? reader.position) + 1;
      if (reader.peek() === '') {
        throw new UnexpectedToken('a function without a body');
      }
    }
    reader.position = (this.closers.get(reader.position) ?? reader.position) + 1;
    return { type: { kind: 'continuation' } };
  }
}

/** Several values in one, if all of their types are known. */
function severalOf(kind: 'tensor' | 'typedTuple', values: readonly TolkValue[]): AbiType | undefined {
  const items = values.flatMap(({ type }) => type ?? []);
  return items.length < values.length
    ? undefined
    : items.length === 0 && kind === 'tensor'
      ? { kind: 'void' }
      : { kind, items };
}
