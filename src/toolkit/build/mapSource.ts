import { createRequire } from 'node:module';
import { Cell } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import type { SourceMap } from '../sourceMap/sourceMap';
import type { Compilation } from '../project/compilationOf';
import { bundleEnding } from '../project/readArtifact';
import { mapOrRefused } from '../sourceMap/mapOrRefused';
import { tolkSourceMap } from '../sourceMap/tolkSourceMap';
import { namedErrors, projectBuild } from './compileSource';
import type { CompileOptions } from './compileSource';
import type { FuncCompiler } from './compileFunc';
import type { TactCompiler } from './compileTact';
import { tolkInput } from './compileTolk';
import { tolkError } from './tolkError';
import type { TolkCompiler } from './compileTolk';
import { mapBundle } from './mapBundle';
import { mapFunc } from './mapFunc';
import { mapTact } from './mapTact';
import { contractName } from './readBuiltContract';

/**
 * Compiles a source, and tells which lines the instructions of its codes are from; nothing is written. A map is true for
 * the code with its hash only: compare it with the code that ran.
 *
 * @param path the entry file's path, with forward slashes; or a `*.source.json` that Acton has built, whose compiler's
 * own marks are read
 * @returns the maps of its contracts
 * @throws WorkbenchError `compile-failed`, `compiler-missing`, `compiler-unusable` (input), `over-limit`
 */
export async function mapSource(path: string, options: CompileOptions): Promise<SourceMap[]> {
  const { read } = options;
  if (path.endsWith(bundleEnding)) {
    return [await mapBundle(path, read)];
  }
  const build = projectBuild(path, options);
  const { language, compiler } = build;
  const texts = new Map<string, string>();
  const noted = (file: string): string => {
    const text = read(file);
    texts.set(file, text);
    return text;
  };
  return namedErrors(
    build,
    () => [...texts.values()],
    async (entry) => {
      const { compilation } = build;
      switch (language) {
        case 'tolk':
          return [
            await mapTolk(path, { read: noted, texts, compilation }, compiler as TolkCompiler | undefined),
          ];
        case 'func':
          return [await mapFunc({ path, read: noted, texts, compilation }, compiler as FuncCompiler)];
        case 'tact':
          return mapTact(
            { path: entry, read: noted, texts, options: compilation.options.tact, root: build.project.root },
            compiler as TactCompiler,
          );
      }
    },
  );
}

interface MapInput {
  read: (path: string) => string;
  /** Of what was read. */
  texts: Map<string, string>;
  compilation: Compilation;
}

async function mapTolk(
  path: string,
  { read, texts, compilation }: MapInput,
  compiler: TolkCompiler = { runTolkCompiler },
): Promise<SourceMap> {
  const compiled = await compiler.runTolkCompiler({
    ...tolkInput(compilation),
    fsReadCallback: read,
    withSrcLineComments: true,
    withStackComments: true,
  });
  if (compiled.status === 'error') {
    throw tolkError(compiled.message);
  }
  addStandardLibrary(texts, await standardLibrary(path, compiler.runTolkCompiler !== runTolkCompiler));
  const name = contractName(path);
  const code = Cell.fromBase64(compiled.codeBoc64);
  return mapOrRefused({ name, language: 'tolk', code }, () => tolkSourceMap({ name, ...compiled, texts }));
}

/** The files of the standard library that the sources import; functions of it are inlined with their own lines. */
function addStandardLibrary(texts: Map<string, string>, library: Readonly<Record<string, string>>): void {
  const own = [...texts.values()];
  for (const [file, text] of Object.entries(library)) {
    const name = file.replace(/\.tolk$/, '');
    if (name === '@stdlib/common' || own.some((one) => one.includes(name))) {
      texts.set(file, text);
    }
  }
}

/** The standard library is a part of the compiler's package. */
async function standardLibrary(path: string, isOwn: boolean): Promise<Readonly<Record<string, string>>> {
  if (isOwn) {
    try {
      return createRequire(path)('@ton/tolk-js/dist/stdlib.tolk.js') as Record<string, string>;
    } catch {
      // Versions before 0.12 keep it elsewhere; lines of it stay unknown then.
      return {};
    }
  }
  const { default: library } = await import('@ton/tolk-js/dist/stdlib.tolk.js');
  return library;
}
