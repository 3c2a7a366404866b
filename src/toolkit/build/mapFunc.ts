import { posix } from 'node:path';
import { Cell } from '@ton/core';
import { WorkbenchError } from '../errors';
import type { Compilation } from '../project/compilationOf';
import { funcSourceMap } from '../sourceMap/funcSourceMap';
import type { FuncBuilds, FuncLocation } from '../sourceMap/funcSourceMap';
import { markInListing, withDebugMarks } from '../sourceMap/listingMarks';
import { funcMarkName, markFunc } from '../sourceMap/markFunc';
import { mapOrRefused } from '../sourceMap/mapOrRefused';
import type { SourceMap } from '../sourceMap/sourceMap';
import { funcError, funcInput } from './compileFunc';
import type { FuncCompiler } from './compileFunc';
import type { SourceProblem } from './compileError';
import { contractName } from './readBuiltContract';

/** Name of the file with the declarations of the marks, beside the first file. It exists only for the compiler. */
const declarations = 'ton-workbench-marks.fc';

/** How often functions that the compiler refuses with marks are left out. */
const mostTries = 8;

/** A FunC source that is compiled for its lines. */
export interface FuncSource {
  /** The contract's own file, with forward slashes. */
  path: string;
  /** Returns a file's text by path, or throws; adds it to the texts. */
  read: (path: string) => string;
  texts: ReadonlyMap<string, string>;
  compilation: Compilation;
}

/**
 * The lines of a FunC contract. Compilers since func-js 0.11 tell them; for older ones, the source gets marks of our own.
 * @throws WorkbenchError `compile-failed` (input)
 */
export async function mapFunc(source: FuncSource, compiler: FuncCompiler): Promise<SourceMap> {
  const { path, read, texts, compilation } = source;
  const release = await compiler.compileFunc({ ...funcInput(compilation), sources: read });
  if (release.status === 'error') {
    throw funcError(release.message);
  }
  const { fiftCode, codeBoc } = release;
  const debug =
    (await debugBuild(source, compiler)) ??
    (await markedBuild({ ...source, texts: new Map(texts) }, compiler));
  const name = contractName(path);
  return mapOrRefused({ name, language: 'func', code: Cell.fromBase64(codeBoc) }, () =>
    funcSourceMap({ name, fiftCode, codeBoc, texts, debug }),
  );
}

/** The build with the compiler's own marks; undefined if it has none. */
async function debugBuild(
  { read, compilation }: FuncSource,
  compiler: FuncCompiler,
): Promise<Exclude<FuncBuilds['debug'], string> | undefined> {
  try {
    const built = await compiler.compileFunc({ ...funcInput(compilation), sources: read, debugInfo: true });
    return built.status === 'ok' && built.debugInfo !== undefined
      ? { fiftCode: built.fiftCode, locations: built.debugInfo.locations }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The build of the sources with marks of our own; a text says why there is none. */
async function markedBuild(
  { path, read, texts, compilation }: FuncSource,
  compiler: FuncCompiler,
): Promise<FuncBuilds['debug']> {
  // What is combined is read in this order, and the marks are in all of it.
  const [first = path] = compilation.targets;
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
    changed.set(first, `#include "${declarations}"; ${changed.get(first) ?? ''}`);
    changed.set(posix.join(posix.dirname(first), declarations), declared(locations.length));
    try {
      const built = await compiler.compileFunc({
        ...funcInput(compilation),
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
