import type { AbiField, AbiType } from './abiType';
import { voidType } from './abiType';
import type { GetMethodSignature, SignatureParameter } from './getMethodSignature';
import { TypeResolver } from './typeResolver';
import type { TypeDeclaration } from './typeResolver';
import { limits } from '../limits';
import { SourceReadings } from './sourceReadings';
import { tactArgument } from './tactArgument';
import { tactStandardLibrary } from './tactStandardLibrary';
import { tactType } from './tactType';
import { numberOf, tokenize, TokenReader, UnexpectedToken } from './sourceTokens';

/** A contract or trait: its own getters and what it inherits. */
interface Unit {
  name: string;
  isContract: boolean;
  traits: string[];
  getters: GetMethodSignature[];
}

/**
 * The getters that a Tact text declares, contract by contract, with those of the traits of the standard library and
 * of those whose text is given. A text with only traits yields the traits' getters.
 *
 * @param imported texts that declare types and traits used here
 */
export function readTactSource(
  text: string,
  imported: readonly string[] = [],
  readings = new SourceReadings(),
): GetMethodSignature[] {
  const read = (one: string): TactReader =>
    readings.of('tact', one, () => {
      const reader = new TactReader(one);
      reader.readAll();
      return reader;
    });
  const own = read(text);
  const readers = [own, ...imported.map(read).reverse(), read(tactStandardLibrary)];
  const types = new TypeResolver((name) =>
    readers.find(({ declarations }) => declarations.has(name))?.declarations.get(name),
  );
  const unitNamed = (name: string): Unit | undefined =>
    readers.find(({ units }) => units.has(name))?.units.get(name);
  const ownUnits = new Set(own.units.values());
  const contracts = [...ownUnits].filter(({ isContract }) => isContract);
  const methods: GetMethodSignature[] = [];
  for (const unit of contracts.length > 0 ? contracts : ownUnits) {
    for (const getter of gettersOf(unit, unitNamed, ownUnits)) {
      if (methods.length === limits.sourceMethods.most) {
        return methods;
      }
      methods.push({
        ...getter,
        contract: unit.name,
        parameters: getter.parameters.map(({ name, type }) => ({
          name,
          type: tactArgument(types.resolve(type)),
        })),
        result: types.resolve(getter.result),
      });
    }
  }
  return methods;
}

/** A contract has only a handful of traits, inherited ones included. */
const mostTraits = 200;

/** A unit's getters, its own before inherited ones; offsets are kept only if they point into the text itself. */
function gettersOf(
  unit: Unit,
  unitNamed: (name: string) => Unit | undefined,
  ownUnits: ReadonlySet<Unit>,
): GetMethodSignature[] {
  const getters = new Map<string, GetMethodSignature>();
  const seen = new Set<string>();
  const visit = (current: Unit): void => {
    if (seen.has(current.name) || seen.size === mostTraits) {
      return;
    }
    seen.add(current.name);
    for (const getter of current.getters) {
      if (!getters.has(getter.name)) {
        const { offset: _, ...elsewhere } = getter;
        getters.set(getter.name, ownUnits.has(current) ? getter : elsewhere);
      }
    }
    for (const trait of current.traits) {
      const inherited = unitNamed(trait);
      if (inherited !== undefined) {
        visit(inherited);
      }
    }
  };
  visit(unit);
  return [...getters.values()];
}

class TactReader {
  readonly declarations = new Map<string, TypeDeclaration>();
  readonly units = new Map<string, Unit>();
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
        this.readStruct();
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

  private readStruct(): void {
    const { reader } = this;
    if (reader.peek() === '(') {
      reader.skipBalanced();
    }
    const { text: name } = reader.name();
    reader.expect('{');
    const fields: AbiField[] = [];
    while (!reader.take('}')) {
      fields.push(this.readField());
    }
    this.declarations.set(name, { parameters: [], type: { kind: 'struct', name, fields } });
  }

  private readField(): AbiField {
    const { reader } = this;
    const { text: name } = reader.name();
    reader.expect(':');
    const type = this.readType();
    while (![';', ',', '}'].includes(reader.peek())) {
      this.skipOne();
    }
    if (!reader.take(';')) {
      reader.take(',');
    }
    return { name, type };
  }

  private readUnit(isContract: boolean): void {
    const { reader } = this;
    const { text: name } = reader.name();
    const fields = reader.peek() === '(' ? this.readParameters() : [];
    const traits: string[] = [];
    if (reader.take('with')) {
      do {
        traits.push(reader.name().text);
      } while (reader.take(','));
    }
    const unit: Unit = { name, isContract, traits, getters: [] };
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
        const field = isField ? this.attempt(() => this.readField()) : undefined;
        if (field === undefined) {
          this.skipOne();
        } else {
          fields.push(field);
        }
        comment = isModifier(token?.text) ? comment : undefined;
      }
    }
    // A contract is a type too: the struct of its fields.
    this.declarations.set(name, { parameters: [], type: { kind: 'struct', name, fields } });
  }

  /** `contract Wallet(owner: Address, balance: Int as coins)`: parameters that are fields as well. */
  private readParameters(): AbiField[] {
    const { reader } = this;
    const start = reader.position;
    const fields = this.attempt(() => {
      reader.expect('(');
      return reader.list(')', (): AbiField => {
        const { text: name } = reader.name();
        reader.expect(':');
        return { name, type: this.readType() };
      });
    });
    if (fields === undefined) {
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

  private readGetter(unit: Unit, comment: string | undefined): void {
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
      return { name: parameter, type: this.readType() };
    });
    const result = reader.take(':') ? this.readType() : voidType;
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
  private readType(): AbiType {
    const { reader } = this;
    const { text: name } = reader.name();
    let type: AbiType;
    if (name === 'map') {
      type = this.readMap();
    } else if (reader.take('<')) {
      const inner = reader.list('>', () => this.readType());
      type = { kind: 'named', name, arguments: inner };
    } else {
      type = tactType(name, undefined);
    }
    let nullable = reader.take('?');
    if (reader.take('as')) {
      type = tactType(name, reader.name().text);
    }
    nullable = reader.take('?') || nullable;
    return nullable ? { kind: 'nullable', inner: type } : type;
  }

  private readMap(): AbiType {
    const { reader } = this;
    reader.expect('<');
    const [key, value] = reader.list('>', () => this.readType());
    if (key === undefined || value === undefined) {
      throw new UnexpectedToken('map');
    }
    return { kind: 'map', key, value };
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
