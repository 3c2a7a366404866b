import type { TactFieldType } from '../abi/tactFieldType';
import { limits, overLimitError } from '../../base/limits';
import type { LayoutField, LayoutType, StructLayout } from './layoutSet';

/** A struct or message as declared in Tact's ABI or source, or the data of a contract. */
export interface TactStruct {
  name: string;
  /** The opcode of a message. */
  header?: number | null | undefined;
  fields: readonly (Omit<LayoutField, 'type'> & { type: TactFieldType })[];
  /**
   * For a contract's data, how it begins: with a bit that says whether `init` has run, or directly, if the
   * contract has parameters instead of `init`. `arguments`: the row is what `init` is given instead of that data.
   */
  data?: 'flagged' | 'bare' | 'arguments';
}

interface Size {
  bits: number;
  refs: number;
}

/** Room that the compiler reserves in a struct's first cell; in a contract's data, one reference more. */
const kept: Size = { bits: 1, refs: 1 };
const whole: Size = { bits: 1023, refs: 4 };

const flagComment = 'true: the contract starts with these fields, and its init() does not run';

/** The data of a contract whose `init` takes these arguments, until that runs. */
export function initRow(contract: string, fields: TactStruct['fields']): TactStruct {
  return { name: `${contract}$Init`, fields, data: 'arguments' };
}

/** Distributes fields over cells as the compiler does: a field that does not fit starts a new cell. */
export class TactAllocator {
  readonly #sizes = new Map<string, Size>();
  #depth = 0;

  /**
   * @param received names of the messages that the contract accepts
   * @throws WorkbenchError `over-limit` (input)
   */
  constructor(
    private readonly rows: ReadonlyMap<string, TactStruct>,
    private readonly received: ReadonlySet<string | undefined>,
  ) {
    if ([...rows.values()].some(({ fields }) => fields.length > limits.structFields.most)) {
      throw overLimitError('structFields');
    }
  }

  /** @param isStorage it is the contract's data */
  layout(row: TactStruct, isStorage: boolean): StructLayout {
    const { cells } = this.#allocate(row);
    const [first = [], ...others] = cells;
    // Data with these fields belongs to a contract whose init() has run; before that, it holds the arguments of init().
    const flag: LayoutField[] =
      row.data === 'flagged'
        ? [{ name: 'initialized', type: { kind: 'bool' }, defaultText: 'true', comment: flagComment }]
        : [];
    return {
      name: row.name,
      prefix:
        row.data === 'arguments'
          ? { value: 0n, bits: 1 }
          : row.header == null
            ? undefined
            : { value: BigInt(row.header), bits: 32 },
      cells: [[...flag, ...first], ...others],
      isStorage,
      isMessage: this.received.has(row.name),
    };
  }

  #allocate(row: TactStruct): { cells: LayoutField[][]; size: Size } {
    const reserved = {
      bits: row.data === 'arguments' ? 1 : row.header == null ? 0 : 32,
      refs: row.data === undefined ? 0 : 1,
    };
    const room = {
      bits: whole.bits - reserved.bits - kept.bits,
      refs: whole.refs - reserved.refs - kept.refs,
    };
    const fields = row.fields.map((one): SizedField => {
      const type = fieldLayout(one.type);
      return { ...one, type, size: this.#sizeOf(type) };
    });
    const { cells, size } = segment(fields, room);
    return { cells, size: { bits: size.bits + reserved.bits, refs: size.refs + reserved.refs } };
  }

  #sizeOf(type: LayoutType): Size {
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
    // A struct cannot contain itself; a file that says so must not cause endless recursion.
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
  // The next cell needs a reference.
  left.refs -= total.bits > room.bits || total.refs > room.refs ? 1 : 0;
  const used = { bits: 0, refs: 0 };
  const here: LayoutField[] = [];
  for (const [index, { size, ...field }] of fields.entries()) {
    if (size.bits > left.bits - used.bits || size.refs > left.refs - used.refs) {
      const fits = here.length > 0 || room.bits < whole.bits;
      const next = fits ? segment(fields.slice(index), whole).cells : [];
      return { cells: [here, ...next], size: { bits: used.bits, refs: used.refs + 1 } };
    }
    used.bits += size.bits;
    used.refs += size.refs;
    here.push(field);
  }
  return { cells: [here], size: used };
}

/** How a field of this type lies in a cell; a struct is known by its name. */
export function fieldLayout(row: TactFieldType): LayoutType {
  if (row.kind === 'dict') {
    const { key, keyFormat, value, valueFormat } = row;
    // Each struct in a map has a cell to itself.
    return {
      kind: 'map',
      key: plainType({ kind: 'simple', type: key, format: keyFormat }),
      value: plainType({ kind: 'simple', type: value, format: valueFormat }),
    };
  }
  const type = plainType(row);
  // A missing address is encoded as addr_none.
  return row.optional === true && type.kind !== 'address' ? { kind: 'maybe', inner: type } : type;
}

function plainType({ kind, type, format: given }: TactFieldType): LayoutType {
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
      return { kind: 'coins' };
    case 'varuint16':
      return { kind: 'varuint', lengthBits: 4 };
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
