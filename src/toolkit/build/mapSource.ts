import { createRequire } from 'node:module';
import { runTolkCompiler } from '@ton/tolk-js';
import type { SourceMap } from '../sourceMap/sourceMap';
import { funcSourceMap } from '../sourceMap/funcSourceMap';
import type { FuncBuilds } from '../sourceMap/funcSourceMap';
import { tolkSourceMap } from '../sourceMap/tolkSourceMap';
import { compilerOf, namedErrors, tactOptions } from './compileSource';
import type { CompileOptions } from './compileSource';
import { funcError } from './compileFunc';
import type { FuncCompiler } from './compileFunc';
import type { TactCompiler } from './compileTact';
import { tolkError } from './compileTolk';
import type { TolkCompiler } from './compileTolk';
import { mapTact } from './mapTact';
import { contractName } from './readBuiltContract';

/**
 * Compiles a source, and tells which lines the instructions of its codes are from; nothing is written. A map is true for
 * the code with its hash only: compare it with the code that ran.
 *
 * @param path the entry file's path, with forward slashes
 * @returns the maps of its contracts
 * @throws WorkbenchError `compile-failed`, `compiler-missing`, `compiler-unusable` (input), `over-limit`
 */
export async function mapSource(path: string, { read, isTrusted }: CompileOptions): Promise<SourceMap[]> {
  const { language, compiler } = compilerOf(path, isTrusted);
  const texts = new Map<string, string>();
  const noted = (file: string): string => {
    const text = read(file);
    texts.set(file, text);
    return text;
  };
  return namedErrors(path, compiler, async () => {
    switch (language) {
      case 'tolk':
        return [await mapTolk(path, noted, texts, compiler as TolkCompiler | undefined)];
      case 'func':
        return [await mapFunc(path, noted, texts, compiler as FuncCompiler)];
      case 'tact':
        return mapTact(
          { path, read: noted, texts, options: tactOptions(path, read) },
          compiler as TactCompiler,
        );
    }
  });
}

async function mapTolk(
  path: string,
  read: (path: string) => string,
  texts: Map<string, string>,
  compiler: TolkCompiler = { runTolkCompiler },
): Promise<SourceMap> {
  const compiled = await compiler.runTolkCompiler({
    entrypointFileName: path,
    fsReadCallback: read,
    withSrcLineComments: true,
    withStackComments: true,
  });
  if (compiled.status === 'error') {
    throw tolkError(compiled.message);
  }
  addStandardLibrary(texts, await standardLibrary(path, compiler.runTolkCompiler !== runTolkCompiler));
  return tolkSourceMap({ name: contractName(path), ...compiled, texts });
}

async function mapFunc(
  path: string,
  read: (path: string) => string,
  texts: ReadonlyMap<string, string>,
  compiler: FuncCompiler,
): Promise<SourceMap> {
  const sources = { targets: [path], sources: read };
  const release = await compiler.compileFunc(sources);
  if (release.status === 'error') {
    throw funcError(release.message);
  }
  const { fiftCode, codeBoc } = release;
  return funcSourceMap({ name: contractName(path), fiftCode, codeBoc, texts, debug: await marked(sources) });

  /** The build with marks; a text if there is none. */
  async function marked(given: typeof sources): Promise<FuncBuilds['debug']> {
    try {
      const built = await compiler.compileFunc({ ...given, debugInfo: true });
      if (built.status === 'ok' && built.debugInfo !== undefined) {
        return { fiftCode: built.fiftCode, locations: built.debugInfo.locations };
      }
      return built.status === 'ok'
        ? 'this version of the FunC compiler tells no lines; @ton-community/func-js 0.11 does'
        : 'the FunC compiler cannot build it with debug information';
    } catch {
      return 'the FunC compiler cannot build it with debug information';
    }
  }
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
