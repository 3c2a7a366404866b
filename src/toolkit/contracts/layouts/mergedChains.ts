import type { LayoutField, LayoutType, StructLayout } from './layoutSet';

/** A value that a source takes from a slice, in the order of the slice. */
export interface SliceLoad {
  /** `next`: from here on from the cell in the next reference. */
  type: LayoutType | { kind: 'next' };
  name: string | undefined;
}

/** What one place of a source takes from one slice. */
export interface LoadChain {
  loads: SliceLoad[];
  /** How many of them there are always; undefined if that is all. */
  always: number | undefined;
  /** Whether nothing can follow: the source says that the slice ends there. */
  isWhole: boolean;
}

export const bitsOfLoad = ({ type }: Pick<SliceLoad, 'type'>): number | undefined =>
  type.kind === 'int' || type.kind === 'uint' || type.kind === 'bits'
    ? type.bits
    : type.kind === 'bool'
      ? 1
      : undefined;

/**
 * What all places of a source together say of one slice: the longest one that is whole, where each other one is its
 * beginning. A place that takes many bits at once is divided as the others do.
 */
export function mergedChains(chains: readonly LoadChain[]): LoadChain | undefined {
  const ordered = chains.toSorted(
    (a, b) => Number(b.isWhole) - Number(a.isWhole) || b.loads.length - a.loads.length,
  );
  const [longest, ...others] = ordered;
  if (longest === undefined || !longest.isWhole) {
    return undefined;
  }
  let { loads } = longest;
  let always = longest.always;
  for (const other of others) {
    const both = mergedLoads(loads, other.loads);
    if (
      both === undefined ||
      (other.always !== undefined && always !== undefined && other.always !== always)
    ) {
      return undefined;
    }
    if (both.length > loads.length && always !== undefined) {
      return undefined;
    }
    always ??= other.always;
    loads = both;
  }
  return { ...longest, loads, always };
}

function mergedLoads(a: readonly SliceLoad[], b: readonly SliceLoad[]): SliceLoad[] | undefined {
  const [left, right] = [[...a], [...b]];
  const both: SliceLoad[] = [];
  while (left[0] !== undefined && right[0] !== undefined) {
    const [one, other] = [left[0], right[0]];
    // References do not stand among the bits: whoever wants only bits passes them over.
    if (one.type.kind === 'cell' && other.type.kind !== 'cell') {
      both.push(one);
      left.shift();
      continue;
    }
    if (
      other.type.kind === 'cell' &&
      one.type.kind !== 'cell' &&
      left.some(({ type }) => type.kind === 'cell')
    ) {
      right.shift();
      continue;
    }
    left.shift();
    right.shift();
    const merged = mergedLoad(one, other);
    if (merged === undefined) {
      return undefined;
    }
    both.push(merged.load);
    if (merged.rest !== undefined) {
      (merged.isOfFirst ? left : right).unshift(merged.rest);
    }
  }
  return right.length === 0 ? [...both, ...left] : undefined;
}

/** What two places say of the same bits; of unequal many, with what is left of the longer one. */
function mergedLoad(
  one: SliceLoad,
  other: SliceLoad,
): { load: SliceLoad; rest?: SliceLoad; isOfFirst?: boolean } | undefined {
  const [size, otherSize] = [bitsOfLoad(one), bitsOfLoad(other)];
  const name = one.name ?? other.name;
  if (size !== undefined && otherSize !== undefined && size !== otherSize) {
    const isOfFirst = size > otherSize;
    const [longer, shorter] = isOfFirst ? [one, other] : [other, one];
    const rest: SliceLoad = { name: undefined, type: { kind: 'bits', bits: Math.abs(size - otherSize) } };
    return longer.type.kind === 'bits' ? { load: shorter, rest, isOfFirst } : undefined;
  }
  if (size === undefined && otherSize === undefined && one.type.kind !== other.type.kind) {
    return undefined;
  }
  if (size !== otherSize) {
    // The bit that says whether there is a dictionary.
    const optional = [one, other].find(({ type }) => type.kind === 'map' || type.kind === 'maybe');
    return optional !== undefined && (size === 1 || otherSize === 1)
      ? { load: { ...optional, name: optional.name ?? name } }
      : undefined;
  }
  const isFiner = one.type.kind === 'bits' || (other.type.kind === 'cell' && other.type.inner !== undefined);
  return { load: { name, type: isFiner ? other.type : one.type } };
}

/** The storage with these values, by their names, else by their places. */
export function structOfLoads(name: string, loads: readonly SliceLoad[]): StructLayout {
  const taken = new Set<string>();
  const cells: LayoutField[][] = [[]];
  for (const [place, load] of loads.entries()) {
    if (load.type.kind === 'next') {
      cells.push([]);
    } else {
      const own = load.name !== undefined && !taken.has(load.name) ? load.name : `field${place}`;
      taken.add(own);
      cells.at(-1)?.push({ name: own, type: load.type });
    }
  }
  return { name, prefix: undefined, cells, isStorage: true, isMessage: false };
}
