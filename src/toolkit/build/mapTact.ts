import { Cell } from '@ton/core';
import { createRequire } from 'node:module';
import path from 'node:path';
import { posix } from 'node:path';
import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import type { Compilation } from '../project/projectDescription';
import { compiledAlone } from '../project/projectDescription';
import type { FuncBuilds, FuncLocation } from '../sourceMap/tolkSourceMap';
import { mapOrRefused } from '../sourceMap/mapOrRefused';
import type { TactMark } from '../sourceMap/markTact';
import { markName, markTact, tactConstants } from '../sourceMap/markTact';
import type { SourceMap } from '../sourceMap/sourceMap';
import type { TactBuilds } from '../sourceMap/tactSourceMap';
import { markInListing, tactSourceMap } from '../sourceMap/tactSourceMap';
import { fileName } from '../base/text';
import type { SourceProblem } from './compileError';
import { compileError, readPlace } from './compileError';
import type { TactCompiler, TactInput } from './compileTact';
import { buildTact } from './compileTact';
import { compilerPackages, projectCompiler } from './projectCompiler';
import type { BuiltContract } from './readBuiltContract';
import { builtFrom } from './readBuiltContract';

/** A Tact source that is compiled for its lines; reading a file adds it to the texts. */
export interface TactSource extends TactInput {
  texts: ReadonlyMap<string, string>;
}

/** Names of the files with the declarations of the marks, beside the entry file. They exist only for the compiler. */
const declarations = 'ton-workbench-marks';

/** How often functions that the compiler refuses with marks are left out. */
const mostTries = 8;

/**
 * The lines of the contracts in a Tact source.
 * @throws WorkbenchError `compile-failed` (input)
 */
export async function mapTact(source: TactSource, compiler: TactCompiler): Promise<SourceMap[]> {
  const { path, read, texts } = source;
  const release = await buildTact(source, compiler);
  const marked = await markedBuild(source, compiler);
  const names = [...release.keys()].flatMap((file) => /^contract_(.+)\.pkg$/.exec(file)?.[1] ?? []);
  return Promise.all(
    names.map(async (name) => {
      const code = Cell.fromBoc(codeOf(release, name))[0]!;
      return mapOrRefused({ name, language: 'tact', code }, async () =>
        tactSourceMap({
          ...{ name, fiftCode: listingOf(release, name), codeBoc: codeOf(release, name), texts },
          named: await nameTact(path, {
            listing: listingOf(release, name),
            read: (file) => release.get(posix.basename(file))?.toString() ?? read(file),
          }),
          marked:
            typeof marked === 'string' ? marked : { ...marked, fiftCode: markedListing(name, marked.files) },
        }),
      );
    }),
  );

  /** Contracts hold the codes of those that they deploy. */
  function markedListing(name: string, files: ReadonlyMap<string, Buffer>): string {
    return names.reduce(
      (listing, child) => {
        const [own, deployed] = [codeOf(files, child), codeOf(release, child)];
        return listing.replaceAll(`B{${own.toString('hex')}}`, `B{${deployed.toString('hex')}}`);
      },
      listingOf(files, name),
    );
  }
}

interface MarkedBuild extends Pick<Exclude<TactBuilds['marked'], string>, 'marks'> {
  files: ReadonlyMap<string, Buffer>;
}

/** The build of the sources with marks; a text says why there is none. */
async function markedBuild(source: TactSource, compiler: TactCompiler): Promise<MarkedBuild | string> {
  const { path, read, texts } = source;
  const constants = new Set([...texts.values()].flatMap(tactConstants));
  const refused: SourceProblem[] = [];
  for (let tries = 0; tries < mostTries; tries += 1) {
    const marks: TactMark[] = [];
    const changed = new Map(
      [...texts].map(([file, text]): [string, string] => {
        const own = refused.filter((problem) => problem.path === file);
        return [
          file,
          markTact({ file, text }, marks, constants, (first, last) =>
            own.some(({ line }) => first <= line && line <= last),
          ),
        ];
      }),
    );
    const [tact, func] = ['tact', 'fc'].map((ending) =>
      posix.join(posix.dirname(path), `${declarations}.${ending}`),
    );
    changed.set(path, `import "./${declarations}.tact"; ${changed.get(path) ?? ''}`);
    changed.set(tact!, declaredInTact(marks.length));
    changed.set(func!, declaredInFunc(marks.length));
    try {
      const marked = { ...source, read: (file: string) => changed.get(file) ?? read(file) };
      const files = await buildTact(marked, compiler);
      return { files, marks };
    } catch (error) {
      const problems = problemsOf(error).filter(({ path: file }) => texts.has(file));
      if (problems.length === 0) {
        break;
      }
      refused.push(...problems);
    }
  }
  return 'the Tact compiler cannot build it with marks';
}

function declaredInTact(count: number): string {
  const natives = Array.from(
    { length: count },
    (_, mark) => `@name(${markName(mark)})\nnative ${markName(mark)}();`,
  );
  return [`import "./${declarations}.fc";`, ...natives, ''].join('\n');
}

function declaredInFunc(count: number): string {
  return Array.from(
    { length: count },
    (_, mark) => `() ${markName(mark)}() impure asm "${markInListing(mark)}";\n`,
  ).join('');
}

function problemsOf(error: unknown): SourceProblem[] {
  return WorkbenchError.is(error, 'compile-failed') ? (error.details['problems'] as SourceProblem[]) : [];
}

function listingOf(files: ReadonlyMap<string, Buffer>, name: string): string {
  const file = files.get(`contract_${name}.fif`) ?? files.get(`contract_${name}.code.fif`);
  return file?.toString() ?? '';
}

function codeOf(files: ReadonlyMap<string, Buffer>, name: string): Buffer {
  return files.get(`contract_${name}.code.boc`) ?? Buffer.alloc(0);
}

/** The FunC code that the Tact compiler has written, and its listing. */
interface WrittenFunc {
  listing: string;
  /** Returns the text of a file that the listing names, other than those of Tact's own library. */
  read: (file: string) => string;
}

/**
 * Builds the FunC code that Tact has written with debug information, because that has the names of variables. Tact's own
 * copy of the FunC compiler gives none: the project must have one that does.
 *
 * @param source the Tact source's path
 * @returns undefined if the project has no such compiler, or if it cannot build the code
 */
async function nameTact(
  source: string,
  { listing, read }: WrittenFunc,
): Promise<Exclude<FuncBuilds['debug'], string> | undefined> {
  const [, head = ''] = /^\/\/ automatically generated from (.+)$/m.exec(listing) ?? [];
  const targets = [...head.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file);
  try {
    const compiler = projectCompiler(source, compilerPackages.func) as FuncCompiler | undefined;
    const library = libraryOf(source);
    const built = await compiler?.compileFunc({
      targets,
      sources: (file) => library(file) ?? read(file),
      debugInfo: true,
    });
    return built?.status === 'ok' && built.debugInfo !== undefined
      ? { fiftCode: built.fiftCode, locations: built.debugInfo.locations }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Tact's own library is a part of the compiler's package, in base64. */
function libraryOf(source: string): (file: string) => string | undefined {
  const load = createRequire(source);
  const main = load.resolve(compilerPackages.tact);
  const { files } = load(path.join(path.dirname(main), 'stdlib/stdlib.js')) as {
    files: Readonly<Record<string, string>>;
  };
  return (file) => {
    const [, name] = /^@stdlib\/(.+)$/.exec(file) ?? [];
    const text = name === undefined ? undefined : files[name];
    return text === undefined ? undefined : Buffer.from(text, 'base64').toString();
  };
}

/** The interface of @ton-community/func-js. */
export interface FuncCompiler {
  compileFunc(config: {
    targets: string[];
    sources: (path: string) => string;
    optLevel?: number;
    /** Since 0.11. */
    debugInfo?: boolean;
  }): Promise<
    | { status: 'ok'; codeBoc: string; fiftCode: string; debugInfo?: { locations: FuncLocation[] } }
    | { status: 'error'; message: string }
  >;
}

/**
 * Compiles a FunC contract with the project's compiler; nothing is written.
 * @param path the contract's own file, with forward slashes
 * @param compilation the files that it is combined with; they include all others
 * @param read returns a file's text by path, or throws
 * @throws WorkbenchError `compile-failed` (input) with `details.problems`: SourceProblem[]
 */
export async function compileFunc(
  path: string,
  read: (path: string) => string,
  compiler: FuncCompiler,
  compilation: Compilation = compiledAlone(path),
): Promise<BuiltContract> {
  requireTargets(path, read, compilation);
  const compiled = await compiler.compileFunc({ ...funcInput(compilation), sources: read });
  if (compiled.status === 'error') {
    throw funcError(compiled.message);
  }
  return builtFrom(path, compiled.codeBoc);
}

/**
 * Reads the files that a contract is combined of, so that one that cannot be read is told as that: the compiler would
 * only say that it was not given it. A build may write sources, too, such as the code of another contract.
 *
 * @throws WorkbenchError `compile-failed` (input), or what `read` throws
 */
export function requireTargets(path: string, read: (path: string) => string, { targets }: Compilation): void {
  for (const target of targets) {
    try {
      read(target);
    } catch (cause) {
      if (target === path || WorkbenchError.is(cause)) {
        throw cause;
      }
      throw new WorkbenchError({
        code: 'compile-failed',
        kind: 'input',
        message: `${fileName(path)} is built with ${fileName(target)}, which is not there.`,
        hint: "Run the project's build first, if that writes it.",
        details: { problems: [], missing: target },
        cause,
      });
    }
  }
}

/** What the compiler is given for a contract. */
export function funcInput({ targets, options }: Compilation): { targets: string[]; optLevel?: number } {
  const { optimizationLevel } = options;
  return {
    targets: [...targets],
    ...(optimizationLevel === undefined ? {} : { optLevel: optimizationLevel }),
  };
}

/** The error for what the compiler printed. */
export function funcError(printed: string): WorkbenchError {
  const text = printed.replace(/^FunC compilation error: /, '');
  return compileError('The FunC compiler', text, readFuncProblems(text));
}

/**
 * The compiler stops at the first error. For an unknown name, it prints a sentence, then only the position
 * and the name.
 */
function readFuncProblems(text: string): SourceProblem[] {
  const lines = text.slice(0, limits.compilerText.most).split('\n');
  const sentence = /^\( (.+) \)$/.exec(lines[0] ?? '')?.[1];
  const found = lines.flatMap((line) => {
    const [at = '', message = ''] = line.split(/: error: (.*)/s);
    const place = message === '' ? undefined : readPlace(at);
    return place === undefined ? [] : [{ ...place, message }];
  });
  return found.map(({ message, ...place }) => ({
    ...place,
    length: sentence?.includes(`\`${message}\``) === true ? message.length : 1,
    message: sentence ?? message,
  }));
}
