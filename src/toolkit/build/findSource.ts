import { getMethodId } from '@ton/core';
import type { Cell } from '@ton/core';
import { codeMethods } from '../abi/codeMethods';
import type { ProjectContract } from '../abi/projectContract';

/** Sources that are compiled to find the one of a deployed code. */
const mostCompiled = 20;

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
  // The source with the most get-methods is the likeliest.
  candidates.sort((a, b) => b.methods.length - a.methods.length);
  for (const candidate of candidates.slice(0, mostCompiled)) {
    if ((await codeHashOf(candidate)) === codeHash) {
      return candidate;
    }
  }
  return undefined;
}
