import { posix } from 'node:path';
import { fileName } from '../fileName';
import { limits } from '../limits';
import type { DescribedContract, ProjectDescription } from '../project/projectDescription';
import type { ImportMapping } from './importPath';
import type { ProjectFile } from './projectFiles';

/** What the files say that describe a project to its tools: `Acton.toml`, and Blueprint's `*.compile.ts`. */
export interface ProjectConfigs {
  /** Those of the deepest folders first. */
  mappings: readonly ImportMapping[];
  /** Contracts, by the paths of what is built of them. */
  byArtifact: ReadonlyMap<string, NamedContract>;
  /** Contracts, by the paths of their own sources. */
  bySource: ReadonlyMap<string, NamedContract>;
}

/** A contract as its project calls it. */
export interface NamedContract {
  name: string;
  /** Path of its own source, or of its code if that is given. */
  source: string;
  /** Path of the source that declares the types of a code. */
  types: string | undefined;
  /** Paths of the other files that its compiler is given, in FunC. */
  combined: readonly string[];
}

/** Reads the files that describe projects, for the sources around them. */
export async function readConfigs(files: readonly ProjectFile[]): Promise<ProjectConfigs> {
  const configs = files
    .filter(
      ({ path, text }) =>
        (fileName(path) === 'Acton.toml' || path.endsWith('.compile.ts')) &&
        text.length <= limits.sourceText.most,
    )
    .sort((a, b) => b.path.length - a.path.length);
  const mappings: ImportMapping[] = [];
  const named: [DescribedContract, NamedContract][] = [];
  for (const { path, text } of configs) {
    // Its paths are absolute: as if the project's folder were the root.
    const read = await description(`/${path}`, text);
    const within = posix.dirname(path);
    mappings.push(
      ...Object.entries(read.mappings).map(([name, folder]) => ({ name, folder: folder.slice(1), within })),
    );
    for (const contract of read.contracts) {
      const { name, targets, types } = contract;
      const [source = '', ...combined] = targets.map((target) => target.slice(1)).reverse();
      named.push([contract, { name, source, types: types?.slice(1), combined: combined.reverse() }]);
    }
  }
  return {
    mappings,
    byArtifact: new Map(
      named.flatMap(([{ artifacts }, one]) => artifacts.map((file) => [file.slice(1), one] as const)),
    ),
    bySource: new Map(named.map(([, one]) => [one.source, one] as const)),
  };
}

async function description(
  path: string,
  text: string,
): Promise<Pick<ProjectDescription, 'contracts' | 'mappings'>> {
  if (fileName(path) === 'Acton.toml') {
    const { readActonConfig } = await import('../project/readActonConfig');
    return readActonConfig(text, path);
  }
  const { readCompileFile } = await import('../project/readCompileFile');
  return { mappings: {}, contracts: readCompileFile(text, path, rootOfCompileFile(path)).contracts };
}

/** Blueprint's build files are in `wrappers` or `compilables` of a project, or in folders of these. */
function rootOfCompileFile(path: string): string {
  return /^(.*?)\/(?:wrappers|compilables)\//.exec(path)?.[1] || '/';
}
