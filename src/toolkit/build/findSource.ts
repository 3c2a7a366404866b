import { getMethodId } from '@ton/core';
import type { Cell } from '@ton/core';
import { codeMethods } from '../abi/codeMethods';
import type { ProjectContract } from '../abi/projectContract';

/** Sources that are compiled to find the one of a deployed code. */
const mostCompiled = 20;

/** Cells of a code that are searched for opcodes. */
const mostCells = 2_000;

/**
 * The Tolk source that a deployed code was compiled from: one whose get-methods the code has, and that compiles to the same
 * hash. Undefined where no source of the project does.
 *
 * @param codeHash of the code cell, lower-case hex
 * @param codeHashOf compiles a source; undefined where it does not compile
 */
export async function findSource(
  { codeHash, code }: { codeHash: string; code: Cell },
  project: readonly ProjectContract[],
  codeHashOf: (source: ProjectContract) => Promise<string | undefined>,
): Promise<ProjectContract | undefined> {
  const ids = new Set(codeMethods(code)?.map(({ id }) => id));
  const candidates = project.filter(
    ({ origin, layoutTexts, methods }) =>
      origin === 'Tolk source' &&
      layoutTexts !== undefined &&
      methods.every(({ name, methodId }) => ids.has(methodId ?? getMethodId(name))),
  );
  const bits = bitsOf(code);
  const likely = candidates.map((candidate) => ({ candidate, seen: opcodesIn(bits, candidate) }));
  // The source with the most get-methods is the likeliest; among those, the one whose opcodes the code contains.
  likely.sort((a, b) => b.candidate.methods.length - a.candidate.methods.length || b.seen - a.seen);
  for (const { candidate } of likely.slice(0, mostCompiled)) {
    if ((await codeHashOf(candidate)) === codeHash) {
      return candidate;
    }
  }
  return undefined;
}

/** The share of a source's opcodes that the code contains. Compilers write small ones in other ways. */
function opcodesIn(bits: readonly string[], { messages }: ProjectContract): number {
  const opcodes = [...(messages?.keys() ?? [])].map((opcode) => opcode.toString(2).padStart(32, '0'));
  const seen = opcodes.filter((opcode) => bits.some((one) => one.includes(opcode)));
  return opcodes.length === 0 ? 0 : seen.length / opcodes.length;
}

/** The bits of each cell, as digits. */
function bitsOf(code: Cell): string[] {
  const cells = new Map([[code.hash().toString('hex'), code]]);
  for (const cell of cells.values()) {
    if (cells.size < mostCells) {
      cell.refs.forEach((ref) => cells.set(ref.hash().toString('hex'), ref));
    }
  }
  return [...cells.values()].map((cell) => {
    const slice = cell.beginParse(true);
    let bits = '';
    while (slice.remainingBits > 0) {
      const count = Math.min(slice.remainingBits, 32);
      bits += slice.loadUint(count).toString(2).padStart(count, '0');
    }
    return bits;
  });
}
