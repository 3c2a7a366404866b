import { getMethodId } from '@ton/core';
import type { Cell } from '@ton/core';
import { codeMethods } from '../contracts/abi/codeMethods';
import type { SignatureOrigin } from '../contracts/abi/getMethodSignature';
import { plainName } from '../contracts/abi/projectContract';
import type { ProjectContract } from '../contracts/abi/projectContract';
import type { BuiltContract } from './readBuiltContract';

/** Maximum number of sources compiled to find the one a deployed code was built from. */
const mostCompiled = 20;

/** Maximum number of cells of a code searched for opcodes. */
const mostCells = 2_000;

const sourceOrigins: ReadonlySet<string | undefined> = new Set<SignatureOrigin>([
  'Tolk source',
  'FunC source',
  'Tact source',
]);

/** Whether the description comes from a source, which can be compiled. */
export function isFromSource({ origin }: ProjectContract): boolean {
  return sourceOrigins.has(origin);
}

/**
 * Finds the source that a deployed code was compiled from: the code has its get-methods, and it compiles to
 * the same hash. Undefined if no source in the project matches. If build output has the code, only sources of
 * its name are compiled.
 *
 * @param codeHash hash of the code cell, lower-case hex
 * @param compile returns the contracts of a source; none if it does not compile
 */
export async function findSource(
  { codeHash, code }: { codeHash: string; code: Cell },
  project: readonly ProjectContract[],
  compile: (source: ProjectContract) => Promise<readonly Pick<BuiltContract, 'name' | 'codeHash'>[]>,
): Promise<ProjectContract | undefined> {
  const ids = new Set(codeMethods(code)?.map(({ id }) => id));
  const builds = project.filter((one) => one.codeHash === codeHash);
  const built = new Set(builds.map(({ name }) => plainName(name)));
  const isOfBuild = ({ name, calledBy = name, file }: ProjectContract): boolean =>
    builds.some(({ source }) => source === file) ||
    built.has(plainName(name)) ||
    built.has(plainName(calledBy));
  const candidates = project.filter(
    (one) =>
      isFromSource(one) &&
      (built.size === 0 || isOfBuild(one)) &&
      one.methods.every(({ name, methodId }) => ids.has(methodId ?? getMethodId(name))),
  );
  const bits = bitsOf(code);
  const likely = candidates.map((candidate) => ({ candidate, seen: opcodesIn(bits, candidate) }));
  // The source with the most get-methods is the likeliest; ties go to the one with most of its opcodes in the
  // code.
  likely.sort((a, b) => b.candidate.methods.length - a.candidate.methods.length || b.seen - a.seen);
  // A Tact source is a candidate for each of its contracts, but is compiled once.
  const compiled = new Map<string, Awaited<ReturnType<typeof compile>>>();
  for (const { candidate } of likely.slice(0, mostCompiled)) {
    const codes = compiled.get(candidate.file) ?? (await compile(candidate));
    compiled.set(candidate.file, codes);
    const found = codes.find((one) => one.codeHash === codeHash);
    if (found !== undefined && (codes.length === 1 || plainName(found.name) === plainName(candidate.name))) {
      return candidate;
    }
  }
  return undefined;
}

/** The share of a source's opcodes found in the code. Compilers encode small numbers differently. */
function opcodesIn(bits: readonly string[], { messages }: ProjectContract): number {
  const opcodes = [...(messages?.keys() ?? [])].map((opcode) => opcode.toString(2).padStart(32, '0'));
  const seen = opcodes.filter((opcode) => bits.some((one) => one.includes(opcode)));
  return opcodes.length === 0 ? 0 : seen.length / opcodes.length;
}

/** The bits of each cell, as a string of 0 and 1. */
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
