import type { Builder, Cell } from '@ton/core';
import { Dictionary, beginCell } from '@ton/core';
import {
  closeBrace,
  nextWord,
  parseCellLike,
  parseStructFields,
  takeColon,
  takeNull,
  wordError,
} from '../abi/typedLeaves';
import { WorkbenchError } from '../../base/errors';
import { parseEach, parseSeparator } from '../../stack/parseStackText';
import type { StackTextOptions } from '../../stack/stackTextContext';
import { StackTextContext, noVariantError, stackTextError } from '../../stack/stackTextContext';
import { keyBits } from './decodeByLayout';
import type { LayoutField, LayoutSet, LayoutType, StructLayout } from './layoutSet';
import { calledName, fieldsText, layoutTypeText } from './layoutSet';
import type { Store } from './parseLeaf';
import { finishedCell, parseLeaf, sliceStore, writtenKinds } from './parseLeaf';

/**
 * Encodes a struct from text: `{queryId: 0, who: bob, weight: 5}`, optionally with the struct's name in
 * front. Fields come in any order; those with a default in the source may be omitted. Values are written like
 * the arguments of get-methods; a variant of a union is written with its name (`Deposit {amount: 1ton}`), a
 * typed cell as its content.
 *
 * @throws WorkbenchError `stack-text-invalid` with `details.offset` and `details.length`
 * @example encodeByLayout('{who: bob, weight: 5}', layout, set, { accounts: new Map([['bob', '0:83df…']]) });
 */
export function encodeByLayout(
  text: string,
  layout: StructLayout,
  set: LayoutSet,
  options: StackTextOptions = {},
): Cell {
  const context = new StackTextContext(text, options);
  context.scanner.skipBlanks();
  const cell = parseStructCell(context, layout, set);
  context.scanner.skipBlanks();
  if (!context.scanner.atEnd()) {
    throw wordError(context, `nothing can follow ${calledName(layout.name)}`);
  }
  return cell;
}

/**
 * Encodes one value from text, as {@link encodeByLayout} does for a struct's fields.
 * @throws WorkbenchError `stack-text-invalid` with `details.offset` and `details.length`
 */
export function encodeField(
  text: string,
  { name, type }: LayoutField,
  set: LayoutSet,
  options: StackTextOptions = {},
): Cell {
  const context = new StackTextContext(text, options);
  const { scanner } = context;
  scanner.skipBlanks();
  if (scanner.atEnd() && type.kind !== 'none') {
    throw wordError(context, `${name} needs a value: ${layoutTypeText(type, set)}`);
  }
  const cell = finishedCell(context, scanner.position, new Writer(set, context).value(type, name));
  scanner.skipBlanks();
  if (!scanner.atEnd()) {
    throw wordError(context, `nothing can follow the value of ${name}`);
  }
  return cell;
}

/**
 * Like {@link encodeByLayout}, at a position in a longer text.
 * @throws WorkbenchError `stack-text-invalid`
 */
export function parseStructCell(context: StackTextContext, layout: StructLayout, set: LayoutSet): Cell {
  const start = context.scanner.position;
  return finishedCell(context, start, new Writer(set, context).struct(layout, layout.name));
}

/**
 * A cell with one value of a type, from the text at a position in a longer one.
 * @throws WorkbenchError `stack-text-invalid`
 */
export function parseStored(context: StackTextContext, type: LayoutType, name: string, set: LayoutSet): Cell {
  const start = context.scanner.position;
  return finishedCell(context, start, new Writer(set, context).value(type, name));
}

class Writer {
  constructor(
    private readonly set: LayoutSet,
    private readonly context: StackTextContext,
  ) {
    context.constants = set.constants ?? context.constants;
  }

  /** Reads one value. Errors refer to it as `name`. */
  value(type: LayoutType, name: string): Store {
    const { context } = this;
    const { scanner } = context;
    scanner.skipBlanks();
    context.count(scanner.position);
    switch (type.kind) {
      case 'maybe':
        return this.#optional(() => this.value(type.inner, name));
      case 'cell':
        return this.#reference(type.inner, name);
      case 'either':
        return this.#either(type.inner, name);
      case 'map':
        return this.#map(type, name);
      case 'sequence':
        return this.#sequence(type.items, name);
      case 'struct':
        return this.struct(this.#layoutOf(type.key, name), name);
      case 'union':
        return this.#union(type, name);
      case 'unknown':
        if (!/^(?:b|x|slice|cell|builder)$/.test(nextWord(context))) {
          throw wordError(
            context,
            `${name} cannot be written by its value: ${type.what}. Give its bits and references: b(…)`,
          );
        }
        return parseLeaf(context, { kind: 'rest' }, name);
      default:
        return parseLeaf(context, type, name);
    }
  }

  struct(layout: StructLayout, name: string): Store {
    const { context } = this;
    const { scanner } = context;
    if (nextWord(context) === layout.name) {
      scanner.takeWord();
      scanner.skipBlanks();
    }
    if (isSlice(nextWord(context)) && layout.cells.length === 1) {
      return sliceStore(context, parseCellLike(context, { kind: 'slice' }, name));
    }
    const fields = layout.cells.flat();
    const start = scanner.position;
    if (scanner.peek() !== '{' && fields.length > 0) {
      const form = fields.map((field) => `${field.name}: …`).join(', ');
      throw wordError(
        context,
        `${calledName(name)} takes ${name === layout.name ? 'its fields' : layout.name}`,
        `write {${form}}`,
      );
    }
    const given =
      scanner.peek() === '{'
        ? parseStructFields(context, calledName(layout.name), fields, (at, field) =>
            (at === context ? this : new Writer(this.set, at)).value(field.type, field.name),
          )
        : new Map<string, Store>();
    const missing = fields.filter((field) => !given.has(field.name));
    if (missing.length > 0) {
      const offset = Math.max(start, scanner.position - 1);
      throw stackTextError({
        offset,
        length: 1,
        message: `${calledName(name)} lacks ${fieldsText(missing, this.set)}`,
      });
    }
    return (builder) => {
      if (layout.prefix !== undefined) {
        builder.storeUint(layout.prefix.value, layout.prefix.bits);
      }
      storeCells(builder, layout.cells, given);
    };
  }

  #layoutOf(key: string, name: string): StructLayout {
    const layout = this.set.structs.get(key);
    if (layout === undefined) {
      throw wordError(this.context, `${name} cannot be written here: ${key} is not declared`);
    }
    return layout;
  }

  /** One bit, followed by the value unless the text is `null`. */
  #optional(read: () => Store): Store {
    const isNull = nextWord(this.context) === 'null';
    if (isNull) {
      takeNull(this.context);
      return (builder) => builder.storeBit(false);
    }
    const inner = read();
    return (builder) => {
      builder.storeBit(true);
      inner(builder);
    };
  }

  /** The cell's content by its type, or a cell in any of its own forms. */
  #reference(inner: LayoutType | undefined, name: string): Store {
    const { context } = this;
    const start = context.scanner.position;
    const isCell = /^(?:cell|slice|builder|b|x|te6cc.*|b5ee9c.*)$/i.test(nextWord(context));
    if (inner === undefined || isCell) {
      const value = parseCellLike(context, { kind: 'cell' }, name);
      const cell = 'cell' in value ? value.cell : undefined;
      return (builder) => builder.storeRef(cell!);
    }
    const store = this.value(inner, name);
    const cell = finishedCell(context, start, store);
    return (builder) => builder.storeRef(cell);
  }

  /** In place, or in a reference if the word `ref` precedes the value. */
  #either(inner: LayoutType, name: string): Store {
    const { context } = this;
    const { scanner } = context;
    const isReference = nextWord(context) === 'ref';
    if (isReference) {
      scanner.takeWord();
      scanner.skipBlanks();
    }
    const start = scanner.position;
    const store = this.value(inner, name);
    if (!isReference) {
      return (builder) => store(builder.storeBit(false));
    }
    const cell = finishedCell(context, start, store);
    return (builder) => builder.storeBit(true).storeRef(cell);
  }

  #map({ key, value }: Extract<LayoutType, { kind: 'map' }>, name: string): Store {
    const { context } = this;
    const { scanner } = context;
    const start = scanner.position;
    const bits = key && keyBits(key);
    if (scanner.peek() !== '{' || key === undefined || value === undefined || bits === undefined) {
      // An empty dictionary of unknown types is decoded as this.
      if (scanner.take('{') && scanner.take('}')) {
        return (builder) => builder.storeBit(false);
      }
      scanner.position = start;
      const suggestion = bits === undefined ? 'give the cell of a dictionary' : 'a map is {key: value, …}';
      return this.#optional(() => {
        const read = parseCellLike(context, { kind: 'cell' }, name, suggestion);
        return (builder) => builder.storeRef('cell' in read ? read.cell : beginCell().endCell());
      });
    }
    const entries = Dictionary.empty<bigint, Store>(Dictionary.Keys.BigUint(bits), {
      serialize: (store, builder) => store(builder),
      parse: () => {
        throw new Error('only written');
      },
    });
    scanner.take('{');
    context.nested(start, () => {
      parseEach(context, () => {
        const at = scanner.position;
        const stored = finishedCell(context, at, this.value(key, `a key of ${name}`));
        if (stored.bits.length !== bits) {
          throw scanner.errorFrom(at, `a key of ${name} has ${bits} bits, this one ${stored.bits.length}`);
        }
        const number = stored.beginParse().loadUintBig(bits);
        if (entries.has(number)) {
          throw scanner.errorFrom(at, 'this key is given twice');
        }
        takeColon(context, 'the key');
        entries.set(number, this.value(value, `a value of ${name}`));
        parseSeparator(context);
      });
    });
    closeBrace(context, start);
    return (builder) => builder.storeDict(entries);
  }

  /** `(a, b)` or `[a, b]`. */
  #sequence(items: readonly LayoutField[], name: string): Store {
    const { scanner } = this.context;
    const start = scanner.position;
    const close = scanner.peek() === '[' ? ']' : ')';
    if (!scanner.take('(') && !scanner.take('[')) {
      throw wordError(this.context, `${name} takes ${items.length} values in (…)`);
    }
    const stores = this.context.nested(start, () =>
      items.map((item) => {
        const store = this.value(item.type, `value ${item.name} of ${name}`);
        parseSeparator(this.context);
        return store;
      }),
    );
    if (!scanner.take(close)) {
      throw scanner.errorFrom(
        scanner.position,
        `${name} takes ${items.length} values, ${close} is missing here`,
      );
    }
    return (builder) => stores.forEach((store) => store(builder));
  }

  /** A variant by its name, which the only struct does not need; without one, the first other that accepts the text. */
  #union({ variants }: Extract<LayoutType, { kind: 'union' }>, name: string): Store {
    const { context } = this;
    const { scanner } = context;
    const word = nextWord(context);
    const named = variants.find(({ type }) => this.#nameOf(type) === word && word !== '');
    const start = scanner.position;
    const structs = variants.filter(({ type }) => type.kind === 'struct');
    const only = structs.length === 1 && scanner.peek() === '{' ? structs[0] : undefined;
    const plain = variants.find(
      ({ type }) => writtenKinds.has(type.kind) && layoutTypeText(type, this.set) === word,
    );
    const chosen = named ?? only ?? plain;
    const candidates =
      chosen === undefined ? variants.filter(({ type }) => this.#nameOf(type) === undefined) : [chosen];
    for (const { prefix, own, type } of candidates) {
      scanner.position = start;
      try {
        const isNone = type.kind === 'none';
        if (isNone !== (word === 'null')) {
          continue;
        }
        if (type === plain?.type) {
          scanner.takeWord();
          scanner.skipBlanks();
        }
        const store = this.value(type, name);
        return (builder) => {
          if (own) {
            builder.storeUint(prefix.value, prefix.bits);
          }
          store(builder);
        };
      } catch (error) {
        if (chosen !== undefined || !WorkbenchError.is(error, 'stack-text-invalid')) {
          throw error;
        }
      }
    }
    scanner.position = start;
    const names = variants.map(({ type }) => this.#nameOf(type) ?? layoutTypeText(type, this.set));
    throw noVariantError(name, { offset: start, word }, names);
  }

  #nameOf(type: LayoutType): string | undefined {
    return type.kind === 'struct' ? this.set.structs.get(type.key)?.name : undefined;
  }
}

/** Whether a word begins the bits and references of a struct that are given as they are. */
function isSlice(word: string): boolean {
  return word === 'b' || word === 'x' || word === 'slice';
}

/** The fields of the first cell, then a reference to a cell with the rest. */
function storeCells(
  builder: Builder,
  [fields = [], ...others]: readonly (readonly LayoutField[])[],
  given: ReadonlyMap<string, Store>,
): void {
  for (const { name } of fields) {
    given.get(name)?.(builder);
  }
  if (others.length > 0) {
    const next = beginCell();
    storeCells(next, others, given);
    builder.storeRef(next.endCell());
  }
}
