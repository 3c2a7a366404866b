import { posix } from 'node:path';
import { tokenize } from '../contracts/abi/tokenize';
import { WorkbenchError } from '../base/errors';
import { fileName } from '../base/text';
import type { ProjectDescription, ProjectFolder } from '../project/projectDescription';
import { contractName } from './readBuiltContract';

/** How many folders and files of a project are looked through for what a source lacks. */
const mostFolders = 500;
const mostFiles = 500;

/**
 * The error for a FunC source that does not compile because its project combines it with other files: older projects include
 * nothing and give the compiler a list. The list is told, not guessed: another order, or another file, gives other code.
 *
 * @param path of the source
 * @param cause the compiler's error
 * @returns the compiler's own error if the source lacks nothing that other files declare
 */
export function combinedFuncError(
  cause: unknown,
  path: string,
  { root, contracts }: Pick<ProjectDescription, 'root' | 'contracts'>,
  folder: ProjectFolder,
): unknown {
  if (!WorkbenchError.is(cause, 'compile-failed') || cause.kind !== 'input') {
    return cause;
  }
  const name = fileName(path);
  const made = contracts.find(({ targets }) => isMadeFrom(targets.at(-1) ?? '', path, folder));
  if (made !== undefined) {
    const target = posix.relative(root, made.targets.at(-1) ?? '');
    return new WorkbenchError({
      code: 'compile-failed',
      kind: 'input',
      message: `${made.name} is not built from ${posix.relative(root, path)}, but from ${target}, which is not there.`,
      hint: "Run the project's build, which makes it, then take that file.",
      details: { problems: [] },
      cause,
    });
  }
  const own = wordsOf(folder, path);
  const together = contracts.find(({ targets }) => targets.includes(path));
  if (together !== undefined || own?.declared.has('recv_internal') !== true) {
    return new WorkbenchError({
      code: 'compile-failed',
      kind: 'input',
      message: `${name} is not a contract by itself: ${together === undefined ? 'it has no recv_internal' : `it is a part of ${together.name}`}.`,
      hint: `Take ${together === undefined ? 'a file that includes it' : posix.relative(root, together.targets.at(-1) ?? path)}.`,
      details: { problems: [] },
      cause,
    });
  }
  const includes = includedBy(path, folder);
  const others = lackedBy(path, includes, root, folder);
  // What includes some of its files may fail for any other reason.
  const isTold =
    includes.size === 0 || others.some((file) => isNamed(wordsOf(folder, file)?.declared, cause));
  if (others.length === 0 || !isTold) {
    return cause;
  }
  const targets = [...others, path].map((one) => `'${posix.relative(root, one)}'`).join(', ');
  return new WorkbenchError({
    code: 'compile-failed',
    kind: 'input',
    message: `${name} does not compile alone: it ${includes.size === 0 ? 'includes no file, but uses' : 'does not include, but uses,'} what ${listed(others.map(fileName))} ${others.length === 1 ? 'declares' : 'declare'}.`,
    hint: `Say what your build combines, as Blueprint does: write "export const compile = { lang: 'func', targets: [${targets}] };" into wrappers/${contractName(path)}.compile.ts.`,
    details: { problems: [] },
    cause,
  });
}

function listed(names: readonly string[]): string {
  return names.length < 3 ? names.join(' and ') : `${names.slice(0, -1).join(', ')}, and ${names.at(-1)}`;
}

/** Whether a project builds a file of the same name elsewhere, which is not there: it is made of this one, a template. */
function isMadeFrom(target: string, path: string, folder: ProjectFolder): boolean {
  return target !== path && fileName(target) === fileName(path) && wordsOf(folder, target) === undefined;
}

/** Whether one of the words is what the compiler does not know. */
function isNamed(declared: ReadonlySet<string> | undefined, { details }: WorkbenchError): boolean {
  const problems = details['problems'];
  return (
    Array.isArray(problems) &&
    (problems as { message?: unknown }[]).some(({ message }) =>
      String(message)
        .split(/[\s`.~]+/)
        .some((word) => declared?.has(word) === true),
    )
  );
}

/** The files that a source includes, directly or not. */
function includedBy(path: string, folder: ProjectFolder): ReadonlySet<string> {
  const files = new Set([path]);
  for (const file of files) {
    for (const target of wordsOf(folder, file)?.includes ?? []) {
      if (files.size < mostFiles) {
        files.add(posix.join(posix.dirname(file), target));
      }
    }
  }
  files.delete(path);
  return files;
}

/**
 * The files that declare what a source and its includes use and do not declare, each after those that it needs itself.
 */
function lackedBy(
  path: string,
  includes: ReadonlySet<string>,
  root: string,
  folder: ProjectFolder,
): string[] {
  const near = (file: string): number => posix.relative(posix.dirname(path), file).split('/').length;
  const others = funcFiles(root, folder)
    .filter((file) => file !== path && !includes.has(file))
    .sort((a, b) => near(a) - near(b))
    .flatMap((file) => {
      const words = wordsOf(folder, file);
      // Another contract is no library.
      return words === undefined || words.declared.has('recv_internal') ? [] : [{ file, ...words }];
    });
  const found = new Set<string>();
  const seen = new Set<string>();
  const declared = new Set<string>();
  const visit = (file: string, { declared: own, used }: FuncWords): void => {
    seen.add(file);
    own.forEach((word) => declared.add(word));
    for (const word of used) {
      const other = declared.has(word) ? undefined : others.find((one) => one.declared.has(word));
      if (other !== undefined && !seen.has(other.file)) {
        visit(other.file, other);
        found.add(other.file);
      }
    }
  };
  const own = [...includes, path].flatMap((file) => {
    const words = wordsOf(folder, file);
    return words === undefined ? [] : [{ file, ...words }];
  });
  own.forEach((words) => words.declared.forEach((word) => declared.add(word)));
  own.forEach(({ file, ...words }) => visit(file, words));
  return [...found];
}

interface FuncWords {
  declared: ReadonlySet<string>;
  used: ReadonlySet<string>;
  includes: readonly string[];
}

function wordsOf({ read }: ProjectFolder, path: string): FuncWords | undefined {
  let text: string;
  try {
    text = read(path);
  } catch {
    return undefined;
  }
  const declared = new Set<string>();
  const used = new Set<string>();
  let depth = 0;
  const tokens = tokenize(text, 'func').map((one) => one.text);
  tokens.forEach((token, place) => {
    depth += token === '{' ? 1 : token === '}' ? -1 : 0;
    const isFunction = depth === 0 && tokens[place + 1] === '(' && !['asm', '->', 'impure'].includes(token);
    if (/^[^()[\]{},;"=]/.test(token) && (isFunction || isConstant(tokens, place))) {
      declared.add(token.replace(/^~/, ''));
    } else {
      token.split(/[~.]/).forEach((word) => used.add(word));
    }
  });
  const includes = [...text.matchAll(/^[ \t]*#include[ \t]+"([^"\n]{1,1000})"/gm)].map(
    ([, target = '']) => target,
  );
  return { declared, used, includes };
}

/** Whether a constant is declared here; its type may be left out. Global variables have names like local ones. */
function isConstant(tokens: readonly string[], place: number): boolean {
  return (tokens[place - 1] === 'const' || tokens[place - 2] === 'const') && tokens[place + 1] === '=';
}

function funcFiles(root: string, { list }: ProjectFolder): string[] {
  const files: string[] = [];
  const folders = [root];
  for (const folder of folders) {
    for (const name of list(folder)) {
      if (name.endsWith('/') && !/^(?:\.|node_modules\/)/.test(name) && folders.length < mostFolders) {
        folders.push(posix.join(folder, name.slice(0, -1)));
      } else if (/\.(?:fc|func)$/.test(name) && files.length < mostFiles) {
        files.push(posix.join(folder, name));
      }
    }
  }
  return files;
}
