import type { AbiField, AbiType } from './abiType';
import { voidType } from './abiType';
import type { GetMethodSignature, SignatureParameter } from './getMethodSignature';
import { TokenReader, UnexpectedToken, defaultText, numberOf, tokenize } from './tokenize';
import { tactAbiType } from './tactAbiType';
import type { TactFieldType } from './tactFieldType';
import { tactFieldType } from './tactFieldType';
import type { TypeDeclaration } from './typeResolver';

/** A contract or trait: its own getters and what it inherits. */
export interface TactUnit {
  name: string;
  isContract: boolean;
  traits: string[];
  getters: GetMethodSignature[];
  /** The types of the messages it receives, internal and external. */
  received: string[];
  /** The arguments of `init`; undefined if it declares none, and starts with the defaults of its fields. */
  init?: readonly TactCellField[];
  /** `contract Wallet(owner: Address)`: its data is given at deployment, and no init has to run. */
  hasParameters: boolean;
}

/** How a source lays out a struct, a message, or a contract's data in cells. */
export interface TactCells {
  kind: 'struct' | 'message' | 'contract';
  name: string;
  fields: TactCellField[];
  /** The tokens of a message's opcode; undefined if the compiler computes it. */
  opcode?: readonly string[];
}

export interface TactCellField {
  name: string;
  type: TactFieldType;
  comment?: string;
  defaultText?: string;
}

/** Reads the top level of a Tact text. */
export class TactReader {
  readonly declarations = new Map<string, TypeDeclaration>();
  readonly units = new Map<string, TactUnit>();
  readonly cells = new Map<string, TactCells>();
  /** Constants that are plain numbers. */
  readonly constants = new Map<string, bigint>();
  private readonly reader: TokenReader;

  constructor(text: string) {
    this.reader = new TokenReader(tokenize(text, 'tact'));
  }

  readAll(): void {
    const { reader } = this;
    while (!reader.atEnd()) {
      const start = reader.position;
      try {
        this.readDeclaration();
      } catch (error) {
        if (!(error instanceof UnexpectedToken)) {
          throw error;
        }
        reader.recover(start + 1);
      }
    }
  }

  private readDeclaration(): void {
    const { reader } = this;
    const { text } = reader.next();
    switch (text) {
      case 'struct':
      case 'message':
        this.readStruct(text);
        break;
      case 'const':
        this.readConstant();
        break;
      case 'contract':
      case 'trait':
        this.readUnit(text === 'contract');
        break;
      case '{':
        reader.position--;
        reader.skipBalanced();
        break;
    }
  }

  private readStruct(kind: 'struct' | 'message'): void {
    const { reader } = this;
    const start = reader.position;
    if (reader.peek() === '(') {
      reader.skipBalanced();
    }
    const opcode = this.wordsFrom(start).slice(1, -1);
    const { text: name } = reader.name();
    reader.expect('{');
    const fields: AbiField[] = [];
    const cells: TactCells = { kind, name, fields: [], ...(opcode.length === 0 ? {} : { opcode }) };
    while (!reader.take('}')) {
      fields.push(this.readField(cells));
      this.skipSeparator();
    }
    const [number = '', ...others] = opcode;
    const value = others.length === 0 ? numberOf(number) : undefined;
    const type: AbiType = { kind: 'struct', name, fields };
    this.declarations.set(name, {
      parameters: [],
      // Only the layouts of messages compute opcodes that are not plain numbers.
      type:
        kind === 'struct'
          ? type
          : value === undefined
            ? { ...type, customName: name }
            : { ...type, prefix: { value, bits: 32 } },
    });
    this.cells.set(name, cells);
  }

  /** `const OpMint: Int = 0x15;`; other values are skipped. */
  private readConstant(): void {
    const { reader } = this;
    const { text: name } = reader.name();
    const [colon, type, equals, number = '', end] = [0, 1, 2, 3, 4].map((ahead) => reader.peek(ahead));
    const value = numberOf(number);
    if (`${colon}${type}${equals}${end}` === ':Int=;' && value !== undefined) {
      this.constants.set(name, value);
    }
  }

  /** Adds it to `cells` as well. */
  private readField(cells: TactCells): AbiField {
    const { reader } = this;
    const { text: name, comment } = reader.name();
    reader.expect(':');
    const type = this.readType();
    const ends = [';', ',', '}', ')'];
    const first = reader.take('=') ? reader.position : undefined;
    while (!ends.includes(reader.peek())) {
      this.skipOne();
    }
    const given = first === undefined ? undefined : reader.tokens.slice(first, reader.position);
    cells.fields.push({
      name,
      type,
      ...(comment === undefined ? {} : { comment }),
      ...(given === undefined ? {} : { defaultText: defaultText(given) }),
    });
    return { name, type: tactAbiType(type), stored: type };
  }

  /** The tokens from a position up to the current one. */
  private wordsFrom(start: number): string[] {
    return this.reader.tokens.slice(start, this.reader.position).map(({ text }) => text);
  }

  private readUnit(isContract: boolean): void {
    const { reader } = this;
    const { text: name } = reader.name();
    const cells: TactCells = { kind: 'contract', name, fields: [] };
    const hasParameters = reader.peek() === '(';
    const fields = hasParameters ? this.readParameters(cells) : [];
    const traits: string[] = [];
    if (reader.take('with')) {
      do {
        traits.push(reader.name().text);
      } while (reader.take(','));
    }
    const unit: TactUnit = { name, isContract, traits, getters: [], received: [], hasParameters };
    this.units.set(name, unit);
    reader.expect('{');
    let comment: string | undefined;
    while (!reader.take('}')) {
      const token = reader.tokens[reader.position];
      comment = token?.comment ?? comment;
      if (token?.text === 'get' && (['fun', '('].includes(reader.peek(1)) || isModifier(reader.peek(1)))) {
        this.readGetter(unit, comment);
        comment = undefined;
      } else {
        const isField = reader.peek(1) === ':' && reader.peek(-1) !== 'const';
        const field = isField ? this.attempt(() => this.readField(cells)) : undefined;
        if (field === undefined) {
          this.noteReceiver(unit);
          this.noteInit(unit);
          this.skipOne();
        } else {
          fields.push(field);
          this.skipSeparator();
        }
        comment = isModifier(token?.text) ? comment : undefined;
      }
    }
    if (isContract) {
      this.cells.set(name, cells);
    }
    // A contract is a type too: the struct of its fields.
    this.declarations.set(name, { parameters: [], type: { kind: 'struct', name, fields } });
  }

  /** `receive(msg: Mint)`, `external(msg: Mint)`. */
  private noteReceiver(unit: TactUnit): void {
    const [word = '', open, , colon, type = ''] = [0, 1, 2, 3, 4].map((ahead) => this.reader.peek(ahead));
    if (['receive', 'external'].includes(word) && open === '(' && colon === ':') {
      unit.received.push(type);
    }
  }

  /** `init(owner: Address, id: Int as uint32)`. */
  private noteInit(unit: TactUnit): void {
    const { reader } = this;
    if (reader.peek() !== 'init' || reader.peek(1) !== '(') {
      return;
    }
    const start = reader.position;
    const cells: TactCells = { kind: 'struct', name: 'init', fields: [] };
    reader.next();
    const fields = this.attempt(() => {
      reader.expect('(');
      return reader.list(')', () => this.readField(cells));
    });
    unit.init = fields === undefined ? [] : cells.fields;
    reader.position = start;
  }

  private skipSeparator(): void {
    if (!this.reader.take(';')) {
      this.reader.take(',');
    }
  }

  /** `contract Wallet(owner: Address, balance: Int as coins)`: parameters that are fields as well. */
  private readParameters(cells: TactCells): AbiField[] {
    const { reader } = this;
    const start = reader.position;
    const fields = this.attempt(() => {
      reader.expect('(');
      return reader.list(')', () => this.readField(cells));
    });
    if (fields === undefined) {
      cells.fields = [];
      reader.position = start;
      reader.skipBalanced();
    }
    return fields ?? [];
  }

  private attempt<T>(read: () => T): T | undefined {
    const start = this.reader.position;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnexpectedToken)) {
        throw error;
      }
      this.reader.position = start;
      return undefined;
    }
  }

  private readGetter(unit: TactUnit, comment: string | undefined): void {
    const { reader } = this;
    reader.expect('get');
    let methodId: bigint | undefined;
    if (reader.peek() === '(') {
      methodId = reader.peek(2) === ')' ? numberOf(reader.peek(1)) : undefined;
      reader.skipBalanced();
    }
    while (isModifier(reader.peek())) {
      reader.next();
    }
    reader.expect('fun');
    const name = reader.name();
    reader.expect('(');
    const parameters = reader.list(')', (): SignatureParameter => {
      const { text: parameter } = reader.name();
      reader.expect(':');
      return { name: parameter, type: tactAbiType(this.readType()) };
    });
    const result = reader.take(':') ? tactAbiType(this.readType()) : voidType;
    unit.getters.push({
      name: name.text,
      ...(methodId === undefined ? {} : { methodId: Number(methodId) }),
      parameters,
      result,
      origin: 'Tact source',
      ...(comment === undefined ? {} : { comment }),
      offset: name.offset,
    });
    if (reader.peek() === '{') {
      reader.skipBalanced();
    }
  }

  /** `Int`, `Int as uint32`, `Address?`, `Int? as coins`, `map<Int as uint8, Bool>`, a struct. */
  private readType(): TactFieldType {
    const { reader } = this;
    const start = reader.position;
    this.skipType();
    const words = this.wordsFrom(start);
    if (words[0] === 'map' && !words.includes(',')) {
      throw new UnexpectedToken('map');
    }
    return tactFieldType(words);
  }

  private skipType(): void {
    const { reader } = this;
    reader.name();
    if (reader.take('<')) {
      reader.list('>', () => this.skipType());
    }
    reader.take('?');
    if (reader.take('as')) {
      reader.name();
    }
    reader.take('?');
  }

  private skipOne(): void {
    if (/^[([{]$/.test(this.reader.peek())) {
      this.reader.skipBalanced();
    } else {
      this.reader.next();
    }
  }
}

function isModifier(word: string | undefined): boolean {
  return (
    word !== undefined && ['virtual', 'override', 'abstract', 'inline', 'extends', 'mutates'].includes(word)
  );
}
