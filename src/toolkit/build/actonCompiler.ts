import { Cell } from '@ton/core';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { importPath, sourceLanguage } from '../contracts/abi/sourceLanguage';
import { WorkbenchError } from '../base/errors';
import { limits } from '../base/limits';
import { describeProject } from '../project/describeProject';
import { readUserText } from '../base/readUserFile';
import { NotAlignedError } from '../sourceMap/alignBlocks';
import type { CompilerMarks } from '../sourceMap/compilerMarks';
import { readCompilerMarks } from '../sourceMap/compilerMarks';
import { mapOrRefused } from '../sourceMap/mapOrRefused';
import type { SourceMap } from '../sourceMap/sourceMap';
import { fileName } from '../base/text';
import { tolkError } from './compileError';
import type { CompileRequest } from './compileRequest';
import { listFolder, requestReader } from './compileRequest';
import { markedMap } from './mapBundle';
import type { BuiltContract } from './readBuiltContract';
import { builtFrom } from './readBuiltContract';
import { textHash } from './textHashes';

/** How it is called in messages. */
const actonName = 'acton on the PATH';

/**
 * Compiles a Tolk source with `acton compile`, which reads what is on the disk; nothing is written to the project.
 *
 * @param path the source's path, with forward slashes
 * @param onRun is told the program's process id, and undefined when it has ended: who ends this thread ends it, too
 * @throws WorkbenchError `compile-failed`, `compiler-unusable` (input)
 */
export async function compileWithActon(
  path: string,
  request: CompileRequest,
  onRun: (process: number | undefined) => void,
): Promise<BuiltContract[]> {
  return [(await runActon(path, request, onRun)).built];
}

/** @param more options of `acton compile` */
async function runActon(
  path: string,
  { acton = 'acton', unsaved = {}, isTrusted }: CompileRequest,
  onRun: (process: number | undefined) => void,
  more: readonly string[] = [],
): Promise<{ built: BuiltContract; root: string }> {
  const folder = { read: requestReader({ isTrusted }), list: listFolder };
  const { root, contracts, mappings } = describeProject(path, folder);
  requireSaved(Object.keys(unsaved), root);
  const printed = await output(
    acton,
    ['compile', path, '--json', '--project-root', root, ...more],
    root,
    onRun,
  );
  const answer = readAnswer(printed);
  if (answer.code_boc64 === undefined) {
    const depends = contracts.find(({ targets }) => targets.at(-1) === path)?.depends ?? [];
    throw withBuildFirst(tolkError(answer.error ?? ''), depends);
  }
  const texts = textsOf(path, folder.read, mappings);
  return { built: { ...builtCode(path, answer.code_boc64, printed), compiledBy: actonName, texts }, root };
}

/**
 * The lines of what `acton` compiles, by the source map that it writes beside the code.
 * @throws WorkbenchError as {@link compileWithActon}
 */
export async function mapWithActon(...given: Parameters<typeof compileWithActon>): Promise<SourceMap[]> {
  const [path, request, onRun] = given;
  const folder = mkdtempSync(join(tmpdir(), 'ton-workbench-acton-'));
  const file = join(folder, 'map.json');
  try {
    const { built, root } = await runActon(path, request, onRun, ['--source-map', file]);
    const { name, code } = built;
    const map = await mapOrRefused({ name, language: 'tolk', code: Cell.fromBase64(code) }, () =>
      markedMap({ ...marksIn(file, root, requestReader(request)), name, code, root }),
    );
    return [map];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The marks in a source map, with the sources that they name as they are on the disk. */
function marksIn(file: string, root: string, read: (path: string) => string): CompilerMarks {
  const marks = readMarks(file);
  const named = new Set([...marks.lines.values()].flatMap((list) => list.map((one) => one.file)));
  const texts = [...named].map((one) => [one, read(posix.resolve(root, one))] as const);
  return { ...marks, texts: new Map(texts) };
}

function readMarks(file: string): CompilerMarks {
  if (!existsSync(file)) {
    throw new NotAlignedError('acton compiled it, and wrote no source map', true);
  }
  return readCompilerMarks(readUserText(file, 'actonOutput'));
}

/** Hashes of the texts that a source consists of, as far as they can be read: the program does not tell them. */
function textsOf(
  path: string,
  read: (path: string) => string,
  mappings: Readonly<Record<string, string>>,
): Record<string, string> {
  const named = Object.entries(mappings).map(([name, folder]) => ({ name, folder }));
  const hashes: Record<string, string> = {};
  const files = new Set([path]);
  for (const file of files) {
    try {
      const text = read(file);
      hashes[file] = textHash(text, file);
      for (const [, target = ''] of text.matchAll(/^[ \t]*import[ \t]+"([^"\n]{1,1000})"/gm)) {
        const imported = importPath(file, target, named);
        if (imported !== undefined && files.size <= limits.importedFiles.most) {
          files.add(imported);
        }
      }
    } catch {
      // What only the program finds is not watched.
    }
  }
  return hashes;
}

interface ActonAnswer {
  code_boc64?: string;
  error?: string;
}

function readAnswer(printed: string): ActonAnswer {
  try {
    const { success, code_boc64, error } = JSON.parse(printed) as Record<string, unknown>;
    if (success === true && typeof code_boc64 === 'string') {
      return { code_boc64 };
    }
    if (success === false && typeof error === 'string') {
      return { error };
    }
  } catch {
    // Not JSON: told as any other answer that is not understood.
  }
  throw unusable(printed);
}

function builtCode(path: string, code: string, printed: string): BuiltContract {
  try {
    return builtFrom(path, code);
  } catch {
    throw unusable(printed);
  }
}

function unusable(printed: string): WorkbenchError {
  const [line = ''] = printed.trim().split('\n');
  return new WorkbenchError({
    code: 'compiler-unusable',
    kind: 'input',
    message: `The answer of ${actonName} is not understood: ${line === '' ? 'it printed nothing' : line.slice(0, 200)}.`,
    hint: 'Look at what "acton compile FILE --json" prints, or install a compiler in the project.',
  });
}

/** A contract that holds the code of another needs its build: Acton generates a file with it. */
function withBuildFirst(error: WorkbenchError, depends: readonly string[]): WorkbenchError {
  const { code, kind, message, details, cause } = error;
  const hint =
    depends.length === 0
      ? undefined
      : `It needs the code of ${depends.join(' and ')}: run "acton build" in the project first.`;
  return new WorkbenchError({
    code,
    kind,
    message: `${message.replace(/\.$/, '')} (${actonName}).`,
    hint,
    details,
    cause,
  });
}

function requireSaved(unsaved: readonly string[], root: string): void {
  const own = unsaved.find((file) => file.startsWith(`${root}/`) && sourceLanguage(file) === 'tolk');
  if (own !== undefined) {
    throw new WorkbenchError({
      code: 'compile-failed',
      kind: 'input',
      message: `${fileName(own)} has changes that are not saved: acton compiles what is on the disk.`,
      hint: 'Save it, then try again.',
      details: { problems: [] },
    });
  }
}

/** What the program prints; it also tells its errors there. */
function output(
  program: string,
  args: readonly string[],
  cwd: string,
  onRun: (process: number | undefined) => void,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, maxBuffer: limits.actonOutput.most };
    const { pid } = execFile(program, args, options, (error, stdout, stderr) => {
      onRun(undefined);
      if (error !== null && typeof error.code !== 'number') {
        // It could not be started, or printed too much.
        reject(unusable(error.message));
      } else {
        resolve(stdout.trim() === '' ? stderr : stdout);
      }
    });
    onRun(pid);
  });
}
