import type { Flow, NumberCoding, ResultFlow, SeenInstruction, ValuePart } from './valueParts';
import { cellIn, madeOf, readWord, sameAs, sizeIn } from './valueParts';

/** How much of a cell is before something. */
interface Extent {
  bits: number;
  refs: number;
}

/** Bits and references of a cell, slice, or builder; undefined for another value. */
function extentOf(word: string): Extent | undefined {
  const cell = cellIn(readWord(word));
  return cell && { bits: cell.bits.length, refs: cell.refs.length };
}

/** What reads slices: each takes one from the stack and leaves what it has read, and what is left of the slice. */
const loads =
  /^LD(?:(?<kind>I|U|SLICE)(?<isVar>X?)|(?<little>[IU])LE[48]|(?<varint>GRAMS|VARU?INT(?:16|32))|(?<other>MSGADDR|STDADDR|OPTSTDADDR|REF|REFRTOS|DICT|DICTS|OPTREF))(?<isQuiet>Q?)$/;
const preloads = /^PLD(?:(?<kind>I|U|SLICE)(?<isVar>X?)|(?<dict>DICT|OPTREF))(?<isQuiet>Q?)$/;
const stores =
  /^ST(?:(?<kind>I|U)(?<isVar>X?)(?<isReverse>R?)|(?<varint>GRAMS|VARU?INT(?:16|32))|(?<other>REF|BREF|SLICE|B|DICT|OPTREF|STDADDR|OPTSTDADDR)(?<isTurned>R?))$/;

/** What instructions on cells, slices, and builders do; undefined for another. */
export function cellFlow(seen: SeenInstruction): ResultFlow[] | undefined {
  return readingFlow(seen) ?? cuttingFlow(seen) ?? buildingFlow(seen);
}

function readingFlow(seen: SeenInstruction): ResultFlow[] | undefined {
  const { name, operands } = seen;
  const load = loads.exec(name)?.groups;
  if (load !== undefined) {
    return loadFlow(seen, load);
  }
  const preload = preloads.exec(name)?.groups;
  if (preload !== undefined) {
    if (preload['isQuiet'] === 'Q') {
      return undefined;
    }
    const slot = preload['isVar'] === 'X' ? 1 : 0;
    if (preload['dict'] !== undefined) {
      return [optional(slot)];
    }
    const size = slot === 1 ? sizeIn(seen.before(0)) : Number(operands[0]);
    return size === undefined ? undefined : [fromBits(slot, [0, size], codingOf(preload['kind']))];
  }
  switch (name) {
    case 'PLDREF':
      return [fromRef(0, 0)];
    case 'PLDREFIDX':
      return [fromRef(0, Number(operands[0]))];
    case 'PLDREFVAR': {
      const index = sizeIn(seen.before(0));
      return index === undefined ? undefined : [fromRef(1, index)];
    }
    case 'CTOS':
    case 'BTOS':
      return [sameAs(0)];
    case 'XCTOS':
      return [sameAs(0), madeOf(0)];
    case 'REWRITESTDADDR':
      return [fromBits(0, [3, 11], 'int'), fromBits(0, [11, 267], 'uint')];
    default:
      return undefined;
  }
}

function loadFlow(
  seen: SeenInstruction,
  { kind, isVar, little, varint, other, isQuiet }: Record<string, string | undefined>,
): ResultFlow[] | undefined {
  const slot = isVar === 'X' ? 1 : 0;
  // A quiet one leaves whether it could; if not, only that and what it took.
  const above = isQuiet === 'Q' ? 1 : 0;
  if (isQuiet === 'Q' && !/^-?[01]$/.test(seen.after(0))) {
    return undefined;
  }
  const flag: ResultFlow[] = above === 0 ? [] : [madeOf(slot)];
  if (above === 1 && seen.after(0) === '0') {
    return [sameAs(slot), ...flag];
  }
  const isSliceFirst = other === 'REFRTOS';
  const [all, left] = [extentOf(seen.before(slot)), extentOf(seen.after(above + (isSliceFirst ? 1 : 0)))];
  if (all === undefined || left === undefined) {
    return undefined;
  }
  const taken = { bits: all.bits - left.bits, refs: all.refs - left.refs };
  const rest = restOf(slot, taken, left);
  const bits = [0, taken.bits] as const;
  switch (other) {
    case 'REF':
      return [fromRef(slot, 0), rest, ...flag];
    case 'REFRTOS':
      return [rest, fromRef(slot, 0)];
    case 'DICT':
    case 'OPTREF':
      return [optional(slot), rest, ...flag];
    case 'DICTS':
      return [cut(slot), rest];
    default:
      return [
        little === undefined ? fromBits(slot, bits, codingOf(kind ?? varint)) : madeOf(slot),
        rest,
        ...flag,
      ];
  }
}

/** A beginning, or an end of a slice. */
function cuttingFlow(seen: SeenInstruction): ResultFlow[] | undefined {
  const { name } = seen;
  const slot = { SDSUBSTR: 2, SCUTFIRST: 2, SSKIPFIRST: 2, SCUTLAST: 2, SSKIPLAST: 2, SUBSLICE: 4 }[name];
  const isOne = /^(?:SDCUTFIRST|SDSKIPFIRST|SDCUTLAST|SDSKIPLAST|SDBEGINSXQ?)$/.test(name);
  const isConst = /^(?:SDBEGINSQ?|SKIPDICT|SKIPOPTREF)$/.test(name);
  const from = slot ?? (isOne ? 1 : isConst ? 0 : undefined);
  if (from === undefined) {
    return undefined;
  }
  const all = extentOf(seen.before(from));
  if (name.startsWith('SDBEGINS') && name.endsWith('Q')) {
    const flag: ResultFlow = madeOf(from);
    const rest = seen.after(0) === '0' ? all : extentOf(seen.after(1));
    return all && rest && [restOf(from, { bits: all.bits - rest.bits, refs: 0 }, rest), flag];
  }
  const left = extentOf(seen.after(0));
  if (all === undefined || left === undefined) {
    return undefined;
  }
  switch (name) {
    case 'SDCUTFIRST':
    case 'SCUTFIRST':
      return [restOf(from, { bits: 0, refs: 0 }, left)];
    case 'SDSUBSTR': {
      const begin = sizeIn(seen.before(1));
      return begin === undefined ? undefined : [restOf(from, { bits: begin, refs: 0 }, left)];
    }
    case 'SUBSLICE': {
      const [bits, refs] = [sizeIn(seen.before(3)), sizeIn(seen.before(2))];
      return bits === undefined || refs === undefined ? undefined : [restOf(from, { bits, refs }, left)];
    }
    case 'SDSKIPLAST':
    case 'SSKIPLAST':
      return [restOf(from, { bits: 0, refs: 0 }, left)];
    default:
      return [restOf(from, { bits: all.bits - left.bits, refs: all.refs - left.refs }, left)];
  }
}

function buildingFlow(seen: SeenInstruction): ResultFlow[] | undefined {
  const { name } = seen;
  const store = stores.exec(name)?.groups;
  if (store !== undefined) {
    const { kind, isVar, isReverse, varint, other, isTurned } = store;
    const above = isVar === 'X' ? 1 : 0;
    const isBuilderBelow = isReverse === 'R' || isTurned === 'R' || varint !== undefined;
    const [builder, value] = isBuilderBelow ? [above + 1, above] : [above, above + 1];
    return stored(seen, builder, value, other ?? '', codingOf(kind ?? varint));
  }
  switch (name) {
    case 'ENDC':
      return [sameAs(0)];
    case 'ENDCST':
      return stored(seen, 1, 0, 'BREF', undefined);
    case 'STZEROES':
    case 'STONES':
      return stored(seen, 1, 0, '', undefined);
    case 'STSAME':
      return stored(seen, 2, 0, '', undefined);
    case 'STSLICECONST':
    case 'STREFCONST':
    case 'STREF2CONST':
      return stored(seen, 0, undefined, '', undefined);
    default:
      return undefined;
  }
}

/**
 * A builder with something more in it.
 * @param builder slot of the builder, and of what is stored: undefined for what the code has
 * @param other what is stored, unless it is a number
 */
function stored(
  seen: SeenInstruction,
  builder: number,
  value: number | undefined,
  other: string,
  coding: NumberCoding | undefined,
): ResultFlow[] | undefined {
  const [before, after] = [extentOf(seen.before(builder)), extentOf(seen.after(0))];
  if (before === undefined || after === undefined) {
    return undefined;
  }
  const isSlice = /^(?:SLICE|B|STDADDR|OPTSTDADDR)$/.test(other);
  const all = [builder, ...(value === undefined ? [] : [value])].map((slot) => ({
    slot,
    part: { path: [] },
  }));
  return [
    (part): Flow => {
      const [first, ...path] = part.path;
      if (first !== undefined) {
        if (first < before.refs) {
          return { kind: 'same', source: { slot: builder, part } };
        }
        const inside = isSlice ? { ...part, path: [first - before.refs, ...path] } : { ...part, path };
        return value === undefined
          ? { kind: 'made', sources: [] }
          : { kind: 'same', source: { slot: value, part: inside } };
      }
      if (part.bits === undefined) {
        return before.bits + before.refs === 0 && isSlice && value !== undefined
          ? { kind: 'same', source: { slot: value, part } }
          : { kind: 'made', sources: all };
      }
      const [from, to] = part.bits;
      if (to <= before.bits) {
        return { kind: 'same', source: { slot: builder, part } };
      }
      const own = [Math.max(0, from - before.bits), to - before.bits] as const;
      const isWhole = from === before.bits && to === after.bits;
      if (from >= before.bits && value !== undefined && (isSlice || (isWhole && coding !== undefined))) {
        const inside: ValuePart = isSlice ? { path: [], bits: own } : { path: [] };
        return { kind: 'same', source: { slot: value, part: inside }, coding: isSlice ? undefined : coding };
      }
      const older =
        from < before.bits ? [{ slot: builder, part: { path: [], bits: [from, before.bits] as const } }] : [];
      const newer =
        value === undefined
          ? []
          : [{ slot: value, part: isSlice ? { path: [], bits: own } : { path: [] as number[] } }];
      return { kind: 'made', sources: [...older, ...newer] };
    },
  ];
}

function cut(slot: number): ResultFlow {
  return (part) => ({ kind: 'same', source: { slot, part }, isCut: true });
}

/** A number, or a slice, that lies in bits of a slice. */
function fromBits(
  slot: number,
  [from, to]: readonly [number, number],
  coding: NumberCoding | undefined,
): ResultFlow {
  return ({ path, bits }) => {
    const own = bits === undefined ? ([from, to] as const) : ([from + bits[0], from + bits[1]] as const);
    return {
      kind: 'same',
      source: { slot, part: path.length > 0 ? { path, bits } : { path: [], bits: own } },
      coding,
    };
  };
}

function fromRef(slot: number, index: number): ResultFlow {
  return ({ path, bits }) => ({ kind: 'same', source: { slot, part: { path: [index, ...path], bits } } });
}

/** A reference behind a bit that says whether it is there; null if it is not. */
function optional(slot: number): ResultFlow {
  const reference = fromRef(slot, 0);
  return (part) =>
    part.path.length === 0 && part.bits === undefined
      ? { kind: 'same', source: { slot, part: { path: [0] } }, isCut: true }
      : reference(part);
}

/** What is left of a slice behind what was taken from it. */
function restOf(slot: number, taken: Extent, left: Extent): ResultFlow {
  return ({ path, bits }) => {
    const [first, ...rest] = path;
    if (first !== undefined) {
      return { kind: 'same', source: { slot, part: { path: [first + taken.refs, ...rest], bits } } };
    }
    if (bits === undefined && left.refs > 0) {
      return { kind: 'same', source: { slot, part: { path: [] } }, isCut: true };
    }
    const [from, to] = bits ?? [0, left.bits];
    return {
      kind: 'same',
      source: { slot, part: { path: [], bits: [from + taken.bits, to + taken.bits] } },
    };
  };
}

/** How the number of an instruction lies in bits; undefined for a slice. */
function codingOf(kind: string | undefined): NumberCoding | undefined {
  switch (kind) {
    case 'I':
      return 'int';
    case 'U':
      return 'uint';
    case 'GRAMS':
    case 'VARUINT16':
      return 'varuint16';
    case 'VARINT16':
      return 'varint16';
    case 'VARUINT32':
      return 'varuint32';
    case 'VARINT32':
      return 'varint32';
    default:
      return undefined;
  }
}
