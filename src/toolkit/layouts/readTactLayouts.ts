import * as z from 'zod';
import { readAbi } from '../abi/readAbi';
import { limits, overLimitError } from '../limits';
import type { LayoutField, LayoutSet, LayoutType, StructLayout } from './cellLayout';

const format = z.union([z.string(), z.number()]).nullish();
const typeRow = z.looseObject({
  kind: z.string(),
  type: z.string().optional(),
  optional: z.boolean().nullish(),
  format,
  key: z.string().optional(),
  keyFormat: format,
  value: z.string().optional(),
  valueFormat: format,
});
type TypeRow = z.output<typeof typeRow>;
const fieldRow = z.looseObject({ name: z.string(), type: typeRow });
const structRow = z.looseObject({
  name: z.string(),
  header: z.number().nullish(),
  fields: z.array(fieldRow),
});
type StructRow = z.output<typeof structRow>;
const receiverRow = z.looseObject({ message: z.looseObject({ type: z.string().optional() }) });
const tactAbi = z.looseObject({
  name: z.string().nullish(),
  types: z.array(structRow),
  receivers: z.array(receiverRow).nullish(),
});

interface Size {
  bits: number;
  refs: number;
}

/** Bits that the compiler keeps free in the first cell of a struct, and references. */
const kept: Size = { bits: 1, refs: 1 };
const whole: Size = { bits: 1023, refs: 4 };

/** Contracts keep a bit before their data: whether `init` has run. */
const storageName = /^(.+)\$Data$/;

/**
 * The structs and messages of an ABI of the Tact compiler (.abi, or the `abi` text in a .pkg).
 * @throws WorkbenchError `abi-unreadable` (input)
 */
export function readTactLayouts(origin: string, text: string): LayoutSet {
  const { name, types, receivers } = readAbi('Tact ABI', tactAbi, text);
  if (types.some(({ fields }) => fields.length > limits.structFields.most)) {
    throw overLimitError('structFields');
  }
  const received = new Set((receivers ?? []).map(({ message }) => message.type));
  const allocator = new Allocator(new Map(types.map((row) => [row.name, row])), received);
  const structs = new Map(types.map((row) => [row.name, allocator.layout(row)]));
  return { origin, contract: name ?? undefined, structs };
}

/** Spreads fields over cells as the compiler does: a field that does not fit begins a new cell. */
class Allocator {
  readonly #sizes = new Map<string, Size>();
  #depth = 0;

  constructor(
    private readonly rows: ReadonlyMap<string, StructRow>,
    private readonly received: ReadonlySet<string | undefined>,
  ) {}

  layout(row: StructRow): StructLayout {
    const isStorage = storageName.test(row.name);
    const { cells } = this.#allocate(row);
    const [first = [], ...others] = cells;
    const flag: LayoutField[] = isStorage ? [{ name: 'initialized', type: { kind: 'bool' } }] : [];
    return {
      name: row.name,
      prefix: row.header == null ? undefined : { value: BigInt(row.header), bits: 32 },
      cells: [[...flag, ...first], ...others],
      isStorage,
      isMessage: this.received.has(row.name),
    };
  }

  #allocate(row: StructRow): { cells: LayoutField[][]; size: Size } {
    const reserved = row.header == null ? (storageName.test(row.name) ? 1 : 0) : 32;
    const room = { bits: whole.bits - reserved - kept.bits, refs: whole.refs - kept.refs };
    const fields = row.fields.map((one) => ({
      name: one.name,
      type: typeOf(one.type),
      size: this.#sizeOf(one.type),
    }));
    return segment(fields, room);
  }

  #sizeOf(row: TypeRow): Size {
    const type = typeOf(row);
    if (type.kind === 'maybe') {
      const { bits, refs } = this.#plainSize(type.inner);
      return { bits: bits + 1, refs };
    }
    return this.#plainSize(type);
  }

  #plainSize(type: LayoutType): Size {
    switch (type.kind) {
      case 'int':
      case 'uint':
      case 'bits':
        return { bits: type.bits, refs: 0 };
      case 'coins':
        return { bits: 124, refs: 0 };
      case 'varint':
      case 'varuint':
        return { bits: type.lengthBits === 4 ? 124 : 253, refs: 0 };
      case 'bool':
        return { bits: 1, refs: 0 };
      case 'address':
        return { bits: 267, refs: 0 };
      case 'cell':
      case 'text':
        return { bits: 0, refs: 1 };
      case 'map':
        return { bits: 1, refs: 1 };
      case 'struct':
        return this.#structSize(type.key);
      default:
        return { bits: 0, refs: 0 };
    }
  }

  #structSize(name: string): Size {
    const known = this.#sizes.get(name);
    if (known !== undefined) {
      return known;
    }
    // A struct cannot hold itself; a file that says so must not be endless.
    this.#sizes.set(name, { bits: 0, refs: 0 });
    const row = this.rows.get(name);
    this.#depth++;
    const isKnown = row !== undefined && this.#depth <= limits.sourceNesting.most;
    const size = isKnown ? this.#allocate(row).size : { bits: 0, refs: 0 };
    this.#depth--;
    this.#sizes.set(name, size);
    return size;
  }
}

type SizedField = LayoutField & { size: Size };

function segment(fields: readonly SizedField[], room: Size): { cells: LayoutField[][]; size: Size } {
  const total = { bits: 0, refs: 0 };
  for (const { size } of fields) {
    total.bits += size.bits;
    total.refs += size.refs;
  }
  const left = { ...room };
  // The cell that follows needs a reference.
  left.refs -= total.bits > room.bits || total.refs > room.refs ? 1 : 0;
  const used = { bits: 0, refs: 0 };
  const here: LayoutField[] = [];
  for (const [index, { name, type, size }] of fields.entries()) {
    if (size.bits > left.bits - used.bits || size.refs > left.refs - used.refs) {
      const fits = here.length > 0 || room.bits < whole.bits;
      const next = fits ? segment(fields.slice(index), whole).cells : [];
      return { cells: [here, ...next], size: { bits: used.bits, refs: used.refs + 1 } };
    }
    used.bits += size.bits;
    used.refs += size.refs;
    here.push({ name, type });
  }
  return { cells: [here], size: used };
}

function typeOf(row: TypeRow): LayoutType {
  if (row.kind === 'dict') {
    const { key, keyFormat, value, valueFormat } = row;
    // Structs are kept in a cell of their own.
    return {
      kind: 'map',
      key: plainType({ kind: 'simple', type: key, format: keyFormat }),
      value: plainType({ kind: 'simple', type: value, format: valueFormat }),
    };
  }
  const type = plainType(row);
  // An optional address is addr_none.
  return row.optional === true && type.kind !== 'address' ? { kind: 'maybe', inner: type } : type;
}

function plainType({ kind, type, format: given }: TypeRow): LayoutType {
  if (kind !== 'simple' || type === undefined) {
    return { kind: 'unknown', what: kind };
  }
  switch (type) {
    case 'int':
    case 'uint':
      return integerType(type, given);
    case 'bool':
    case 'address':
      return { kind: type };
    case 'cell':
    case 'slice':
    case 'builder':
      return given === 'remainder' ? { kind: 'rest' } : { kind: 'cell' };
    case 'string':
      return { kind: 'text' };
    case 'fixed-bytes':
      return { kind: 'bits', bits: (typeof given === 'number' ? given : 32) * 8 };
    default:
      return given === 'ref'
        ? { kind: 'cell', inner: { kind: 'struct', key: type } }
        : { kind: 'struct', key: type };
  }
}

function integerType(type: 'int' | 'uint', given: string | number | null | undefined): LayoutType {
  switch (given) {
    case 'coins':
    case 'varuint16':
      return { kind: 'coins' };
    case 'varuint32':
      return { kind: 'varuint', lengthBits: 5 };
    case 'varint16':
      return { kind: 'varint', lengthBits: 4 };
    case 'varint32':
      return { kind: 'varint', lengthBits: 5 };
    default:
      return { kind: type, bits: typeof given === 'number' ? given : type === 'int' ? 257 : 256 };
  }
}
