import { execFile } from 'node:child_process';
import { Cell } from '@ton/core';
import { sourceLanguage } from '../abi/sourceReadings';
import { WorkbenchError } from '../errors';
import { fileName } from '../fileName';
import { limits } from '../limits';
import { describeProject } from '../project/describeProject';
import { mapOrRefused } from '../sourceMap/mapOrRefused';
import { NotAlignedError } from '../sourceMap/notAlignedError';
import type { SourceMap } from '../sourceMap/sourceMap';
import { listFolder, requestReader } from './compileRequest';
import type { CompileRequest } from './compileRequest';
import { tolkError } from './tolkError';
import { builtFrom } from './readBuiltContract';
import type { BuiltContract } from './readBuiltContract';

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
  { acton = 'acton', unsaved = {}, isTrusted }: CompileRequest,
  onRun: (process: number | undefined) => void,
): Promise<BuiltContract[]> {
  const folder = { read: requestReader({ isTrusted }), list: listFolder };
  const { root, contracts } = describeProject(path, folder);
  requireSaved(Object.keys(unsaved), root);
  const printed = await output(acton, ['compile', path, '--json', '--project-root', root], root, onRun);
  const answer = readAnswer(printed);
  if (answer.code_boc64 === undefined) {
    const depends = contracts.find(({ targets }) => targets.at(-1) === path)?.depends ?? [];
    throw withBuildFirst(tolkError(answer.error ?? ''), depends);
  }
  return [{ ...builtCode(path, answer.code_boc64, printed), compiledBy: actonName }];
}

/**
 * The maps of what `acton` compiles.
 * @throws WorkbenchError as {@link compileWithActon}
 */
export async function mapWithActon(...given: Parameters<typeof compileWithActon>): Promise<SourceMap[]> {
  return Promise.all((await compileWithActon(...given)).map(withoutLines));
}

/** Acton tells lines in a form of its own, which is not read yet. */
function withoutLines({ name, code }: BuiltContract): Promise<SourceMap> {
  const why = 'acton compiled it, and its source maps are not read here';
  return mapOrRefused({ name, language: 'tolk', code: Cell.fromBase64(code) }, () =>
    Promise.reject(new NotAlignedError(why, true)),
  );
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
