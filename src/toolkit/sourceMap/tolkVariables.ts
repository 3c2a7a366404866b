import type { AbiType } from '../contracts/abi/abiType';
import { slotsOf, typeText, unknownType } from '../contracts/abi/abiType';
import { readTolkTexts } from '../contracts/abi/readTolkSource';
import { readTolkType } from '../contracts/abi/readTolkType';
import { SourceReadings } from '../contracts/abi/sourceLanguage';
import { tokenize, TokenReader, UnexpectedToken } from '../contracts/abi/tokenize';
import type { SourceToken } from '../contracts/abi/tokenize';
import { TypeResolver } from '../contracts/abi/typeResolver';
import { countsJettons } from '../contracts/opcodes/countsJettons';
import type { CoinsField } from '../contracts/opcodes/countsJettons';
import { lineCounter } from './sourceFunctions';
import type { SourceVariable, VariableSlot } from './sourceMap';

/** Structs in structs are looked into so far. */
const deepest = 6;
/** Most entries of a variable. */
const mostSlots = 100;

/** The variables that Tolk sources declare, with their types as far as the text says them. */
export function tolkVariables(texts: ReadonlyMap<string, string>, ofJetton = false): SourceVariable[] {
  const [entry = '', ...others] = texts.values();
  const { find } = readTolkTexts(entry, others, new SourceReadings());
  const types = new TypeResolver(find);
  const files = [...texts].map(([file, text]) => new FileReader(file, text));
  const results = new Map(files.flatMap((one) => [...one.results]));
  return files.flatMap((one) => one.variables(results, types, ofJetton));
}

/** Reads the functions of a file, and what is declared in them. */
class FileReader {
  /** The types that functions return, by name. */
  readonly results = new Map<string, AbiType>();
  readonly #functions: { name: string; parameters: number; close: number; open: number; end: number }[] = [];
  readonly #tokens: readonly SourceToken[];
  readonly #closers = new Map<number, number>();
  readonly #lineOf: (offset: number) => number;

  constructor(
    private readonly file: string,
    text: string,
  ) {
    this.#tokens = tokenize(text, 'tolk');
    this.#lineOf = lineCounter(text);
    const open: number[] = [];
    for (const [index, token] of this.#tokens.entries()) {
      if (/^[([{]$/.test(token.text)) {
        open.push(index);
      } else if (/^[)\]}]$/.test(token.text)) {
        this.#closers.set(open.pop() ?? -1, index);
      }
    }
    this.#tokens.forEach((token, index) => {
      if (token.text === 'fun') {
        this.#readHead(index);
      }
    });
  }

  #readHead(at: number): void {
    const parameters = this.#tokens.findIndex((token, index) => index > at && token.text === '(');
    const close = this.#closers.get(parameters);
    if (parameters <= at + 1 || close === undefined) {
      return;
    }
    const name = this.#textOf(at + 1, parameters);
    const result = this.#text(close + 1) === ':' ? this.#typeAt(close + 2) : this.#returned(close + 1);
    if (result !== undefined) {
      this.results.set(name.endsWith('>') ? name.slice(0, name.indexOf('<')) : name, result);
    }
    const open = this.#tokens.findIndex((token, index) => index > close && /^[{;]$/.test(token.text));
    const end = this.#closers.get(open);
    if (end !== undefined) {
      this.#functions.push({ name, parameters, close, open, end });
    }
  }

  /** What a function without a declared result reads: `{ return Storage.fromCell(…)`. */
  #returned(open: number): AbiType | undefined {
    const at = open + (this.#text(open + 2) === 'lazy' ? 3 : 2);
    const isRead = /^\{return(?:lazy)?$/.test(this.#textOf(open, at));
    return isRead && /^\.from(?:Cell|Slice)\($/.test(this.#textOf(at + 1, at + 4))
      ? { kind: 'named', name: this.#text(at), arguments: [] }
      : undefined;
  }

  variables(results: ReadonlyMap<string, AbiType>, types: TypeResolver, ofJetton: boolean): SourceVariable[] {
    return this.#functions.flatMap(({ name, parameters, close, open, end }) => {
      const known: {
        name: string;
        type: AbiType;
        from: number;
        to: number;
        isBody: boolean;
        parameter?: number;
      }[] = [];
      const typeOf = (path: readonly string[], at: number): AbiType => {
        const own = known.findLast((one) => one.name === path[0] && one.from <= at && at <= one.to);
        return path.slice(1).reduce((type, field) => {
          const resolved = types.resolve(type);
          const fields = resolved.kind === 'struct' ? resolved.fields : [];
          return fields.find((one) => one.name === field)?.type ?? unknownType;
        }, own?.type ?? unknownType);
      };
      const add = (at: number, to: number, type: AbiType, isBody = false): void => {
        known.push({ name: this.#text(at).replaceAll('`', ''), type, from: at, to, isBody });
      };
      for (let at = parameters + 1; at < close; at = this.#after(at, close)) {
        at += this.#text(at) === 'mutate' ? 1 : 0;
        const isSelf = this.#text(at) === 'self' && name.includes('.');
        const type = this.#text(at + 1) === ':' ? this.#typeAt(at + 2) : undefined;
        const own: AbiType = { kind: 'named', name: name.split('.', 1)[0] ?? '', arguments: [] };
        const parameter = known.length;
        add(at, end, type ?? (isSelf ? own : unknownType));
        known[parameter]!.parameter = parameter;
      }
      const ends = [end];
      for (let at = open + 1; at < end; at += 1) {
        const word = this.#text(at);
        if (word === '{') {
          ends.push(this.#closers.get(at) ?? end);
        } else if (at === ends.at(-1)) {
          ends.pop();
        } else if (word === 'catch' && this.#text(at + 1) === '(') {
          const last = this.#closers.get(at + 1) ?? at;
          const to = this.#closers.get(last + 1) ?? end;
          for (let one = at + 2; one < last; one += 2) {
            add(one, to, unknownType);
          }
        } else if (word === 'val' || word === 'var') {
          this.#declare(at + 1, ends.at(-1) ?? end, { results, typeOf, add });
        }
      }
      return known.map((one): SourceVariable => {
        const type = types.resolve(one.type);
        return {
          ...{ file: this.file, function: name, name: one.name },
          line: this.#lineOf(this.#tokens[one.from]!.offset),
          end: this.#lineOf(this.#tokens[one.to]!.offset),
          slots: slotsIn(one.name, one.name, type, { depth: 0, ofJetton }).slice(0, mostSlots),
          ...(one.parameter === undefined ? {} : { parameter: one.parameter }),
          ...(one.isBody ? { body: structsOf(type) } : {}),
          ...(this.#text(one.from - 1) === 'val' ? { isFixed: true as const } : {}),
          ...messageType(typeText(one.type)),
        };
      });
    });
  }

  /** `val x = …`, `var x: T = …`, `val (a, b) = …` */
  #declare(
    at: number,
    to: number,
    {
      results,
      typeOf,
      add,
    }: {
      results: ReadonlyMap<string, AbiType>;
      typeOf: (path: readonly string[], at: number) => AbiType;
      add: (at: number, to: number, type: AbiType, isBody?: boolean) => void;
    },
  ): void {
    const several = this.#closers.get(at);
    if (several !== undefined) {
      for (let one = at + 1; one < several; one += 1) {
        if (isName(this.#text(one)) && this.#text(one - 1) !== ':') {
          add(one, to, unknownType);
        }
      }
      return;
    }
    const declared = this.#text(at + 1) === ':' ? this.#typeAt(at + 2) : undefined;
    const equals = this.#tokens.findIndex((token, index) => index > at && /^[=;]$/.test(token.text));
    let first = equals + 1;
    first += this.#text(first) === 'lazy' ? 1 : 0;
    const path: string[] = [this.#text(first)];
    let next = first + 1;
    for (; this.#text(next) === '.' && isName(this.#text(next + 1)); next += 2) {
      path.push(this.#text(next + 1));
    }
    const last = path.at(-1);
    const begin = path.slice(0, -1);
    const isCall = this.#text(next) === '(';
    let type = declared;
    if (type !== undefined || !isName(path[0] ?? '')) {
      type ??= unknownType;
    } else if (isCall && (last === 'fromCell' || last === 'fromSlice') && begin.length === 1) {
      type = { kind: 'named', name: begin[0]!, arguments: [] };
    } else if (isCall && results.has(path.join('.'))) {
      type = results.get(path.join('.'));
    } else if (isCall && last === 'load' && begin.length > 0) {
      const cell = typeOf(begin, at);
      type = cell.kind === 'cellOf' ? cell.inner : unknownType;
    } else if (this.#text(next) === '{' && path.length === 1) {
      type = { kind: 'named', name: path[0]!, arguments: [] };
    } else if (this.#text(next) === ';') {
      type = typeOf(path, at);
    }
    const isBody =
      isCall && last === 'fromSlice' && /^\.(?:body|bouncedBody)$/.test(this.#textOf(next + 2, next + 4));
    add(at, to, type ?? unknownType, isBody);
  }

  #after(at: number, close: number): number {
    for (let index = at; index < close; index += 1) {
      if (this.#text(index) === ',') {
        return index + 1;
      }
      index = this.#closers.get(index) ?? index;
    }
    return close;
  }

  #typeAt(at: number): AbiType | undefined {
    const reader = new TokenReader(this.#tokens);
    reader.position = at;
    try {
      return readTolkType(reader);
    } catch (error) {
      if (error instanceof UnexpectedToken) {
        return undefined;
      }
      throw error;
    }
  }

  #text(at: number): string {
    return this.#tokens[at]?.text ?? '';
  }

  #textOf(from: number, to: number): string {
    return this.#tokens
      .slice(from, to)
      .map(({ text }) => text)
      .join('');
  }
}

function messageType(type: string): Pick<SourceVariable, 'isMessage'> {
  return type === 'InMessage'
    ? { isMessage: true }
    : type === 'InMessageBounced'
      ? { isMessage: 'bounced' }
      : {};
}

/** The structs that a value can be. */
function structsOf(type: AbiType): string[] {
  const variants = type.kind === 'union' ? type.variants : [type];
  return variants.flatMap((one) => (one.kind === 'struct' ? [one.name] : []));
}

function isName(text: string): boolean {
  return /^[\p{L}_$`]/u.test(text);
}

/**
 * The entries of the stack that a variable takes: a struct has one for each of its fields. One with a single field is
 * the field's value, under the struct's own name.
 */
function slotsIn(slot: string, path: string, type: AbiType, within: Surroundings): VariableSlot[] {
  const { depth, ofJetton } = within;
  if (type.kind === 'struct' && depth < deepest && type.fields.length > 0) {
    const isOne = type.fields.length === 1 && slotsOf(type) === 1;
    const opcode = type.prefix?.bits === 32 ? Number(type.prefix.value) : undefined;
    const order = type.fields.filter((field) => field.type.kind === 'coins').map(({ name }) => name);
    return type.fields.flatMap((field) =>
      slotsIn(isOne ? slot : `${slot}.${field.name}`, `${path}.${field.name}`, field.type, {
        depth: depth + 1,
        ofJetton,
        field: { opcode, order },
      }),
    );
  }
  const name = path.slice(path.lastIndexOf('.') + 1);
  const kind =
    type.kind === 'coins'
      ? countsJettons({ name, ofJetton, ...within.field })
        ? 'jettons'
        : 'coins'
      : type.kind === 'bool'
        ? type.kind
        : undefined;
  const cell = type.kind === 'cellOf' ? typeText(type.inner) : undefined;
  return kind === undefined && cell === undefined && slot === path
    ? []
    : [{ slot, path, ...(kind && { kind }), ...(cell !== undefined && { cell }) }];
}

/** Where a value of a variable is. */
interface Surroundings {
  /** In how many structs. */
  depth: number;
  /** The contract is a jetton master or wallet. */
  ofJetton: boolean;
  /** Of the struct around it. */
  field?: Pick<CoinsField, 'opcode' | 'order'>;
}
