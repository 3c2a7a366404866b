import { limits } from '../../base/limits';
import type { SourceLanguage } from './sourceLanguage';
import type { SourceToken } from './tokenize';
import { codeMark, commentsOf, tokenize } from './tokenize';

/** A type expression of TL-B: `uint64`, `(Maybe ^Cell)`, `^[ a:uint8 ]`. */
export type TlbType =
  | { kind: 'named'; name: string; arguments: readonly TlbType[] }
  | { kind: 'number'; value: number }
  | { kind: 'reference'; inner: TlbType }
  /** `[ a:uint8 b:Cell ]` */
  | { kind: 'fields'; fields: readonly TlbField[] };

export interface TlbField {
  /** undefined for a type without a name. */
  name: string | undefined;
  type: TlbType;
}

/** One constructor: `transfer#0f8a7ea5 query_id:uint64 = InternalMsgBody;` */
export interface TlbDeclaration {
  /** `_` if it has no name. */
  name: string;
  /** As written: `#0f8a7ea5`, `$01`, `#_`; undefined if there is none. */
  tag: string | undefined;
  fields: readonly TlbField[];
  /** The name of the type that it constructs. */
  type: string;
  /** In the source, in UTF-16 code units. */
  offset: number;
}

/** What a constructor is called: by its own name, else by that of its type. */
export function tlbName({ name, type }: TlbDeclaration): string {
  return name === '_' ? type : name;
}

interface Token {
  text: string;
  offset: number;
  startsLine: boolean;
}

/** Not a declaration: prose, or a part of TL-B that does not occur in contracts. */
class NotTlb extends Error {}

/**
 * The TL-B constructors in the comments of a FunC source, in order. Comments are mostly prose: anything that is not a
 * whole constructor without type parameters and conditions is skipped. One at the end of a line needs no semicolon.
 */
export function readTlbComments(text: string): TlbDeclaration[] {
  if (text.length > limits.sourceText.most || !/=\s*\w/.test(text)) {
    return [];
  }
  return declarationsOf(tokensOf(commentsOf(text, 'func')));
}

/** The TL-B constructors of a file that is written in TL-B. What is not one as above is skipped. */
export function readTlb(text: string): TlbDeclaration[] {
  return text.length > limits.sourceText.most ? [] : declarationsOf(tokensOf(withoutBlocks(text)));
}

/** Without its block comments; one that is not closed ends with the text. */
function withoutBlocks(text: string): string {
  const [first = '', ...others] = text.split('/*');
  const behind = others.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : ''));
  return [first, ...behind].join('\n');
}

function declarationsOf(tokens: readonly Token[]): TlbDeclaration[] {
  const found: TlbDeclaration[] = [];
  let position = 0;
  let steps = limits.sourceSteps.most;
  while (position < tokens.length && steps > 0 && found.length < limits.sourceNames.most) {
    const token = tokens[position];
    if (token?.startsLine !== true && tokens[position - 1]?.text !== ';') {
      position++;
      continue;
    }
    const reader = new DeclarationReader(tokens, position);
    try {
      found.push(reader.declaration());
      position = reader.position;
    } catch (error) {
      if (!(error instanceof NotTlb)) {
        throw error;
      }
      // Prose that resembles TL-B is read again from its next line.
      steps -= reader.position - position;
      position++;
    }
  }
  return found;
}

function tokensOf(comments: string): Token[] {
  const pattern =
    /\n|\u0001|\/\/[^\n]*|;;[^\n]*|[A-Za-z_]\w*\??(?:#[0-9a-fA-F]*_?|\$[01]*_?)?|\d+|#<=?|##?|\$|[^\s]/g;
  const tokens: Token[] = [];
  let startsLine = true;
  for (const found of comments.matchAll(pattern)) {
    const [text] = found;
    if (text === '\n') {
      startsLine = true;
    } else if (/^(?:\/\/|;;)/.test(text) || (startsLine && /^[;*]$/.test(text))) {
      // A comment within the comment, or the rest of its mark.
      continue;
    } else if (text !== codeMark || tokens.at(-1)?.text !== codeMark) {
      tokens.push({ text, offset: found.index, startsLine: startsLine || tokens.at(-1)?.text === codeMark });
      startsLine = false;
    }
  }
  return tokens;
}

/** Types that are written with an argument, with how many, for comments that omit the parentheses. */
const applied: ReadonlyMap<string, number> = new Map([
  ['Maybe', 1],
  ['Either', 2],
  ['VarUInteger', 1],
  ['VarInteger', 1],
  ['HashmapE', 2],
  ['##', 1],
  ['#<', 1],
  ['#<=', 1],
]);

class DeclarationReader {
  #depth = 0;

  constructor(
    private readonly tokens: readonly Token[],
    public position: number,
  ) {}

  declaration(): TlbDeclaration {
    const { text, offset } = this.#next();
    const head = /^(\w+)([#$]\w*)?$/.exec(text);
    if (head?.[1] === undefined || /^\d/.test(text)) {
      throw new NotTlb(text);
    }
    const fields = this.#fields('=');
    const type = this.#next().text;
    if (!/^[A-Z]\w*$/.test(type) || (fields.length === 0 && head[2] === undefined)) {
      throw new NotTlb(type);
    }
    const end = this.tokens[this.position];
    if (end?.text === ';') {
      this.position++;
    } else if (end !== undefined && end.text !== codeMark && !end.startsLine) {
      throw new NotTlb(end.text);
    }
    return { name: head[1], tag: head[2], fields, type, offset };
  }

  /** Fields up to `close`, which is taken. */
  #fields(close: string): TlbField[] {
    const fields: TlbField[] = [];
    while (this.#peek() !== close) {
      if (fields.length === limits.structFields.most) {
        throw new NotTlb('too many fields');
      }
      fields.push(this.#field());
    }
    this.position++;
    return fields;
  }

  #field(): TlbField {
    if (this.#peek(1) !== ':') {
      // Words without colons are prose; only a cell in place has no need of a name.
      if (this.#peek() !== '^') {
        throw new NotTlb(this.#peek());
      }
      return { name: undefined, type: this.#type() };
    }
    const name = this.#next().text;
    if (!/^[A-Za-z_]\w*\??$/.test(name)) {
      throw new NotTlb(name);
    }
    this.position++;
    return { name: name === '_' ? undefined : name.replace('?', ''), type: this.#type() };
  }

  #type(): TlbType {
    if (this.#depth === limits.sourceNesting.most) {
      throw new NotTlb('nested too deeply');
    }
    this.#depth++;
    try {
      return this.#atom();
    } finally {
      this.#depth--;
    }
  }

  #atom(): TlbType {
    const { text } = this.#next();
    switch (text) {
      case '^':
        return { kind: 'reference', inner: this.#type() };
      case '[':
        return { kind: 'fields', fields: this.#fields(']') };
      case '(': {
        const [first, ...others] = this.#list();
        if (first === undefined || (others.length > 0 && first.kind !== 'named')) {
          throw new NotTlb('(');
        }
        return first.kind === 'named' ? { ...first, arguments: [...first.arguments, ...others] } : first;
      }
      default: {
        if (/^\d+$/.test(text)) {
          return { kind: 'number', value: Number(text) };
        }
        if (!/^(?:[A-Za-z]\w*|##?|#<=?)$/.test(text) || this.#peek() === '?') {
          throw new NotTlb(text);
        }
        const count = applied.get(text) ?? 0;
        return { kind: 'named', name: text, arguments: Array.from({ length: count }, () => this.#type()) };
      }
    }
  }

  #list(): TlbType[] {
    const list: TlbType[] = [];
    while (this.#peek() !== ')') {
      list.push(this.#type());
    }
    this.position++;
    return list;
  }

  #peek(ahead = 0): string {
    return this.tokens[this.position + ahead]?.text ?? '';
  }

  #next(): Token {
    const token = this.tokens[this.position];
    if (token === undefined || token.text === codeMark) {
      throw new NotTlb('it ends here');
    }
    this.position++;
    return token;
  }
}

/** Positions of declarations in a source: offsets of names in the text, in UTF-16 code units. */
interface SourcePlaces {
  /** Structs and messages by name. */
  structs: ReadonlyMap<string, number>;
  /** The function that receives internal messages; undefined in a file that is only imported. */
  entry: number | undefined;
}

const keywords = { tolk: ['struct'], tact: ['message', 'struct'], func: [] } as const satisfies Record<
  SourceLanguage,
  readonly string[]
>;

/** Finds the structs and the entry point that a source declares. FunC describes its structs in TL-B comments. */
export function sourcePlaces(text: string, language: SourceLanguage): SourcePlaces {
  const tokens = tokenize(text, language);
  const structs = new Map<string, number>();
  if (language === 'func') {
    for (const declaration of readTlbComments(text).reverse()) {
      structs.set(tlbName(declaration), declaration.offset);
    }
  }
  let entry: number | undefined;
  for (const [place, token] of tokens.entries()) {
    if ((keywords[language] as readonly string[]).includes(token.text)) {
      let next = place + 1;
      if (tokens[next]?.text === '(') {
        // The opcode: `struct (0x11) AddGuardian`.
        while (next < tokens.length && tokens[next]?.text !== ')') {
          next++;
        }
        next++;
      }
      const name = tokens[next];
      if (name !== undefined && /^[\p{L}_`]/u.test(name.text) && !structs.has(name.text)) {
        structs.set(name.text, token.offset);
      }
    } else if (isEntry[language](tokens, place)) {
      entry ??= token.offset;
    }
  }
  return { structs, entry };
}

const isEntry: Record<SourceLanguage, (tokens: readonly SourceToken[], place: number) => boolean> = {
  tolk: (tokens, place) => tokens[place]?.text === 'fun' && tokens[place + 1]?.text === 'onInternalMessage',
  func: (tokens, place) => tokens[place]?.text === 'recv_internal' && tokens[place + 1]?.text === '(',
  tact: (tokens, place) => tokens[place]?.text === 'contract' && tokens[place + 2]?.text !== ';',
};
