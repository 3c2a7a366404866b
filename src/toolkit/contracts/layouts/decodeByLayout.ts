import type { Cell, Slice } from '@ton/core';
import { Address, beginCell } from '@ton/core';
import type { TypePrefix } from '../abi/abiType';
import { readDictionary } from '../../cell/tokenContent';
import { WorkbenchError } from '../../base/errors';
import { WorkBudget } from '../../base/limits';
import type { CoinsField } from '../opcodes/countsJettons';
import { countsJettons } from '../opcodes/countsJettons';
import { loadSnake } from '../opcodes/decodeBody';
import type { BodyValue, DecodedBody } from '../opcodes/decodedBody';
import { opcodeHex, opcodeNumber } from '../opcodes/opcodes';
import type { LayoutField, LayoutSet, LayoutType, StructLayout } from './layoutSet';

/** Maximum nesting of structs. */
const deepest = 24;

/** Where a field lies: in which cell, by the references down to it, and which bits and references of it are the field's. */
export interface FieldPlace {
  path: readonly number[];
  bits: readonly [from: number, to: number];
  refs: readonly [from: number, to: number];
}

/** By what was read: where each of its fields lies. Entries of maps have no places. */
const places = new WeakMap<DecodedBody, FieldPlace[]>();

/** Where the fields of what was read by a layout lie, in their order; those of a map's entries are not known. */
export function placesOf(body: DecodedBody): readonly (FieldPlace | undefined)[] {
  return places.get(body) ?? [];
}

/** The cell does not match the layout; fields read so far are kept. */
class Mismatch extends Error {}

/**
 * Reads a cell as a struct. The result is `broken`, with the fields read so far, if the cell does not match
 * or holds more fields than the budget: cells that refer to each other can hold any number of structs.
 *
 * @param budget shared by all layouts tried on a cell
 */
export function decodeByLayout(
  cell: Cell,
  layout: StructLayout,
  set: LayoutSet,
  budget = new WorkBudget('decodedFields', { kind: 'failed' }),
): DecodedBody {
  const contract = set.contract === undefined ? '' : `${set.contract}, `;
  const result = bare(layout, `${contract}${set.origin}`);
  if (cell.isExotic) {
    return { ...result, broken: true };
  }
  try {
    const reader = new Reader(set, result.source, budget);
    reader.readInto(result, layout, reader.atRoot(cell.beginParse()), 0);
  } catch (error) {
    if (!WorkbenchError.is(error, 'over-limit')) {
      throw error;
    }
    result.broken = true;
    result.fields.push({ name: '…', value: { type: 'text', value: error.message } });
  }
  return result;
}

/** A value of a type that fills a cell; undefined if the cell holds anything else. */
export function decodeValue(cell: Cell, type: LayoutType, set: LayoutSet): BodyValue | undefined {
  if (cell.isExotic) {
    return undefined;
  }
  const reader = new Reader(set, set.origin, new WorkBudget('decodedFields', { kind: 'failed' }));
  try {
    const slice = cell.beginParse();
    const value = reader.value(type, slice, 0);
    slice.endParse();
    return value;
  } catch {
    return undefined;
  }
}

class Reader {
  /** Cells by the references that lead to them. */
  readonly #paths = new WeakMap<Slice, readonly number[]>();

  constructor(
    private readonly set: LayoutSet,
    private readonly source: string,
    private readonly budget: WorkBudget,
  ) {}

  /** Reads a struct from the current position of the slice; returns the end of its last cell. */
  readInto(result: DecodedBody, layout: StructLayout, slice: Slice, depth: number): Slice {
    let current = slice;
    try {
      if (layout.prefix !== undefined) {
        expectPrefix(current, layout.prefix);
        current.skip(layout.prefix.bits);
      }
      for (const [place, fields] of layout.cells.entries()) {
        current = place === 0 ? current : this.#inside(current, current.loadRef().beginParse());
        this.#fields(fields, current, result, depth);
      }
    } catch (error) {
      if (WorkbenchError.is(error, 'over-limit')) {
        throw error;
      }
      result.broken = true;
    }
    const ends = current === slice ? [slice] : [slice, current];
    result.left = {
      bits: ends.reduce((sum, { remainingBits }) => sum + remainingBits, 0),
      refs: ends.reduce((sum, { remainingRefs }) => sum + remainingRefs, 0),
    };
    return current;
  }

  #fields(fields: readonly LayoutField[], slice: Slice, into: DecodedBody, depth: number): void {
    const opcode = opcodeNumber(into.opcode);
    const order = fields.filter(({ type }) => type.kind === 'coins').map(({ name }) => name);
    for (const { name, type } of fields) {
      into.mismatch = { field: name, bits: slice.remainingBits, refs: slice.remainingRefs };
      const [bit, ref] = [slice.offsetBits, slice.offsetRefs];
      const value = this.value(type, slice, depth);
      delete into.mismatch;
      this.#note(into, slice, [bit, slice.offsetBits], [ref, slice.offsetRefs]);
      into.fields.push({ name, value: inUnit(value, { name, opcode, order, ofJetton: this.set.ofJetton }) });
    }
  }

  /** Remembers where a field lies; not of a map's entry, whose slice is no whole cell. */
  #note(into: DecodedBody, slice: Slice, bits: FieldPlace['bits'], refs: FieldPlace['refs']): void {
    const path = this.#paths.get(slice);
    if (path !== undefined) {
      const known = places.get(into) ?? [];
      known[into.fields.length] = { path, bits, refs };
      places.set(into, known);
    }
  }

  /** The slice of the cell that was loaded last from another. */
  #inside(parent: Slice, slice: Slice): Slice {
    const path = this.#paths.get(parent);
    if (path !== undefined) {
      this.#paths.set(slice, [...path, parent.offsetRefs - 1]);
    }
    return slice;
  }

  /** Reads from the beginning of the cell that places are counted from. */
  atRoot(slice: Slice): Slice {
    this.#paths.set(slice, []);
    return slice;
  }

  /** @throws Mismatch, and the errors of slices that end too early */
  value(type: LayoutType, slice: Slice, depth: number): BodyValue {
    if (depth > deepest) {
      throw new Mismatch('too deep');
    }
    this.budget.spend();
    switch (type.kind) {
      case 'maybe':
        return slice.loadBit() ? this.value(type.inner, slice, depth + 1) : { type: 'none' };
      case 'cell':
        return this.#reference(type.inner, slice, depth);
      case 'either':
        return slice.loadBit()
          ? this.#reference(type.inner, slice, depth)
          : this.value(type.inner, slice, depth + 1);
      case 'struct':
        return this.#struct(type.key, slice, depth);
      case 'sequence': {
        const body = plainBody('', this.source);
        this.#fields(type.items, slice, body, depth + 1);
        return { type: 'body', value: body };
      }
      case 'union':
        return this.#union(type, slice, depth);
      case 'map':
        return slice.loadBit() ? this.#map(type, slice.loadRef(), depth + 1) : { type: 'map', entries: [] };
      case 'enum': {
        const value = this.value(type.inner, slice, depth + 1);
        const name = value.type === 'int' ? type.members.get(value.value) : undefined;
        return name === undefined ? value : { type: 'text', value: `${type.name}.${name}` };
      }
      default:
        return plainValue(type, slice);
    }
  }

  #reference(inner: LayoutType | undefined, parent: Slice, depth: number): BodyValue {
    const cell = parent.loadRef();
    if (inner === undefined || cell.isExotic) {
      return cellValue(cell);
    }
    const slice = this.#inside(parent, cell.beginParse());
    const value = this.value(inner, slice, depth + 1);
    if (slice.remainingBits + slice.remainingRefs > 0) {
      throw new Mismatch('more than the layout has');
    }
    return value;
  }

  #struct(key: string, slice: Slice, depth: number): BodyValue {
    const layout = this.set.structs.get(key);
    if (layout === undefined) {
      throw new Mismatch('a struct that is not in the ABI');
    }
    const body = bare(layout, this.source);
    this.readInto(body, layout, slice, depth + 1);
    if (body.broken) {
      throw new Mismatch(layout.name);
    }
    // What follows in the cell belongs to the enclosing struct.
    body.left = { bits: 0, refs: 0 };
    return { type: 'body', value: body };
  }

  /** The entries; the cell itself if a type is unknown or the cell is not a dictionary. */
  #map({ key, value }: Extract<LayoutType, { kind: 'map' }>, cell: Cell, depth: number): BodyValue {
    const bits = key && keyBits(key);
    if (key === undefined || value === undefined || bits === undefined || cell.isExotic) {
      return cellValue(cell);
    }
    const entries: Extract<BodyValue, { type: 'map' }>['entries'] = [];
    readDictionary(cell, bits, this.budget, (number, content) => {
      const found = this.value(value, content, depth);
      if (content.remainingBits + content.remainingRefs > 0) {
        throw new Mismatch('more than the layout has');
      }
      const keySlice = beginCell().storeUint(number, bits).endCell().beginParse();
      entries.push({ key: this.value(key, keySlice, depth), value: found });
    });
    return { type: 'map', entries };
  }

  #union({ variants }: Extract<LayoutType, { kind: 'union' }>, slice: Slice, depth: number): BodyValue {
    const variant = variants.find(({ prefix }) => hasPrefix(slice, prefix));
    if (variant === undefined) {
      throw new Mismatch('none of the variants');
    }
    if (variant.own) {
      slice.skip(variant.prefix.bits);
    }
    return this.value(variant.type, slice, depth + 1);
  }
}

/** An amount in what it counts, also inside a map: `allowances: map<address, coins>`. */
function inUnit(value: BodyValue, field: CoinsField): BodyValue {
  switch (value.type) {
    case 'coins':
      return countsJettons(field) ? { ...value, isJetton: true } : value;
    case 'map':
      return {
        type: 'map',
        entries: value.entries.map(({ key, value: one }) => ({ key, value: inUnit(one, field) })),
      };
    default:
      return value;
  }
}

/** Size in bits of a key of this type; undefined if it cannot be one. */
export function keyBits(type: LayoutType): number | undefined {
  switch (type.kind) {
    case 'int':
    case 'uint':
    case 'bits':
      return type.bits;
    case 'address':
      return 267;
    case 'bool':
      return 1;
    case 'enum':
      return keyBits(type.inner);
    default:
      return undefined;
  }
}

/** A value without nested values. */
function plainValue(type: LayoutType, slice: Slice): BodyValue {
  switch (type.kind) {
    case 'int':
      return { type: 'int', value: slice.loadIntBig(type.bits) };
    case 'uint':
      return { type: 'int', value: slice.loadUintBig(type.bits) };
    case 'varint':
      return { type: 'int', value: slice.loadVarIntBig(type.lengthBits) };
    case 'varuint':
      return { type: 'int', value: slice.loadVarUintBig(type.lengthBits) };
    case 'coins':
      return { type: 'coins', value: slice.loadCoins() };
    case 'bool':
      return { type: 'bool', value: slice.loadBit() };
    case 'address':
      return addressValue(slice);
    case 'bits':
      return type.bits % 8 === 0
        ? { type: 'bytes', value: slice.loadBuffer(type.bits / 8).toString('hex') }
        : { type: 'int', value: slice.loadUintBig(type.bits) };
    case 'text':
      return { type: 'text', value: loadSnake(slice.loadRef().beginParse()).toString('utf8') };
    case 'rest':
      return rest(slice);
    case 'none':
      return { type: 'none' };
    default:
      throw new Mismatch(type.kind);
  }
}

function rest(slice: Slice): BodyValue {
  const cell = slice.asCell();
  slice.skip(slice.remainingBits);
  while (slice.remainingRefs > 0) {
    slice.loadRef();
  }
  return cell.bits.length + cell.refs.length === 0 ? { type: 'none' } : cellValue(cell);
}

export function hasPrefix(slice: Slice, { value, bits }: TypePrefix): boolean {
  return slice.remainingBits >= bits && slice.preloadUintBig(bits) === value;
}

function expectPrefix(slice: Slice, prefix: TypePrefix): void {
  if (!hasPrefix(slice, prefix)) {
    throw new Mismatch('wrong prefix');
  }
}

function addressValue(slice: Slice): BodyValue {
  const address = slice.loadAddressAny();
  if (address == null) {
    return { type: 'address', value: undefined };
  }
  if (Address.isAddress(address)) {
    return { type: 'address', value: address.toRawString() };
  }
  const { bits, value } = address;
  return { type: 'address', value: address.toString(), external: { bits, value } };
}

/** The same cell may be referenced any number of times. */
const bocs = new WeakMap<Cell, string>();

function cellValue(cell: Cell): BodyValue {
  const value = bocs.get(cell) ?? cell.toBoc().toString('base64');
  bocs.set(cell, value);
  return { type: 'cell', value };
}

function bare({ name, prefix }: StructLayout, source: string): DecodedBody {
  const body = plainBody(name, source);
  if (prefix === undefined) {
    return body;
  }
  return prefix.bits === 32
    ? { ...body, opcode: opcodeHex(Number(prefix.value)) }
    : { ...body, prefix: prefixText(prefix) };
}

/** As it is declared: `0x77`; `0b01` for one that is not of whole hex digits. */
function prefixText({ value, bits }: TypePrefix): string {
  return bits % 4 === 0
    ? `0x${value.toString(16).padStart(bits / 4, '0')}`
    : `0b${value.toString(2).padStart(bits, '0')}`;
}

function plainBody(name: string, source: string): DecodedBody {
  const left = { bits: 0, refs: 0 };
  return { name, opcode: undefined, source, fields: [], broken: false, left, bounced: false };
}
