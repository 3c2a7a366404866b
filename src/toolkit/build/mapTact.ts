import { posix } from 'node:path';
import { Cell } from '@ton/core';
import { WorkbenchError } from '../errors';
import { markName, markTact, tactConstants } from '../sourceMap/markTact';
import type { TactMark } from '../sourceMap/markTact';
import type { SourceMap } from '../sourceMap/sourceMap';
import { markInListing } from '../sourceMap/listingMarks';
import { mapOrRefused } from '../sourceMap/mapOrRefused';
import { tactSourceMap } from '../sourceMap/tactSourceMap';
import type { TactBuilds } from '../sourceMap/tactSourceMap';
import type { SourceProblem } from './compileError';
import { buildTact } from './compileTact';
import type { TactCompiler, TactInput } from './compileTact';
import { nameTact } from './nameTact';

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
