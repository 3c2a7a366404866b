import type { Builder, Cell } from '@ton/core';
import { BitString, beginCell } from '@ton/core';
import type {
  ReadStructure,
  StructureField,
  StructureMap,
  StructureValue,
} from '../../../../src/toolkit/cell/structures/structure';
import { toCoreCell } from '../../../../src/toolkit/cell/toCoreCell';

/**
 * Writes what was read back into cells, from the values alone: it knows neither the schema nor the original cells, but
 * for those that the reader left as they are. An equal hash shows that every bit was read.
 */
export function writeStructure({ boc, root }: ReadStructure): Cell {
  const builder = beginCell();
  new Writer((cell) => toCoreCell(boc, cell)).field(builder, root);
  return builder.endCell().refs[0]!;
}

class Writer {
  /** Cells that occur several times were read once. */
  readonly #written = new Map<StructureValue, Cell>();

  constructor(readonly original: (cell: number) => Cell) {}

  field(builder: Builder, { prefix, isReferred, value }: StructureField): void {
    bits(builder, prefix);
    if (!isReferred) {
      this.value(builder, value);
      return;
    }
    if (value.kind === 'cell') {
      builder.storeRef(this.original(value.cell));
      return;
    }
    let cell = this.#written.get(value);
    if (cell === undefined) {
      const inner = beginCell();
      this.value(inner, value);
      cell = inner.endCell({ exotic: value.kind === 'record' && value.isExotic });
      this.#written.set(value, cell);
    }
    builder.storeRef(cell);
  }

  value(builder: Builder, value: StructureValue): void {
    switch (value.kind) {
      case 'number':
        bits(builder, binary(value.value, value.bits));
        return;
      case 'bits':
        bits(builder, bitsOfHex(value.value, value.bits));
        return;
      case 'variable': {
        const length = Math.ceil(value.value.toString(16).replace(/^0$/, '').length / 2);
        bits(builder, binary(BigInt(length), value.lengthBits) + binary(value.value, length * 8));
        return;
      }
      case 'flag':
        builder.storeBit(value.value);
        return;
      case 'address':
        address(builder, value.value, value.isShort);
        return;
      case 'none':
      case 'present':
        return;
      case 'record':
        bits(builder, value.tag);
        value.fields.forEach((one) => this.field(builder, one));
        return;
      case 'group':
        value.fields.forEach((one) => this.field(builder, one));
        return;
      case 'rest':
        bits(builder, bitsOfHex(value.value, value.bits));
        value.cells.forEach((cell) => builder.storeRef(this.original(cell)));
        return;
      case 'map':
        this.map(builder, value);
        return;
      case 'cell':
      case 'misfit':
        throw new Error(`A ${value.kind} cannot be written here`);
    }
  }

  map(builder: Builder, map: StructureMap): void {
    if (!map.isRooted) {
      this.edge(builder, map, '', map.key.bits);
      return;
    }
    builder.storeBit(!map.isEmpty);
    if (!map.isEmpty) {
      this.branch(builder, map, '', map.key.bits);
    }
    if (map.extra !== undefined) {
      this.field(builder, map.extra);
    }
  }

  branch(builder: Builder, map: StructureMap, prefix: string, left: number): void {
    const stub = map.branches.find((one) => one.prefix === prefix);
    if (stub !== undefined) {
      this.field(builder, stub.field);
      return;
    }
    const inner = beginCell();
    this.edge(inner, map, prefix, left);
    builder.storeRef(inner.endCell());
  }

  edge(builder: Builder, map: StructureMap, prefix: string, left: number): void {
    const below = [...map.entries.map((one) => one.key), ...map.branches.map((one) => one.prefix)];
    const key = commonPrefix(below.filter((one) => one.startsWith(prefix)));
    bits(builder, shortestLabel(key.slice(prefix.length), left));
    const isLeaf = key.length === map.key.bits;
    if (isLeaf) {
      const entry = map.entries.find((one) => one.key === key)!;
      if (entry.extra !== undefined) {
        this.field(builder, entry.extra);
      }
      this.field(builder, entry.field);
      return;
    }
    const rest = map.key.bits - key.length - 1;
    this.branch(builder, map, `${key}0`, rest);
    this.branch(builder, map, `${key}1`, rest);
    const fork = map.forks.find((one) => one.prefix === key);
    if (fork !== undefined) {
      this.field(builder, fork.extra);
    }
  }
}

function commonPrefix(keys: readonly string[]): string {
  let common = keys[0] ?? '';
  for (const key of keys) {
    while (!key.startsWith(common)) {
      common = common.slice(0, -1);
    }
  }
  return common;
}

/** As nodes write it (block.tlb: HmLabel): the shortest of the three forms, the first of equals. */
function shortestLabel(label: string, most: number): string {
  const length = binary(BigInt(label.length), most === 0 ? 0 : most.toString(2).length);
  const short = `0${'1'.repeat(label.length)}0${label}`;
  const long = `10${length}${label}`;
  const same = `11${label[0] ?? '0'}${length}`;
  const isSame = label !== '' && label === (label[0] ?? '').repeat(label.length);
  const forms = isSame && label.length > 1 ? [short, long, same] : [short, long];
  return forms.reduce((best, form) => (form.length < best.length ? form : best));
}

function address(builder: Builder, raw: string | undefined, isShort: boolean): void {
  if (raw === undefined) {
    bits(builder, '00');
    return;
  }
  const [workchain = '', hash = ''] = raw.split(':');
  if (!isShort) {
    bits(builder, '100');
    builder.storeInt(Number(workchain), 8);
  }
  bits(builder, bitsOfHex(hash, 256));
}

function bits(builder: Builder, text: string): void {
  const padded = text.padEnd(Math.ceil(text.length / 8) * 8, '0');
  const bytes = (padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
  builder.storeBits(new BitString(Buffer.from(bytes), 0, text.length));
}

function binary(value: bigint, width: number): string {
  return width === 0 ? '' : BigInt.asUintN(width, value).toString(2).padStart(width, '0');
}

function bitsOfHex(hex: string, length: number): string {
  return [...hex]
    .map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0'))
    .join('')
    .slice(0, length);
}
