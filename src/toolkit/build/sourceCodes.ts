import { plainName } from '../contracts/abi/projectContract';
import type { ProjectContract } from '../contracts/abi/projectContract';

/** The codes that a source's contracts have been compiled to. Hashes of code cells, lowercase hex. */
export interface SourceCodes {
  /** Codes of earlier texts of the source, or of files it imports, with the names of their contracts. */
  earlier: ReadonlyMap<string, string>;
  /**
   * Codes of the current text by contract ({@link plainName}); empty if it has not been compiled, or does not
   * compile.
   */
  current: ReadonlyMap<string, string>;
}

/**
 * The codes of a source, as far as the project knows them: those compiled here, and as earlier ones those that its project
 * has built from texts that it recorded.
 */
export function sourceCodes(file: string, project: readonly ProjectContract[]): SourceCodes {
  const compiled = project.flatMap(({ origin, codeHash, hasChanged, name, file: from, source }) =>
    codeHash !== undefined &&
    ((from === file && origin === undefined) || (source === file && hasChanged === true))
      ? [{ codeHash, name: plainName(name), hasChanged: hasChanged === true }]
      : [],
  );
  return {
    earlier: new Map(
      compiled.flatMap(({ codeHash, name, hasChanged }) => (hasChanged ? [[codeHash, name]] : [])),
    ),
    current: new Map(
      compiled.flatMap(({ codeHash, name, hasChanged }) => (hasChanged ? [] : [[name, codeHash]])),
    ),
  };
}

/**
 * Whether a deployed code was compiled from an earlier text, and the source's contract now has different
 * code.
 */
export function isOutdated({ earlier, current }: SourceCodes, codeHash: string | undefined): boolean {
  const name = codeHash === undefined ? undefined : earlier.get(codeHash);
  const now = name === undefined ? undefined : current.get(name);
  return now !== undefined && now !== codeHash;
}
