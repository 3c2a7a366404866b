import { Cell } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { createRequire } from 'node:module';
import { posix } from 'node:path';
import { WorkbenchError } from '../base/errors';
import type { Compilation } from '../project/projectDescription';
import { bundleEnding } from '../project/readArtifact';
import { mapOrRefused } from '../sourceMap/mapOrRefused';
import { funcMarkName, markFunc } from '../sourceMap/markFunc';
import type { SourceMap } from '../sourceMap/sourceMap';
import { markInListing, withDebugMarks } from '../sourceMap/tactSourceMap';
import type { FuncBuilds, FuncLocation } from '../sourceMap/tolkSourceMap';
import { funcSourceMap, tolkSourceMap } from '../sourceMap/tolkSourceMap';
import type { SourceProblem } from './compileError';
import { tolkError } from './compileError';
import type { CompileOptions } from './compileSource';
import { namedErrors, projectBuild } from './compileSource';
import type { TactCompiler } from './compileTact';
import type { TolkCompiler } from './compileTolk';
import { tolkInput } from './compileTolk';
import { mapBundle } from './mapBundle';
import type { FuncCompiler } from './mapTact';
import { funcError, funcInput, mapTact, requireTargets } from './mapTact';
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

/** Name of the file with the declarations of the marks, beside the first file. It exists only for the compiler. */
const declarations = 'ton-workbench-marks.fc';

/** How often functions that the compiler refuses with marks are left out. */
const mostTries = 8;

/** How many builds are made to find the functions with which the compiler crashes. */
const mostCrashes = 32;

/** A FunC source that is compiled for its lines. */
interface FuncSource {
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
  requireTargets(path, read, compilation);
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
