import type { Boc, CellKind } from '../boc';
import { limits } from '../../base/limits';
import { CellCursor, hexOfBits } from './cellCursor';
import { chainSchema } from './chainSchema';
import type { NumbersBefore, PartReader, ReadPart } from './partReader';
import { readAddressParts } from './readAddressParts';
import { readMap } from './readMap';
import type { SchemaConstructor, SchemaField, SchemaType } from './schemaNotation';
import type { CellPath, StructurePlace, ReadStructure, StructureField, StructureValue } from './structure';

/** Structures inside structures: real ones need a dozen. */
const deepest = 100;

/** How far to read. */
interface ReadOptions {
  /** Stops at the first problem: what does not fit is of no interest. */
  isTrial?: boolean;
}

/**
 * Reads a cell as a type of the schema: every field with its place. Nothing is thrown: what does not fit is a `misfit`,
 * listed in `problems`, and what is in other cells is read all the same.
 *
 * @param cell its number in `boc`; of a proof or an update, `type` is about what is inside
 * @param type a name in `chainSchema`, such as `Block` or `ConfigParam20`; undefined for an exotic cell about anything
 */
export function readStructure(
  boc: Boc,
  cell: number,
  type: string | undefined,
  options: ReadOptions = {},
): ReadStructure {
  const reader = new StructureReader(boc, options.isTrial === true);
  const path: CellPath = { cell, parent: undefined, reference: 0 };
  const part = reader.cell(path, rootType(boc.kind(cell), type), new Map(), '');
  const root = { name: type ?? 'cell', ...part };
  return { boc, type, root, problems: reader.problems, fields: reader.fields, pruned: reader.pruned };
}

function rootType(kind: CellKind, name: string | undefined): SchemaType | undefined {
  const of: SchemaType | undefined = name === undefined ? undefined : { kind: 'named', name };
  switch (kind) {
    case 'merkle-proof':
      return { kind: 'proof', of };
    case 'merkle-update':
      return { kind: 'update', of };
    case 'ordinary':
      return of;
    default:
      return of ?? { kind: 'rest' };
  }
}

/** Reads types of the schema. readMap.ts reads its dictionaries. */
class StructureReader implements PartReader {
  readonly problems: ReadStructure['problems'] = [];
  fields = 0;
  pruned = 0;
  #depth = 0;
  /** What the forks of a tree refer to, by what its leaves hold: always the same type, so that cells are read once. */
  readonly #forks = new Map<SchemaType, SchemaType>();
  /** Cells read already, by type: a transaction of a block is referred to from several lists. */
  readonly #read = new Map<SchemaType, Map<number, StructureValue>>();

  constructor(
    readonly boc: Boc,
    readonly isTrial: boolean,
  ) {}

  cell(path: CellPath, type: SchemaType | undefined, scope: NumbersBefore, prefix: string): ReadPart {
    const place = { at: path, from: 0, to: this.boc.bitLength(path.cell) };
    const kind = this.boc.kind(path.cell);
    const part = (value: StructureValue): ReadPart => ({ prefix, isReferred: true, place, value });
    if (type === undefined) {
      return part({ kind: 'cell', cell: path.cell });
    }
    if (kind === 'pruned' || kind === 'library') {
      return part(this.#standIn(path, kind));
    }
    const expected =
      type.kind === 'proof' ? 'merkle-proof' : type.kind === 'update' ? 'merkle-update' : 'ordinary';
    if (kind !== expected) {
      return part(this.misfit(place, `a cell of kind ${expected} expected, this one is ${kind}`));
    }
    const known = this.#read.get(type)?.get(path.cell);
    if (known !== undefined) {
      return part(known);
    }
    const cursor = new CellCursor(this.boc, path);
    const { value } = this.part(cursor, type, scope);
    if (scope.size === 0) {
      this.#read.set(type, (this.#read.get(type) ?? new Map<number, StructureValue>()).set(path.cell, value));
    }
    if (cursor.broken === undefined && cursor.bitsLeft + cursor.refsLeft > 0) {
      const left = `${cursor.bitsLeft} bits and ${cursor.refsLeft} references left over`;
      this.problems.push({ place: { ...place, from: cursor.bit }, reason: left });
    }
    return part(value);
  }

  part(cursor: CellCursor, type: SchemaType, scope: NumbersBefore): ReadPart {
    const from = cursor.bit;
    const done = (prefix: string, inner: ReadPart): ReadPart => ({
      ...inner,
      prefix: prefix + inner.prefix,
      place: inner.isReferred ? inner.place : cursor.placeFrom(from),
    });
    switch (type.kind) {
      case 'maybe': {
        const bit = cursor.text(1);
        return bit === '1'
          ? done(bit, this.part(cursor, type.of, scope))
          : this.#leaf(cursor, from, { kind: 'none' }, bit);
      }
      case 'either': {
        const bit = cursor.text(1);
        return done(bit, this.part(cursor, bit === '1' ? type.right : type.left, scope));
      }
      case 'reference': {
        const path = cursor.next();
        return path === undefined
          ? this.#leaf(cursor, from, { kind: 'none' })
          : this.cell(path, type.of, scope, '');
      }
      case 'if': {
        const number = scope.get(type.field) ?? 0n;
        const isThere = type.bit === undefined ? number !== 0n : ((number >> BigInt(type.bit)) & 1n) === 1n;
        return isThere ? this.part(cursor, type.of, scope) : this.#leaf(cursor, from, { kind: 'none' });
      }
      case 'pick':
        return this.part(cursor, scope.get(type.field) === 1n ? type.one : type.zero, scope);
      default:
        return this.#leaf(cursor, from, this.#value(cursor, type, scope));
    }
  }

  misfit(place: StructurePlace, reason: string): StructureValue {
    this.problems.push({ place, reason });
    return { kind: 'misfit', reason };
  }

  #leaf(cursor: CellCursor, from: number, value: StructureValue, prefix = ''): ReadPart {
    const place = cursor.placeFrom(from);
    const isKnown = cursor.broken === undefined || ['record', 'group', 'map', 'misfit'].includes(value.kind);
    return {
      prefix,
      isReferred: false,
      place,
      value: isKnown ? value : this.misfit(place, cursor.broken ?? ''),
    };
  }

  #value(cursor: CellCursor, type: SchemaType, scope: NumbersBefore): StructureValue {
    switch (type.kind) {
      case 'number': {
        const { bits, isSigned, unit } = type;
        return { kind: 'number', value: isSigned ? cursor.int(bits) : cursor.uint(bits), bits, unit };
      }
      case 'bits':
        return { kind: 'bits', value: cursor.hex(type.bits), bits: type.bits };
      case 'variable': {
        const { lengthBits, isCoins } = type;
        const length = Number(cursor.uint(lengthBits));
        return { kind: 'variable', value: cursor.uint(length * 8), lengthBits, isCoins };
      }
      case 'flag':
        return { kind: 'flag', value: cursor.text(1) === '1' };
      case 'masterAddress':
        return { kind: 'address', value: `-1:${cursor.hex(256)}`, isShort: true };
      case 'address':
        return readAddressParts(this, cursor, type.allows);
      case 'unit':
        return { kind: 'present' };
      case 'rest': {
        const bits = cursor.bitsLeft;
        const value = cursor.hex(bits);
        const cells = Array.from({ length: cursor.refsLeft }, () => cursor.next()?.cell ?? 0);
        return { kind: 'rest', value, bits, cells };
      }
      case 'group':
        return { kind: 'group', fields: this.#fields(cursor, type.fields, new Map(scope)) };
      case 'map':
      case 'parameters':
        return readMap(this, cursor, type);
      case 'tree':
        return this.#tree(cursor, type.of);
      case 'links':
        return this.#links(cursor, Number(scope.get(type.field) ?? 0n));
      case 'proof':
        return this.#exotic(cursor, 'merkle_proof', '03', [
          ...[field('virtual_hash', 256), field('depth', 16)],
          inCell('virtual_root', type.of),
        ]);
      case 'update':
        return this.#exotic(cursor, 'merkle_update', '04', [
          ...[field('old_hash', 256), field('new_hash', 256), field('old_depth', 16), field('new_depth', 16)],
          ...[inCell('old', type.of), inCell('new', type.of)],
        ]);
      case 'named':
        return this.#named(cursor, type.name);
      default:
        throw new Error(`${type.kind} is read with what is before it`);
    }
  }

  #named(cursor: CellCursor, name: string): StructureValue {
    const definition = chainSchema().get(name);
    if (definition === undefined) {
      throw new Error(`The schema has no type ${name}`);
    }
    if ('alias' in definition) {
      return this.part(cursor, definition.alias, new Map()).value;
    }
    const form = definition.constructors.find(({ tag }) => cursor.peek(tag.length) === tag);
    if (form === undefined) {
      const longest = Math.max(...definition.constructors.map(({ tag }) => tag.length));
      const reason = `no form of ${name} begins with ${tagOf(cursor.peek(longest))}`;
      cursor.fail(reason);
      return this.misfit(cursor.placeFrom(cursor.bit), reason);
    }
    return this.#record(cursor, name, form);
  }

  #record(cursor: CellCursor, type: string, form: SchemaConstructor, isExotic = false): StructureValue {
    if (this.#depth >= deepest) {
      cursor.fail(`more than ${deepest} structures inside one another`);
      return this.misfit(cursor.placeFrom(cursor.bit), cursor.broken ?? '');
    }
    this.#depth += 1;
    const { name, tag, tagText } = form;
    cursor.text(tag.length);
    const fields = this.#fields(cursor, form.fields, new Map());
    this.#depth -= 1;
    return { kind: 'record', type, name, tag, tagText, isExotic, fields };
  }

  #fields(cursor: CellCursor, wanted: readonly SchemaField[], scope: Map<string, bigint>): StructureField[] {
    const fields: StructureField[] = [];
    for (const { name, type, least, most } of wanted) {
      if (cursor.broken !== undefined || !this.count(cursor)) {
        break;
      }
      const part = this.part(cursor, type, scope);
      fields.push({ name, ...part });
      if (part.value.kind === 'number') {
        scope.set(name, part.value.value);
        const range = outOfRange(part.value.value, least, most, scope);
        if (range !== undefined) {
          this.problems.push({ place: part.place, reason: `${name} is ${part.value.value}, ${range}` });
        }
      }
    }
    return fields;
  }

  count(cursor: CellCursor): boolean {
    this.fields += 1;
    if (this.isTrial && this.problems.length > 0) {
      cursor.fail('not read after the first problem');
      return false;
    }
    if (this.fields <= limits.structureFields.most) {
      return true;
    }
    if (this.fields === limits.structureFields.most + 1) {
      const reason = `more than ${limits.structureFields.most.toLocaleString('en-US')} fields; the rest is not read`;
      this.problems.push({ place: cursor.placeFrom(cursor.bit), reason });
    }
    cursor.fail('too many fields');
    return false;
  }

  /** A binary tree: forks, with leaves below. */
  #tree(cursor: CellCursor, of: SchemaType): StructureValue {
    const isFork = cursor.peek(1) === '1';
    const below = this.#forks.get(of) ?? { kind: 'reference', of: { kind: 'tree', of } };
    this.#forks.set(of, below);
    return this.#record(cursor, 'BinTree', {
      name: isFork ? 'bt_fork' : 'bt_leaf',
      ...{ tag: isFork ? '1' : '0', tagText: isFork ? '$1' : '$0' },
      fields: isFork ? [named('left', below), named('right', below)] : [named('leaf', of)],
    });
  }

  /** A chain of proofs: each but the last refers to the one before. */
  #links(cursor: CellCursor, count: number): StructureValue {
    const scope: NumbersBefore = new Map([['left', BigInt(count - 1)]]);
    const root = { name: 'root', ...this.part(cursor, { kind: 'reference', of: undefined }, scope) };
    const path = count > 1 ? cursor.next() : undefined;
    const next: SchemaType = { kind: 'links', field: 'left' };
    const fields =
      path === undefined ? [root] : [root, { name: 'prev', ...this.cell(path, next, scope, '') }];
    return {
      kind: 'record',
      type: 'ProofChain',
      name: 'chain_link',
      tag: '',
      tagText: '',
      isExotic: false,
      fields,
    };
  }

  #exotic(cursor: CellCursor, name: string, type: string, fields: SchemaField[]): StructureValue {
    const tag = Number.parseInt(type, 16).toString(2).padStart(8, '0');
    return this.#record(cursor, name, { name, tag, tagText: `#${type}`, fields }, true);
  }

  /** A pruned branch or a library cell, which stands for a cell that is not here. */
  #standIn(path: CellPath, kind: 'pruned' | 'library'): StructureValue {
    const cursor = new CellCursor(this.boc, path);
    if (kind === 'library') {
      return this.#exotic(cursor, 'library', '02', [field('hash', 256)]);
    }
    this.pruned += 1;
    const levels = (cursor.bitsLeft - 16) / 272;
    return this.#exotic(cursor, 'pruned_branch', '01', [
      named('level_mask', { kind: 'number', bits: 8, isSigned: false, unit: undefined }),
      ...Array.from({ length: levels }, (_, level) => field(`hash_${level + 1}`, 256)),
      ...Array.from({ length: levels }, (_, level) => field(`depth_${level + 1}`, 16)),
    ]);
  }
}

function named(name: string, type: SchemaType): SchemaField {
  return { name, type, least: undefined, most: undefined };
}

/** A field of so many bits: a hash, or a depth. */
function field(name: string, bits: number): SchemaField {
  return named(
    name,
    bits === 256 ? { kind: 'bits', bits } : { kind: 'number', bits, isSigned: false, unit: undefined },
  );
}

function inCell(name: string, of: SchemaType | undefined): SchemaField {
  return named(name, { kind: 'reference', of });
}

function tagOf(bits: string): string {
  if (bits === '') {
    return 'nothing: the cell ends here';
  }
  return bits.length % 4 === 0 ? `#${hexOfBits(bits)}` : `$${bits}`;
}

function outOfRange(
  value: bigint,
  least: string | undefined,
  most: string | undefined,
  scope: NumbersBefore,
): string | undefined {
  const [low, high] = [bound(least, scope), bound(most, scope)];
  if (low !== undefined && value < low) {
    return `less than ${least ?? ''} allows`;
  }
  return high !== undefined && value > high ? `more than ${most ?? ''} allows` : undefined;
}

/** A number, or the value of a field before; undefined if that is not known yet. */
function bound(text: string | undefined, scope: NumbersBefore): bigint | undefined {
  return text === undefined ? undefined : /^\d+$/.test(text) ? BigInt(text) : scope.get(text);
}
