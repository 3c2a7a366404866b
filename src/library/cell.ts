import type { Boc } from '../toolkit/cell/boc';
import { dataText } from '../toolkit/cell/boc';
import { describeBoc as describeToolkitBoc } from '../toolkit/contracts/opcodes/describeBoc';
import { diffText } from '../toolkit/cell/diffBocs';
import { disassembleCode } from '../toolkit/cell/disassembleCode';
import { parseBocInput, readBocInput } from '../toolkit/cell/parseBocInput';
import { toCoreCell } from '../toolkit/cell/toCoreCell';

/** A bag of cells: its bytes, or text in base64, base64url or hex. */
export type BocInput = string | Uint8Array;

/** One cell. */
export interface BocCell {
  readonly kind: 'ordinary' | 'pruned' | 'library' | 'merkle-proof' | 'merkle-update';
  /** Representation hash, lowercase hex. */
  readonly hash: string;
  readonly depth: number;
  /** Bits of data, 0 to 1,023. */
  readonly bits: number;
  /** The data as in Fift, without the braces: hex, with a trailing `_` if the last digit is incomplete. */
  readonly data: string;
  readonly references: readonly BocCell[];
}

/** A bag of cells that was checked completely. */
export interface BagOfCells {
  readonly roots: readonly BocCell[];
  /** Number of distinct cells. */
  readonly cellCount: number;
  /** Oddities that do not make it invalid, one sentence each. */
  readonly notes: readonly string[];
}

/** One method of a contract's code. */
export interface CodeMethod {
  readonly id: number;
  /** Set if the id is that of a well-known method. */
  readonly name: string | undefined;
  /** TVM assembly, one instruction per line. */
  readonly text: string;
}

/**
 * Reads and checks a bag of cells. References are read lazily, so a large one costs little.
 *
 * @throws WorkbenchError `boc-text-invalid` and other codes that begin with `boc-` (input)
 * @example
 * ```ts
 * import { readBoc } from 'ton-workbench/cell';
 *
 * const [root] = readBoc('te6cckEBAQEABgAACAAAAAe2XDBM').roots;
 * root.hash; root.bits; root.references.length;
 * ```
 */
export function readBoc(input: BocInput): BagOfCells {
  const boc = open(input);
  return {
    roots: boc.roots.map((root) => new LazyCell(boc, root)),
    cellCount: boc.cellCount,
    notes: boc.notes.map(({ text }) => text),
  };
}

/**
 * Describes a bag of cells as text for people: the message, transaction, account, or body in it, if there is one, its
 * size, and its cells as a tree.
 * @throws WorkbenchError as {@link readBoc}
 */
export function describeBoc(input: BocInput): string {
  return describeToolkitBoc(open(input)).text;
}

/**
 * Where two bags of cells differ, as text for people.
 * @throws WorkbenchError as {@link readBoc}
 */
export function diffBocs(left: BocInput, right: BocInput): string {
  return diffText(open(left), open(right));
}

/**
 * A contract's code as TVM assembly, by method.
 * @param code a bag of cells whose only root is the code
 * @throws WorkbenchError as {@link readBoc}, and `code-not-readable` (input)
 */
export async function disassemble(code: BocInput): Promise<readonly CodeMethod[]> {
  const boc = open(code);
  const { methods } = await disassembleCode(toCoreCell(boc, boc.roots[0] ?? 0));
  return methods;
}

function open(input: BocInput): Boc {
  return typeof input === 'string' ? parseBocInput(input) : readBocInput(input);
}

class LazyCell implements BocCell {
  readonly #boc: Boc;
  readonly #cell: number;

  constructor(boc: Boc, cell: number) {
    this.#boc = boc;
    this.#cell = cell;
  }

  get kind(): BocCell['kind'] {
    return this.#boc.kind(this.#cell);
  }

  get hash(): string {
    return this.#boc.hashHex(this.#cell);
  }

  get depth(): number {
    return this.#boc.depth(this.#cell);
  }

  get bits(): number {
    return this.#boc.bitLength(this.#cell);
  }

  get data(): string {
    return dataText(this.#boc, this.#cell);
  }

  get references(): readonly BocCell[] {
    return this.#boc.references(this.#cell).map((cell) => new LazyCell(this.#boc, cell));
  }
}
