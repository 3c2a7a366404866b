import { limits } from '../../base/limits';
import type { AbiField, AbiType, TypePrefix } from './abiType';
import { unknownType, voidType } from './abiType';
import type { GetMethodSignature, SignatureParameter } from './getMethodSignature';
import { inferTolkResults } from './inferTolkResults';
import { readTolkType } from './readTolkType';
import { SourceReadings } from './sourceLanguage';
import type { SourceToken } from './tokenize';
import { TokenReader, UnexpectedToken, defaultText, numberOf, tokenize } from './tokenize';
import type { TolkBodies } from './tolkFunctions';
import { readTolkBodies } from './tolkFunctions';
import type { TolkHeads } from './tolkHeads';
import { readTolkHeads } from './tolkHeads';
import { tolkLibraryText } from './tolkLibrary';
import type { TolkUses } from './tolkUses';
import { tolkUses } from './tolkUses';
import type { TypeDeclaration } from './typeResolver';
import { TypeResolver } from './typeResolver';

/**
 * The get-methods that a Tolk text declares: `get fun name(…): T`, the older `get name(…): T`, and functions under
 * `@method_id(…)`.
 *
 * @param imported texts that declare types used here
 * @param readings caches parsed texts
 */
export function readTolkSource(
  text: string,
  imported: readonly string[] = [],
  readings = new SourceReadings(),
): GetMethodSignature[] {
  const { own, all, find } = readTolkTexts(text, imported, readings);
  const types = new TypeResolver(find);
  const methods = own.methods.slice(0, limits.sourceMethods.most).map((method) => ({
    ...method,
    parameters: method.parameters.map((parameter) => ({
      ...parameter,
      type: types.resolve(parameter.type),
    })),
    result: types.resolve(method.result),
  }));
  if (methods.every(({ result }) => result.kind !== 'unknown')) {
    return methods;
  }
  const { find: library } = readTolkTexts(tolkLibraryText, [], readings);
  const others = all.slice(1).map(({ heads }) => heads);
  return inferTolkResults(methods, { own: own.heads, imported: others, find, library });
}

/** Top-level declarations of a Tolk text. */
export interface TolkText {
  readonly methods: readonly GetMethodSignature[];
  readonly declarations: ReadonlyMap<string, TypeDeclaration>;
  /** Types with custom pack and unpack functions in the source. */
  readonly customTypes: ReadonlySet<string>;
  readonly bodies: TolkBodies;
  readonly heads: TolkHeads;
}

/**
 * A Tolk text with its imports; finds the declaration of a name in any of them.
 *
 * @param readings caches parsed texts
 */
export function readTolkTexts(
  text: string,
  imported: readonly string[],
  readings: SourceReadings,
): {
  own: TolkText;
  all: readonly TolkText[];
  find: (name: string) => TypeDeclaration | undefined;
  /** What the contract of the text does with its types. */
  uses: () => TolkUses;
} {
  const read = (one: string): TolkText =>
    readings.of('tolk', one, () => {
      const reader = new TolkReader(one);
      reader.readAll();
      return reader;
    });
  const own = read(text);
  const all = [own, ...imported.map(read).reverse()];
  const customTypes = new Set(all.flatMap((one) => [...one.customTypes]));
  return {
    own,
    all,
    find: (name) => {
      const found = all.find(({ declarations }) => declarations.has(name))?.declarations.get(name);
      return found !== undefined && customTypes.has(name)
        ? { ...found, type: { ...found.type, customName: name } }
        : found;
    },
    uses: () => {
      const aliases = new Map(all.flatMap(({ declarations }) => [...declarations]));
      return tolkUses(
        own.bodies,
        all.map(({ bodies }) => bodies),
        (name) => wordsOf(aliases.get(name)?.type),
      );
    },
  };
}

/** The names that an alias stands for. */
function wordsOf(type: AbiType | undefined): string[] {
  return type?.kind === 'union'
    ? type.variants.flatMap((variant) => wordsOf(variant))
    : type?.kind === 'named'
      ? [type.name]
      : [];
}

/** Walks over the top level of a Tolk text. */
class TolkReader implements TolkText {
  readonly methods: GetMethodSignature[] = [];
  readonly declarations = new Map<string, TypeDeclaration>();
  readonly customTypes = new Set<string>();
  private readonly reader: TokenReader;
  private methodId: number | undefined;
  private comment: string | undefined;
  #bodies: TolkBodies | undefined;
  #heads: TolkHeads | undefined;

  constructor(text: string) {
    this.reader = new TokenReader(tokenize(text, 'tolk'));
  }

  get bodies(): TolkBodies {
    this.#bodies ??= readTolkBodies(this.reader.tokens);
    return this.#bodies;
  }

  get heads(): TolkHeads {
    this.#heads ??= readTolkHeads(this.reader.tokens);
    return this.#heads;
  }

  readAll(): void {
    while (!this.reader.atEnd()) {
      const start = this.reader.position;
      try {
        this.readDeclaration();
      } catch (error) {
        if (!(error instanceof UnexpectedToken)) {
          throw error;
        }
        // Not understood: continue after its first token.
        this.reader.recover(start + 1);
      }
    }
  }

  private readDeclaration(): void {
    const { reader } = this;
    const token = reader.next();
    this.comment = token.comment ?? this.comment;
    switch (token.text) {
      case '@':
        this.readAnnotation();
        return;
      case 'struct':
        this.readStruct();
        break;
      case 'type':
        this.readAlias();
        break;
      case 'enum':
        this.readEnum();
        break;
      case 'get':
        reader.take('fun');
        this.readMethod();
        break;
      case 'fun':
        if (this.methodId !== undefined) {
          this.readMethod();
        } else if (reader.peek(1) === '.' && /^(?:packToBuilder|unpackFromSlice)$/.test(reader.peek(2))) {
          this.customTypes.add(reader.peek());
        }
        break;
      case '{':
        reader.position--;
        reader.skipBalanced();
        break;
    }
    this.methodId = undefined;
    this.comment = undefined;
  }

  private readAnnotation(): void {
    const { reader } = this;
    let { text: name } = reader.name();
    while (reader.take('.')) {
      // `@abi.clientType(T)`
      name = reader.name().text;
    }
    if (name === 'method_id' && reader.peek() === '(') {
      this.methodId = Number(numberOf(reader.peek(1)) ?? NaN);
    }
    if (reader.peek() === '(') {
      reader.skipBalanced();
    }
  }

  private readMethod(): void {
    const { reader } = this;
    const name = reader.name();
    reader.expect('(');
    const parameters = reader.list(')', () => this.readParameter());
    const result = reader.take(':') ? readTolkType(reader) : unknownType;
    const { comment, methodId } = this;
    this.methods.push({
      name: name.text,
      ...(methodId === undefined || Number.isNaN(methodId) ? {} : { methodId }),
      parameters,
      result: result.kind === 'void' ? voidType : result,
      origin: 'Tolk source',
      ...(comment === undefined ? {} : { comment }),
      offset: name.offset,
    });
  }

  private readParameter(): SignatureParameter {
    const { reader } = this;
    reader.take('mutate');
    const { text: name } = reader.name();
    const type = reader.take(':') ? readTolkType(reader) : unknownType;
    const defaultText = reader.take('=') ? this.readDefault([',', ')']) : '';
    return defaultText === '' ? { name, type } : { name, type, defaultText };
  }

  /** A default value, up to one of `ends`. */
  private readDefault(ends: readonly string[]): string {
    const { reader } = this;
    const first = reader.position;
    this.skipExpression(ends);
    return defaultText(reader.tokens.slice(first, reader.position));
  }

  private typeParameters(): string[] {
    if (!this.reader.take('<')) {
      return [];
    }
    return this.reader.list('>', () => {
      const { text } = this.reader.name();
      if (this.reader.take('=')) {
        readTolkType(this.reader);
      }
      return text;
    });
  }

  private readStruct(): void {
    const { reader } = this;
    const prefix = this.readPrefix();
    const { text: name } = reader.name();
    const parameters = this.typeParameters();
    const fields: AbiField[] = [];
    if (reader.take('{')) {
      while (!reader.take('}')) {
        fields.push(this.readField());
      }
    }
    const type: AbiType = { kind: 'struct', name, fields, ...(prefix === undefined ? {} : { prefix }) };
    this.declarations.set(name, { parameters, type });
  }

  /** `(0x7e8764ef)` has four bits a digit, `(0b010)` one. */
  private readPrefix(): TypePrefix | undefined {
    const { reader } = this;
    if (reader.peek() !== '(') {
      return undefined;
    }
    const [, hex, binary] = /^0(?:x([0-9a-f]{1,64})|b([01]{1,256}))$/i.exec(reader.peek(1)) ?? [];
    reader.skipBalanced();
    const digits = hex ?? binary;
    return digits === undefined
      ? undefined
      : {
          value: BigInt((hex === undefined ? '0b' : '0x') + digits),
          bits: digits.length * (hex === undefined ? 1 : 4),
        };
  }

  private readField(): AbiField {
    const { reader } = this;
    const comment = reader.tokens[reader.position]?.comment;
    while (reader.take('@')) {
      this.readAnnotation();
    }
    while ((reader.peek() === 'private' || reader.peek() === 'readonly') && reader.peek(1) !== ':') {
      reader.next();
    }
    const { text: name } = reader.name();
    reader.expect(':');
    const type = readTolkType(reader);
    const defaultText = reader.take('=') ? this.readDefault([',', ';', '}']) : '';
    if (!reader.take(',')) {
      reader.take(';');
    }
    return {
      name,
      type,
      ...(comment === undefined ? {} : { comment }),
      ...(defaultText === '' ? {} : { defaultText }),
    };
  }

  /** Moves to the end of a default value: one of `ends`, or the next line that starts another field. */
  private skipExpression(ends: readonly string[]): void {
    const { reader } = this;
    while (!ends.includes(reader.peek())) {
      const token: SourceToken = reader.next();
      if (/^[([{]$/.test(token.text)) {
        reader.position--;
        reader.skipBalanced();
      }
      const startsField = reader.peek(1) === ':' || /^(?:@|private|readonly)$/.test(reader.peek());
      if (reader.tokens[reader.position]?.startsLine === true && startsField) {
        return;
      }
    }
  }

  private readAlias(): void {
    const { reader } = this;
    const { text: name } = reader.name();
    const parameters = this.typeParameters();
    reader.expect('=');
    this.declarations.set(name, { parameters, type: readTolkType(reader) });
    reader.take(';');
  }

  private readEnum(): void {
    const { reader } = this;
    const { text: name } = reader.name();
    const inner: AbiType = reader.take(':') ? readTolkType(reader) : { kind: 'int' };
    reader.expect('{');
    const members: { name: string; value: bigint }[] = [];
    while (!reader.take('}')) {
      const member = reader.name().text;
      let value = (members.at(-1)?.value ?? -1n) + 1n;
      if (reader.take('=')) {
        const negative = reader.take('-');
        const given = numberOf(reader.next().text) ?? value;
        value = negative ? -given : given;
        while (
          ![',', ';', '}'].includes(reader.peek()) &&
          reader.tokens[reader.position]?.startsLine !== true
        ) {
          reader.next();
        }
      }
      members.push({ name: member, value });
      if (!reader.take(',')) {
        reader.take(';');
      }
    }
    this.declarations.set(name, { parameters: [], type: { kind: 'enum', name, inner, members } });
  }
}
