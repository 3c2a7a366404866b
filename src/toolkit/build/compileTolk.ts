import { runTolkCompiler } from '@ton/tolk-js';
import { compiledAlone } from '../project/compilationOf';
import type { Compilation } from '../project/compilationOf';
import type { BuiltContract } from './readBuiltContract';
import { builtFrom } from './readBuiltContract';
import { tolkError } from './tolkError';
import { tolkTypeIds } from './tolkTypeIds';

/** The interface of @ton/tolk-js; older versions lack some of what they are given. */
export interface TolkCompiler {
  runTolkCompiler(config: {
    entrypointFileName: string;
    fsReadCallback: (path: string) => string;
    withSrcLineComments?: boolean;
    withStackComments?: boolean;
    optimizationLevel?: number;
    experimentalOptions?: string;
    /** Since 1.0. */
    pathMappings?: Record<string, string>;
  }): Promise<{ status: 'ok'; codeBoc64: string; fiftCode: string } | { status: 'error'; message: string }>;
}

/**
 * Compiles a Tolk contract; nothing is written. Our compiler is 8 MB, so import this file on demand.
 * @param path the entry file's path, with forward slashes
 * @param read returns a file's text by path, or throws
 * @param compiler the project's own, or ours
 * @param compilation how its project compiles it
 * @throws WorkbenchError `compile-failed` (input) with `details.problems`: SourceProblem[]
 */
export async function compileTolk(
  path: string,
  read: (path: string) => string,
  compiler: TolkCompiler = { runTolkCompiler },
  compilation: Compilation = compiledAlone(path),
): Promise<BuiltContract> {
  const given = tolkInput(compilation);
  const texts = new Map<string, string>();
  const noted = (file: string): string => {
    const text = read(file);
    texts.set(file, text);
    return text;
  };
  const compiled = await compiler.runTolkCompiler({ ...given, fsReadCallback: noted });
  if (compiled.status === 'error') {
    throw tolkError(compiled.message);
  }
  // The compiler reads the entry first.
  const typeIds = await tolkTypeIds([...texts.values()], compiled.fiftCode, async (entry) => {
    const [entryPath] = texts.keys();
    const probed = await compiler.runTolkCompiler({
      ...given,
      fsReadCallback: (file) => (file === entryPath ? entry : read(file)),
    });
    return probed.status === 'ok' ? probed.fiftCode : undefined;
  });
  return { ...builtFrom(path, compiled.codeBoc64), ...(typeIds === undefined ? {} : { typeIds }) };
}

/** What the compiler is given for a contract. */
export function tolkInput({ targets, options, mappings }: Compilation): {
  entrypointFileName: string;
  optimizationLevel?: number;
  experimentalOptions?: string;
  pathMappings?: Record<string, string>;
} {
  const { tact: _tact, ...own } = options;
  return {
    entrypointFileName: targets.at(-1) ?? '',
    ...own,
    ...(Object.keys(mappings).length === 0 ? {} : { pathMappings: { ...mappings } }),
  };
}
