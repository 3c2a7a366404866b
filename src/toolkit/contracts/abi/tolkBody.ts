import type { AbiType } from './abiType';
import { unknownType } from './abiType';
import { readTolkType } from './readTolkType';
import { TolkExpressions } from './tolkExpressions';
import { bare, isTolkName } from './tolkFunctions';
import type { TolkHead, TolkRange } from './tolkHeads';
import { neverType } from './tolkHeads';
import type { Narrowed, TolkValue } from './tolkOperation';
import type { CalledTolkFunction, TolkTypes } from './tolkTypes';
import { UnexpectedToken } from './tokenize';

/** Reads the body of a function, statement by statement. */
export class TolkBody extends TolkExpressions {
  readonly #to: number;
  /** What each `return` returns. */
  readonly #returned: (AbiType | undefined)[] = [];

  constructor(
    types: TolkTypes,
    range: TolkRange,
    private readonly results: {
      of: (head: TolkHead) => AbiType | undefined;
      constant: (name: string) => AbiType | undefined;
    },
  ) {
    super(types, range);
    this.#to = range.to;
  }

  /** The type of the expression that the range begins with. */
  value(): AbiType | undefined {
    return this.expression().type;
  }

  resultOf({ parameters, receiver }: TolkHead): AbiType | undefined {
    for (const { name, type } of parameters) {
      this.scopes[0]?.set(name, name === 'self' ? (type ?? receiver) : type);
    }
    while (this.reader.position < this.#to) {
      this.#statement();
    }
    return this.#returned.length === 0
      ? this.isDead
        ? neverType
        : { kind: 'void' }
      : this.#returned.reduce((a, b) => this.types.joined(a, b));
  }

  protected functionResult({ head }: CalledTolkFunction): AbiType | undefined {
    return this.results.of(head);
  }

  protected constantType(name: string): AbiType | undefined {
    return this.results.constant(name);
  }

  #block(): void {
    const { reader } = this;
    reader.expect('{');
    this.scopes.push(new Map());
    while (!reader.take('}')) {
      this.#statement();
    }
    this.scopes.pop();
  }

  #statement(): void {
    this.reader.nested(() => this.#readStatement());
  }

  #readStatement(): void {
    const { reader } = this;
    const text = reader.peek();
    switch (text) {
      case ';':
        reader.next();
        return;
      case '{':
        this.#block();
        return;
      case 'val':
      case 'var':
        this.#declaration();
        break;
      case 'return': {
        reader.next();
        const type = /^[;},]?$/.test(reader.peek()) ? ({ kind: 'void' } as const) : this.expression().type;
        if (!this.isDead) {
          this.#returned.push(type);
        }
        this.isDead = true;
        break;
      }
      case 'throw':
        reader.next();
        this.expression();
        this.isDead = true;
        break;
      case 'assert':
        this.#assertion();
        break;
      case 'if':
        this.#if();
        return;
      case 'while':
      case 'repeat':
      case 'do':
        this.#loop();
        break;
      case 'try':
        this.#try();
        return;
      default:
        this.expression();
    }
    reader.take(';');
  }

  /** `val x = …`, `var (a, b: int) = …`, and those without a value. */
  #declaration(): TolkValue {
    const { reader } = this;
    reader.next();
    const start = reader.position;
    const names = this.#names();
    const given = reader.take('=') ? this.expression().type : undefined;
    const end = reader.position;
    names(given);
    reader.position = end;
    const name = bare(reader.tokens[start]?.text ?? '');
    return { type: this.declaredType(name), path: isTolkName(name) ? name : undefined };
  }

  /** Reads the names on the left, which are declared with their types once that of the value is known. */
  #names(): (given: AbiType | undefined) => void {
    const { reader } = this;
    const bracket = reader.peek();
    if (bracket === '(' || bracket === '[') {
      reader.next();
      const parts = reader.list(bracket === '(' ? ')' : ']', () => this.#names());
      return (given) =>
        parts.forEach((part, place) => part(given && this.types.partOf(given, String(place))));
    }
    const name = reader.name().text;
    const declared = reader.take(':') ? readTolkType(reader) : undefined;
    // A variable that was declared before is given another value.
    const isOld = reader.take('redef');
    return (given) => {
      if (isOld) {
        this.assign({ type: this.declaredType(name), path: name }, given);
        return;
      }
      this.scopes.at(-1)?.set(name, declared ?? given);
      this.forget(name);
      if (declared !== undefined && given !== undefined) {
        this.assign({ type: declared, path: name }, given);
      }
    };
  }

  /** `assert (condition) throw 5`, `assert(condition, 5)` */
  #assertion(): void {
    const { reader } = this;
    reader.next();
    reader.expect('(');
    const { ifTrue } = this.expression();
    if (reader.take(',')) {
      this.expression();
    }
    reader.expect(')');
    if (reader.take('throw')) {
      this.expression();
    }
    this.learn(ifTrue);
  }

  #if(): void {
    const { reader } = this;
    reader.next();
    const { ifTrue, ifFalse } = this.#condition();
    const { way, join } = this.fork();
    way(() => {
      this.learn(ifTrue);
      this.#block();
    });
    way(() => {
      this.learn(ifFalse);
      if (reader.take('else')) {
        this.#statement();
      }
    });
    join();
  }

  #condition(): TolkValue {
    this.reader.expect('(');
    const value = this.expression();
    this.reader.expect(')');
    return value;
  }

  #loop(): void {
    const { reader } = this;
    const word = reader.next().text;
    const close = this.closers.get(reader.position) ?? reader.position;
    this.#forgetAssigned(reader.position, word === 'do' ? close : (this.closers.get(close + 1) ?? close));
    if (word === 'do') {
      this.#block();
      reader.expect('while');
      this.learn(this.#condition().ifFalse);
      return;
    }
    const { ifTrue, ifFalse } = this.#condition();
    const { way, join } = this.fork();
    way(() => {
      this.learn(ifTrue);
      this.#block();
    });
    way(() => {});
    join();
    this.learn(word === 'while' ? ifFalse : undefined);
  }

  /** In the next round, variables to which a loop assigns have other values. */
  #forgetAssigned(from: number, to: number): void {
    const { tokens } = this.reader;
    const isAssigned = (place: number): boolean =>
      tokens[place + 1]?.text === '=' && tokens[place + 2]?.text !== '=';
    for (let place = from; place < to; place++) {
      const close = this.closers.get(place) ?? place;
      const isMutable = tokens[place - 1]?.text === 'mutate';
      if (isMutable || isAssigned(close)) {
        for (const { text } of tokens.slice(place, close + 1)) {
          this.forget(bare(text));
        }
      }
    }
  }

  #try(): void {
    const { reader } = this;
    reader.next();
    this.#forgetAssigned(reader.position, this.closers.get(reader.position) ?? reader.position);
    const { way, join } = this.fork();
    way(() => this.#block());
    way(() => {
      if (!reader.take('catch')) {
        return;
      }
      this.scopes.push(new Map());
      if (reader.take('(')) {
        const [code, argument] = reader.list(')', () => reader.name().text);
        this.scopes.at(-1)?.set(code ?? '', { kind: 'int' });
        this.scopes.at(-1)?.set(argument ?? '', unknownType);
      }
      this.#block();
      this.scopes.pop();
    });
    join();
  }

  protected match(): AbiType | undefined {
    const { reader } = this;
    reader.next();
    this.scopes.push(new Map());
    reader.expect('(');
    const subject =
      reader.peek() === 'val' || reader.peek() === 'var' ? this.#declaration() : this.expression();
    reader.expect(')');
    reader.expect('{');
    const { way, join } = this.fork();
    let isWhole = false;
    let rest: Narrowed = new Map();
    let result: AbiType | undefined = neverType;
    while (!reader.take('}')) {
      const type = way(() => {
        this.learn(rest);
        const pattern = this.#pattern(subject);
        isWhole ||= pattern.isWhole;
        rest = new Map([...rest, ...pattern.ifFalse]);
        this.learn(pattern.ifTrue);
        reader.expect('=>');
        return reader.nested(() => this.#arm());
      });
      result = this.types.joined(result, type);
      reader.take(',');
    }
    if (!isWhole) {
      way(() => this.learn(rest));
    }
    join();
    this.scopes.pop();
    return result;
  }

  /** What stands before `=>`: a type, values, or `else`. Types and members of an enum are all listed, or there is an else. */
  #pattern(subject: TolkValue): { isWhole: boolean; ifTrue: Narrowed; ifFalse: Narrowed } {
    const { reader } = this;
    if (reader.take('else')) {
      return { isWhole: true, ifTrue: new Map(), ifFalse: new Map() };
    }
    const start = reader.position;
    const type = this.#typePattern();
    if (type === undefined) {
      reader.position = start;
      const value = this.expression().type;
      const isMember = value !== undefined && this.types.resolve(value).kind === 'enum';
      return { isWhole: isMember, ifTrue: new Map(), ifFalse: new Map() };
    }
    const path = subject.path;
    const left =
      path === undefined ? undefined : this.narrowed.has(path) ? this.narrowed.get(path) : subject.type;
    const remains = left && this.types.without(left, type);
    return path === undefined
      ? { isWhole: true, ifTrue: new Map(), ifFalse: new Map() }
      : { isWhole: true, ifTrue: new Map([[path, type]]), ifFalse: new Map([[path, remains]]) };
  }

  #typePattern(): AbiType | undefined {
    const { reader } = this;
    const first = bare(reader.peek());
    if (!/^[\p{L}_$([`]/u.test(reader.peek()) || this.types.valueNamed(first) !== undefined) {
      return undefined;
    }
    try {
      const type = readTolkType(reader);
      return reader.peek() === '=>' && this.types.isType(type) ? type : undefined;
    } catch (error) {
      if (error instanceof UnexpectedToken) {
        return undefined;
      }
      throw error;
    }
  }

  /** A block, a statement that leaves, or a value. */
  #arm(): AbiType | undefined {
    if (/^(?:\{|return|throw)$/.test(this.reader.peek())) {
      this.#statement();
      return this.isDead ? neverType : { kind: 'void' };
    }
    const { type } = this.expression();
    return this.isDead ? neverType : type;
  }
}
