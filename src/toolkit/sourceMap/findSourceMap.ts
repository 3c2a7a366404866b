import { plainName } from '../contracts/abi/projectContract';
import type { ProjectContract } from '../contracts/abi/projectContract';
import { sourceLanguage } from '../contracts/abi/sourceLanguage';
import { bundleEnding } from '../project/readArtifact';
import type { SourceMap } from './sourceMap';

/** A search for the source of a code. */
export interface FoundSourceMap {
  /** The lines of the code; undefined if no source compiles to it. */
  map: SourceMap | undefined;
  /** The files that were compiled or tried, the likeliest first. */
  tried: readonly TriedSource[];
}

/** A source that does not give the code. */
export interface TriedSource {
  file: string;
  /** Why it could not be compiled; undefined if it compiles to other code. */
  error?: unknown;
}

/** Most sources that are compiled to find the one of a code. */
const most = 4;

/**
 * Finds the source in a project that compiles to a code, and its lines.
 *
 * @param codeHash lowercase hex
 * @param mapFile compiles a file of the project
 */
export async function findSourceMap(
  codeHash: string,
  contracts: readonly ProjectContract[],
  mapFile: (file: string) => Promise<readonly SourceMap[]>,
): Promise<FoundSourceMap> {
  const tried: TriedSource[] = [];
  for (const file of likelySources(codeHash, contracts).slice(0, most)) {
    try {
      const map = (await mapFile(file)).find((one) => one.codeHash === codeHash);
      if (map !== undefined) {
        return { map, tried };
      }
      tried.push({ file });
    } catch (error) {
      tried.push({ file, error });
    }
  }
  return { map: undefined, tried };
}

/**
 * What may have the lines of a code: a build that holds its compiler's own source map, the sources known by its hash, then
 * those of the same contract by name.
 */
function likelySources(codeHash: string, contracts: readonly ProjectContract[]): string[] {
  const same = contracts.filter((contract) => contract.codeHash === codeHash);
  const names = new Set(same.map(({ name }) => plainName(name)));
  const named = contracts.filter(({ name }) => names.has(plainName(name)));
  const files = [
    ...same.flatMap(({ file, source }) => [file, ...(source === undefined ? [] : [source])]),
    ...named.map(({ file }) => file),
  ];
  const bundles = same.map(({ file }) => file).filter((file) => file.endsWith(bundleEnding));
  return [...new Set([...bundles, ...files.filter((file) => sourceLanguage(file) !== undefined)])];
}
