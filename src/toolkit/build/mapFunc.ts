import { posix } from 'node:path';
import { Cell } from '@ton/core';
import { WorkbenchError } from '../errors';
import { funcSourceMap } from '../sourceMap/funcSourceMap';
import type { FuncBuilds, FuncLocation } from '../sourceMap/funcSourceMap';
import { markInListing, withDebugMarks } from '../sourceMap/listingMarks';
import { funcMarkName, markFunc } from '../sourceMap/markFunc';
import { mapOrRefused } from '../sourceMap/mapOrRefused';
import type { SourceMap } from '../sourceMap/sourceMap';
import { funcError } from './compileFunc';
import type { FuncCompiler } from './compileFunc';
import type { SourceProblem } from './compileError';
import { contractName } from './readBuiltContract';

/** Name of the file with the declarations of the marks, beside the entry file. It exists only for the compiler. */
const declarations = 'ton-workbench-marks.fc';

/** How often functions that the compiler refuses with marks are left out. */
const mostTries = 8;

/**
 * The lines of a FunC contract. Compilers since func-js 0.11 tell them; for older ones, the source gets marks of our own.
 * @param read returns a file's text by path, or throws; adds it to the texts
 * @throws WorkbenchError `compile-failed` (input)
 */
export async function mapFunc(
  path: string,
  read: (path: string) => string,
  texts: ReadonlyMap<string, string>,
  compiler: FuncCompiler,
): Promise<SourceMap> {
  const release = await compiler.compileFunc({ targets: [path], sources: read });
  if (release.status === 'error') {
    throw funcError(release.message);
  }
  const { fiftCode, codeBoc } = release;
  const debug =
    (await debugBuild(path, read, compiler)) ?? (await markedBuild(path, new Map(texts), read, compiler));
  const name = contractName(path);
  return mapOrRefused({ name, language: 'func', code: Cell.fromBase64(codeBoc) }, () =>
    funcSourceMap({ name, fiftCode, codeBoc, texts, debug }),
  );
}

/** The build with the compiler's own marks; undefined if it has none. */
async function debugBuild(
  path: string,
  read: (path: string) => string,
  compiler: FuncCompiler,
): Promise<Exclude<FuncBuilds['debug'], string> | undefined> {
  try {
    const built = await compiler.compileFunc({ targets: [path], sources: read, debugInfo: true });
    return built.status === 'ok' && built.debugInfo !== undefined
      ? { fiftCode: built.fiftCode, locations: built.debugInfo.locations }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The build of the sources with marks of our own; a text says why there is none. */
async function markedBuild(
  path: string,
  texts: ReadonlyMap<string, string>,
  read: (path: string) => string,
  compiler: FuncCompiler,
): Promise<FuncBuilds['debug']> {
  const refused: SourceProblem[] = [];
  for (let tries = 0; tries < mostTries; tries += 1) {
    const locations: FuncLocation[] = [];
    const changed = new Map(
      [...texts].map(([file, text]): [string, string] => {
        const own = refused.filter((problem) => problem.path === file);
        const isLeftOut = (first: number, last: number): boolean =>
          own.some(({ line }) => first <= line && line <= last);
        return [file, markFunc({ file, text }, locations, isLeftOut)];
      }),
    );
    changed.set(path, `#include "${declarations}"; ${changed.get(path) ?? ''}`);
    changed.set(posix.join(posix.dirname(path), declarations), declared(locations.length));
    try {
      const built = await compiler.compileFunc({
        targets: [path],
        sources: (file) => changed.get(file) ?? read(file),
      });
      if (built.status === 'ok') {
        return { fiftCode: withDebugMarks(built.fiftCode), locations };
      }
      refused.push(...problemsIn(built.message, texts));
    } catch {
      break;
    }
    if (refused.length <= tries) {
      break;
    }
  }
  return 'the FunC compiler cannot build it with marks';
}

function declared(count: number): string {
  return Array.from(
    { length: count },
    (_, mark) => `() ${funcMarkName(mark)}() impure asm "${markInListing(mark)}";\n`,
  ).join('');
}

function problemsIn(message: string, texts: ReadonlyMap<string, string>): SourceProblem[] {
  const error = funcError(message);
  const problems = WorkbenchError.is(error, 'compile-failed')
    ? (error.details['problems'] as SourceProblem[])
    : [];
  return problems.filter(({ path: file }) => texts.has(file));
}
