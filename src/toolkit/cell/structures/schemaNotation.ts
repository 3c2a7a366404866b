/**
 * How a field lies in a cell. `unit` and `link` take no bits: an empty value, and a chain of proofs as long as a field
 * says.
 */
export type SchemaType =
  | { kind: 'number'; bits: number; isSigned: boolean; unit: NumberUnit | undefined }
  | { kind: 'bits'; bits: number }
  | { kind: 'variable'; lengthBits: number; isCoins: boolean }
  | { kind: 'flag' }
  | { kind: 'address'; allows: 'internal' | 'external' | 'any' }
  | { kind: 'masterAddress' }
  | { kind: 'unit' }
  | { kind: 'rest' }
  | { kind: 'named'; name: string }
  | { kind: 'maybe'; of: SchemaType }
  | { kind: 'either'; left: SchemaType; right: SchemaType }
  /** `of` undefined: any cell, left as it is. */
  | { kind: 'reference'; of: SchemaType | undefined }
  | { kind: 'group'; fields: readonly SchemaField[] }
  /** `isRooted`: with the bit that says whether it is empty. */
  | { kind: 'map'; key: MapKey; of: SchemaType; extra: SchemaType | undefined; isRooted: boolean }
  | { kind: 'tree'; of: SchemaType }
  | { kind: 'if'; field: string; bit: number | undefined; of: SchemaType }
  | { kind: 'pick'; field: string; zero: SchemaType; one: SchemaType }
  | { kind: 'links'; field: string }
  /** `of` undefined: about a cell of unknown type. */
  | { kind: 'proof'; of: SchemaType | undefined }
  | { kind: 'update'; of: SchemaType | undefined }
  | { kind: 'parameters' };

/** What a number counts, where it is not just a number. */
export type NumberUnit =
  'time' | 'seconds' | 'milliseconds' | 'nanocoins' | 'price' | 'fraction16' | 'fraction32' | 'hex';

/** The keys of a dictionary. */
export interface MapKey {
  bits: number;
  isSigned: boolean;
}

/** A field of a constructor. `least` and `most` are numbers, or names of fields before it. */
export interface SchemaField {
  name: string;
  type: SchemaType;
  least: string | undefined;
  most: string | undefined;
}

/** One form of a type: a name, the bits it begins with (as text of 0 and 1), and its fields. */
export interface SchemaConstructor {
  name: string;
  tag: string;
  /** The tag as block.tlb writes it: `#9bc7a987`, `$10`; empty if there is none. */
  tagText: string;
  fields: readonly SchemaField[];
}

const plain: Readonly<Record<string, SchemaType>> = {
  bool: { kind: 'flag' },
  coins: { kind: 'variable', lengthBits: 4, isCoins: true },
  addr: { kind: 'address', allows: 'internal' },
  addrExt: { kind: 'address', allows: 'external' },
  addrAny: { kind: 'address', allows: 'any' },
  mc: { kind: 'masterAddress' },
  unit: { kind: 'unit' },
  rest: { kind: 'rest' },
  parameters: { kind: 'parameters' },
  time: number(32, 'time'),
  secs: number(32, 'seconds'),
  ms: number(32, 'milliseconds'),
  nano: number(64, 'nanocoins'),
  price: number(64, 'price'),
  frac16: number(16, 'fraction16'),
  factor: number(32, 'fraction16'),
  frac32: number(32, 'fraction32'),
  x64: number(64, 'hex'),
  x32: number(32, 'hex'),
};

function number(bits: number, unit: NumberUnit): SchemaType {
  return { kind: 'number', bits, isSigned: false, unit };
}

/**
 * Reads one constructor of the schema: `name#tag field:type …`. See chainSchema.ts for the notation.
 * @throws Error if the schema has a mistake
 */
export function parseConstructor(text: string): SchemaConstructor {
  const head = /^([a-z_]\w*?)(?:#([0-9a-f]+)|\$([01]+))?(?: |$)/i.exec(text);
  if (head === null) {
    throw new Error(`No constructor: ${text}`);
  }
  const [whole, name = '', hex, binary] = head;
  const tag =
    binary ??
    [...(hex ?? '')].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
  const tagText = hex === undefined ? (binary === undefined ? '' : `$${binary}`) : `#${hex}`;
  const parser = new SchemaParser(text.slice(whole.length));
  return { name, tag, tagText, fields: parser.fields() };
}

/** Reads one type, such as `dict(256,^Transaction)`. */
export function parseType(text: string): SchemaType {
  return new SchemaParser(text).type();
}

class SchemaParser {
  readonly #tokens: string[];
  #at = 0;

  constructor(readonly text: string) {
    this.#tokens = text.match(/[\w.]+|[?^()[\]:,{}]/g) ?? [];
  }

  fields(): SchemaField[] {
    const fields: SchemaField[] = [];
    while (this.#at < this.#tokens.length && this.#tokens[this.#at] !== ']') {
      fields.push(this.#field());
    }
    return fields;
  }

  type(): SchemaType {
    const token = this.#next();
    switch (token) {
      case '?':
        return { kind: 'maybe', of: this.type() };
      case '^':
        return this.#reference();
      case 'dict':
      case 'dict1':
      case 'aug':
      case 'aug1':
        return this.#map(token);
      case 'either': {
        const [left, right] = this.#pair();
        return { kind: 'either', left, right };
      }
      case 'tree':
      case 'proof':
      case 'update':
        return { kind: token, of: this.#inBrackets(() => this.type()) };
      case 'if':
        return this.#inBrackets(() => {
          const [field = '', bit] = this.#next().split('.');
          this.#expect(',');
          return { kind: 'if', field, bit: bit === undefined ? undefined : Number(bit), of: this.type() };
        });
      case 'pick':
        return this.#inBrackets(() => {
          const field = this.#next();
          this.#expect(',');
          const zero = this.type();
          this.#expect(',');
          return { kind: 'pick', field, zero, one: this.type() };
        });
      case 'links':
        return { kind: 'links', field: this.#inBrackets(() => this.#next()) };
      default:
        return simpleType(token);
    }
  }

  #field(): SchemaField {
    if (this.#tokens[this.#at] === '^') {
      // An unnamed cell of fields: they count as fields of the constructor.
      return { name: '', type: this.type(), least: undefined, most: undefined };
    }
    const name = this.#next();
    this.#expect(':');
    const type = this.type();
    if (this.#tokens[this.#at] !== '{') {
      return { name, type, least: undefined, most: undefined };
    }
    this.#expect('{');
    const [least, most] = this.#next().split('..');
    this.#expect('}');
    return { name, type, least: least || undefined, most: (most ?? least) || undefined };
  }

  #reference(): SchemaType {
    if (this.#tokens[this.#at] === 'cell') {
      this.#at += 1;
      return { kind: 'reference', of: undefined };
    }
    if (this.#tokens[this.#at] === '[') {
      this.#at += 1;
      const fields = this.fields();
      this.#expect(']');
      return { kind: 'reference', of: { kind: 'group', fields } };
    }
    return { kind: 'reference', of: this.type() };
  }

  #map(token: string): SchemaType {
    return this.#inBrackets(() => {
      const [, sign, bits] = /^(i?)(\d+)$/.exec(this.#next()) ?? [];
      this.#expect(',');
      const of = this.type();
      let extra: SchemaType | undefined;
      if (token.startsWith('aug')) {
        this.#expect(',');
        extra = this.type();
      }
      const key = { bits: Number(bits), isSigned: sign === 'i' };
      return { kind: 'map', key, of, extra, isRooted: !token.endsWith('1') };
    });
  }

  #pair(): [SchemaType, SchemaType] {
    return this.#inBrackets(() => {
      const left = this.type();
      this.#expect(',');
      return [left, this.type()];
    });
  }

  #inBrackets<T>(read: () => T): T {
    this.#expect('(');
    const value = read();
    this.#expect(')');
    return value;
  }

  #next(): string {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    return token ?? '';
  }

  #expect(token: string): void {
    if (this.#next() !== token) {
      throw new Error(`Expected ${token} in: ${this.text}`);
    }
  }
}

function simpleType(token: string): SchemaType {
  const known = plain[token];
  if (known !== undefined) {
    return known;
  }
  const [, letters, digits] = /^(u|i|b|max|var)(\d+)$/.exec(token) ?? [];
  const size = Number(digits);
  switch (letters) {
    case 'u':
    case 'i':
      return { kind: 'number', bits: size, isSigned: letters === 'i', unit: undefined };
    case 'b':
      return { kind: 'bits', bits: size };
    case 'max':
      return { kind: 'number', bits: 32 - Math.clz32(size), isSigned: false, unit: undefined };
    case 'var':
      return { kind: 'variable', lengthBits: 32 - Math.clz32(size - 1), isCoins: false };
    default:
      if (!/^[A-Z]\w*$/.test(token)) {
        throw new Error(`Unknown type ${token}`);
      }
      return { kind: 'named', name: token };
  }
}
