import { createRequire } from 'node:module';
import { Cell } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import type { SourceMap } from '../sourceMap/sourceMap';
import { mapOrRefused } from '../sourceMap/mapOrRefused';
import { tolkSourceMap } from '../sourceMap/tolkSourceMap';
import { compilerOf, namedErrors, tactOptions } from './compileSource';
import type { CompileOptions } from './compileSource';
import type { FuncCompiler } from './compileFunc';
import type { TactCompiler } from './compileTact';
import { tolkError } from './compileTolk';
import type { TolkCompiler } from './compileTolk';
import { mapFunc } from './mapFunc';
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
