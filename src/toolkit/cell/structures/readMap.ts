import { CellCursor } from './cellCursor';
import { configParameters } from './configParameters';
import type { PartReader } from './partReader';
import type { MapKey, SchemaType } from './schemaNotation';
import type { CellPath, StructureField, StructureMap } from './structure';

type MapType = Extract<SchemaType, { kind: 'map' | 'parameters' }>;

const parameterKey: MapKey = { bits: 32, isSigned: true };

/**
 * Reads a dictionary (block.tlb: Hashmap, HashmapE, HashmapAug, HashmapAugE), or the one of the configuration's
 * parameters, each of which has its own type.
 */
export function readMap(reader: PartReader, cursor: CellCursor, type: MapType): StructureMap {
  const { key, extra, isRooted } =
    type.kind === 'map' ? type : { key: parameterKey, extra: undefined, isRooted: false };
  const map: StructureMap = {
    kind: 'map',
    ...{ key, isRooted, isConfiguration: type.kind === 'parameters', isEmpty: false, extra: undefined },
    ...{ entries: [], branches: [], forks: [] },
  };
  const walk = new MapWalk(reader, type, map, extra);
  if (!isRooted) {
    walk.edge(cursor, '');
    return map;
  }
  map.isEmpty = cursor.text(1) !== '1';
  const path = map.isEmpty ? undefined : cursor.next();
  if (path !== undefined) {
    walk.branch(path, '');
  }
  if (extra !== undefined && cursor.broken === undefined) {
    map.extra = walk.field(cursor, extra, 'extra');
  }
  return map;
}

class MapWalk {
  constructor(
    readonly reader: PartReader,
    readonly type: MapType,
    readonly map: StructureMap,
    readonly extra: SchemaType | undefined,
  ) {}

  field(cursor: CellCursor, type: SchemaType, name: string): StructureField {
    return { name, ...this.reader.part(cursor, type, new Map()) };
  }

  /** A subtree in a cell of its own. */
  branch(path: CellPath, prefix: string): void {
    const { boc } = this.reader;
    const kind = boc.kind(path.cell);
    if (kind === 'ordinary') {
      const cursor = new CellCursor(boc, path);
      this.edge(cursor, prefix);
      if (cursor.broken === undefined && cursor.bitsLeft + cursor.refsLeft > 0) {
        const place = { at: path, from: cursor.bit, to: cursor.bit + cursor.bitsLeft };
        const reason = `${cursor.bitsLeft} bits and ${cursor.refsLeft} references left over in a dictionary`;
        this.reader.problems.push({ place, reason });
      }
      return;
    }
    const part = this.reader.cell(path, { kind: 'unit' }, new Map(), '');
    this.map.branches.push({ prefix, field: { name: kind, ...part } });
  }

  edge(cursor: CellCursor, prefix: string): void {
    const left = this.map.key.bits - prefix.length;
    const from = cursor.bit;
    const label = this.reader.count(cursor) ? readLabel(cursor, left) : undefined;
    if (label === undefined) {
      const place = cursor.placeFrom(from);
      const value = this.reader.misfit(place, cursor.broken ?? 'a label of a dictionary expected');
      this.map.branches.push({
        prefix,
        field: { name: 'branch', place, prefix: '', isReferred: false, value },
      });
      return;
    }
    const key = prefix + label;
    if (key.length === this.map.key.bits) {
      const extra = this.extra === undefined ? undefined : this.field(cursor, this.extra, 'extra');
      this.map.entries.push({ key, extra, field: this.field(cursor, this.#valueType(key), key) });
      return;
    }
    for (const bit of ['0', '1']) {
      const path = cursor.next();
      if (path !== undefined) {
        this.branch(path, key + bit);
      }
    }
    if (cursor.broken !== undefined) {
      this.reader.problems.push({ place: cursor.placeFrom(from), reason: cursor.broken });
    } else if (this.extra !== undefined) {
      this.map.forks.push({ prefix: key, extra: this.field(cursor, this.extra, 'extra') });
    }
  }

  #valueType(key: string): SchemaType {
    if (this.type.kind === 'map') {
      return this.type.of;
    }
    const id = Number(BigInt.asIntN(32, BigInt(`0b${key}`)));
    const isKnown = configParameters.has(id);
    return { kind: 'reference', of: isKnown ? { kind: 'named', name: `ConfigParam${id}` } : undefined };
  }
}

/** What the keys below have in common, at most `most` bits; undefined if there is no such label. */
function readLabel(cursor: CellCursor, most: number): string | undefined {
  const lengthBits = most === 0 ? 0 : 32 - Math.clz32(most);
  let label: string;
  if (cursor.text(1) === '0') {
    let length = 0;
    while (length <= most && cursor.text(1) === '1') {
      length += 1;
    }
    label = length > most ? '' : cursor.text(length);
    if (length > most) {
      cursor.fail('a label longer than the key');
    }
  } else if (cursor.text(1) === '0') {
    label = checkedLength(cursor, lengthBits, most, (length) => cursor.text(length));
  } else {
    const bit = cursor.text(1);
    label = checkedLength(cursor, lengthBits, most, (length) => bit.repeat(length));
  }
  return cursor.broken === undefined ? label : undefined;
}

function checkedLength(
  cursor: CellCursor,
  lengthBits: number,
  most: number,
  read: (length: number) => string,
): string {
  const length = Number(cursor.uint(lengthBits));
  if (length > most) {
    cursor.fail('a label longer than the key');
    return '';
  }
  return read(length);
}
