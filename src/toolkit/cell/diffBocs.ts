import type { Boc } from './boc';
import { dataText } from './boc';

/** One place where two BoCs differ. Cells are numbers in their own BoC. */
export interface BocDifference {
  /** `root 0`, then the number of each reference on the way: `root 0 › 2 › 1`. */
  path: string;
  change: 'data' | 'kind' | 'added' | 'removed';
  left: number | undefined;
  right: number | undefined;
  /** For `data`: the first bit that differs. */
  bit: number | undefined;
}

/** Maximum number of differences; comparing unrelated BoCs would list every cell. */
const limit = 1000;

/**
 * The differences between two BoCs, from the roots down: subtrees with equal hashes are skipped, references are
 * compared in order. An empty list means equal content.
 */
export function diffBocs(left: Boc, right: Boc): BocDifference[] {
  const stack: { path: string; a: number | undefined; b: number | undefined }[] = [];
  for (let i = Math.max(left.roots.length, right.roots.length) - 1; i >= 0; i--) {
    stack.push({ path: `root ${i}`, a: left.roots[i], b: right.roots[i] });
  }
  const compared = new Set<string>();
  const result: BocDifference[] = [];
  for (let next = stack.pop(); next !== undefined && result.length < limit; next = stack.pop()) {
    const { path, a, b } = next;
    if (a === undefined || b === undefined) {
      result.push({ path, change: a === undefined ? 'added' : 'removed', left: a, right: b, bit: undefined });
      continue;
    }
    const pair = `${a}:${b}`;
    if (compared.has(pair) || Buffer.compare(left.hash(a), right.hash(b)) === 0) {
      continue;
    }
    compared.add(pair);
    const own = compareCells(left, a, right, b);
    if (own !== undefined) {
      result.push({ path, left: a, right: b, ...own });
    }
    for (let i = Math.max(left.referenceCount(a), right.referenceCount(b)) - 1; i >= 0; i--) {
      stack.push({
        path: `${path} › ${i}`,
        a: i < left.referenceCount(a) ? left.reference(a, i) : undefined,
        b: i < right.referenceCount(b) ? right.reference(b, i) : undefined,
      });
    }
  }
  return result;
}

/** The differences as lines for people, with both sides' data. */
export function diffText(left: Boc, right: Boc, differences = diffBocs(left, right)): string {
  if (differences.length === 0) {
    return 'Equal: the same cells from the roots down.\n';
  }
  const lines = differences.flatMap(({ path, change, left: a, right: b, bit }) => {
    const what = change === 'data' ? `data differs from bit ${bit}` : change;
    return [
      `${path}: ${what}`,
      ...(a === undefined ? [] : [`  - ${left.kind(a)} ${left.bitLength(a)} bits ${dataText(left, a)}`]),
      ...(b === undefined ? [] : [`  + ${right.kind(b)} ${right.bitLength(b)} bits ${dataText(right, b)}`]),
    ];
  });
  const more = differences.length === limit ? ['Only the first 1,000 differences are shown.'] : [];
  return [...lines, ...more, ''].join('\n');
}

function compareCells(
  left: Boc,
  a: number,
  right: Boc,
  b: number,
): { change: 'kind' | 'data'; bit: number | undefined } | undefined {
  if (left.kind(a) !== right.kind(b)) {
    return { change: 'kind', bit: undefined };
  }
  const [one, other] = [left.data(a), right.data(b)];
  const common = Math.min(left.bitLength(a), right.bitLength(b));
  for (let bit = 0; bit < common; bit++) {
    const mask = 0x80 >> (bit & 7);
    if ((one[bit >> 3]! & mask) !== (other[bit >> 3]! & mask)) {
      return { change: 'data', bit };
    }
  }
  return left.bitLength(a) === right.bitLength(b) ? undefined : { change: 'data', bit: common };
}
