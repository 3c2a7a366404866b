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

/** How many builds are made to find the functions with which the compiler crashes. */
const mostCrashes = 32;

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

/** A function with a body, by its file and the lines of its braces. */
interface MarkedFunction {
  file: string;
  first: number;
  last: number;
}

/** The build of the sources with marks of our own; a text says why there is none. */
async function markedBuild(source: FuncSource, compiler: FuncCompiler): Promise<FuncBuilds['debug']> {
  let leftOut: readonly MarkedFunction[] = [];
  for (let tries = 0; tries < mostTries; tries += 1) {
    const built = await buildWithMarks(source, compiler, (one) => !has(leftOut, one));
    if ('fiftCode' in built) {
      return built;
    }
    const more = built.refused ?? (await crashing(source, compiler, built.functions));
    if (more.length === 0) {
      break;
    }
    leftOut = [...leftOut, ...more];
  }
  return 'the FunC compiler cannot build it with marks';
}

/** Those of the functions whose marks make the compiler crash, which says nothing of where. */
async function crashing(
  source: FuncSource,
  compiler: FuncCompiler,
  functions: readonly MarkedFunction[],
): Promise<MarkedFunction[]> {
  let left = mostCrashes;
  const among = async (some: readonly MarkedFunction[]): Promise<readonly MarkedFunction[]> => {
    left -= 1;
    if (left < 0) {
      return some;
    }
    const built = await buildWithMarks(source, compiler, (one) => has(some, one));
    if ('fiftCode' in built || built.refused !== undefined) {
      return [];
    }
    const half = some.length >> 1;
    return half === 0 ? some : [...(await among(some.slice(0, half))), ...(await among(some.slice(half)))];
  };
  return [...(await among(functions))];
}

/** @returns the build; or the functions that have marks, and those that the compiler refuses, if it says so */
async function buildWithMarks(
  { path, read, texts, compilation }: FuncSource,
  compiler: FuncCompiler,
  isMarked: (one: MarkedFunction) => boolean,
): Promise<
  Exclude<FuncBuilds['debug'], string> | { functions: MarkedFunction[]; refused?: MarkedFunction[] }
> {
  // What is combined is read in this order, and the marks are in all of it.
  const [entry = path] = compilation.targets;
  const locations: FuncLocation[] = [];
  const functions: MarkedFunction[] = [];
  const changed = new Map(
    [...texts].map(([file, text]): [string, string] => [
      file,
      markFunc({ file, text }, locations, (first, last) => {
        const isLeftOut = !isMarked({ file, first, last });
        functions.push(...(isLeftOut ? [] : [{ file, first, last }]));
        return isLeftOut;
      }),
    ]),
  );
  changed.set(entry, `#include "${declarations}"; ${changed.get(entry) ?? ''}`);
  changed.set(posix.join(posix.dirname(entry), declarations), declared(locations.length));
  let built: Awaited<ReturnType<FuncCompiler['compileFunc']>>;
  try {
    built = await compiler.compileFunc({
      ...funcInput(compilation),
      sources: (file) => changed.get(file) ?? read(file),
    });
  } catch {
    return { functions };
  }
  if (built.status === 'ok') {
    return { fiftCode: withDebugMarks(built.fiftCode), locations, isPartial: true };
  }
  const problems = problemsIn(built.message, texts);
  const refused = functions.filter(({ file, first, last }) =>
    problems.some((one) => one.path === file && first <= one.line && one.line <= last),
  );
  return { functions, refused };
}

function has(functions: readonly MarkedFunction[], one: MarkedFunction): boolean {
  return functions.some(({ file, first }) => file === one.file && first === one.first);
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
