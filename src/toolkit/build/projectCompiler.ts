import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { sourceLanguage } from '../contracts/abi/sourceLanguage';
import { WorkbenchError } from '../base/errors';
import { readUserFile, readUserText } from '../base/readUserFile';
import type { CompileRequest } from './compileRequest';

/** The compiler package for each language. */
export const compilerPackages = {
  tolk: '@ton/tolk-js',
  func: '@ton-community/func-js',
  tact: '@tact-lang/compiler',
} as const;

/**
 * Whether a source can be compiled: always for Tolk, otherwise if its project has a compiler.
 * @param isTrusted whether the project's own compilers may run
 */
export function hasCompiler(path: string, isTrusted: boolean): boolean {
  const language = sourceLanguage(path);
  return (
    language === 'tolk' ||
    (isTrusted && language !== undefined && findPackage(path, compilerPackages[language]) !== undefined)
  );
}

/**
 * The main file of the project's own compiler for a source.
 * @param isTrusted whether it may run
 * @returns undefined if there is none, or it may not run
 */
export function compilerFile(path: string, isTrusted: boolean): string | undefined {
  return isTrusted ? findPackage(path, compilerPackages[sourceLanguage(path) ?? 'tolk']) : undefined;
}

/** Whether a source is compiled by `acton`: Tolk of a trusted project that has no compiler in its `node_modules`. */
export function isForActon(path: string, { acton, isTrusted }: CompileRequest): boolean {
  return (
    acton !== undefined &&
    isTrusted &&
    sourceLanguage(path) === 'tolk' &&
    compilerFile(path, isTrusted) === undefined
  );
}

/**
 * Loads a compiler from the `node_modules` around a source. This runs code from the project.
 * @param path the source's path
 * @param name the package's name
 * @returns undefined if the project does not have it
 * @throws WorkbenchError `compiler-unusable` (input) if it cannot be loaded
 */
export function projectCompiler(path: string, name: string): unknown {
  const file = findPackage(path, name);
  try {
    return file === undefined ? undefined : (createRequire(path)(file) as unknown);
  } catch (cause) {
    throw new WorkbenchError({
      code: 'compiler-unusable',
      kind: 'input',
      message: `The project's ${name} cannot be loaded: ${String(cause).split('\n')[0]}.`,
      hint: "Install it again, or give the build's output.",
      cause,
    });
  }
}

/** The version of a package in the `node_modules` around a source; undefined if it is not there, or does not say. */
export function packageVersion(path: string, name: string): string | undefined {
  const file = findPackage(path, name);
  for (let folder = dirname(file ?? '/'); ; folder = dirname(folder)) {
    const found = readPackage(join(folder, 'package.json'));
    if (found?.name === name) {
      return found.version;
    }
    if (folder === dirname(folder)) {
      return undefined;
    }
  }
}

function readPackage(path: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readUserText(path, 'projectFileBytes')) as { name?: string; version?: string };
  } catch {
    return undefined;
  }
}

/**
 * The version of a package that a package.json asks for, also one that it only overrides; undefined if it does not.
 * @param text of the package.json; undefined if there is none
 */
export function dependencyOf(text: string | undefined, name: string): string | undefined {
  try {
    const { dependencies, devDependencies, overrides } = JSON.parse(text ?? '{}') as Record<
      string,
      Record<string, unknown>
    >;
    const version = { ...overrides, ...devDependencies, ...dependencies }[name];
    return typeof version === 'string' ? version : undefined;
  } catch {
    return undefined;
  }
}

/** What the nearest package.json around a source asks for, as {@link dependencyOf}. */
export function dependencyAround(path: string, name: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) {
      try {
        return dependencyOf(readUserText(file, 'projectFileBytes'), name);
      } catch {
        return undefined;
      }
    }
    if (folder === dirname(folder)) {
      return undefined;
    }
  }
}

/**
 * The file that Node.js would load for a package, or for a file of one, from a file of a project. Node.js itself reads every
 * package.json on the way to its end, which a device or a pipe does not have: they are read within a limit first.
 *
 * @param path the file of the project; it need not exist
 * @returns undefined if it is not there, or if such a package.json cannot be read
 */
export function findPackage(path: string, name: string): string | undefined {
  const folderOfPackage = join('node_modules', ...name.split('/').slice(0, name.startsWith('@') ? 2 : 1));
  try {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      for (const file of [join(folder, 'package.json'), join(folder, folderOfPackage, 'package.json')]) {
        if (existsSync(file)) {
          readUserFile(file, 'projectFileBytes');
        }
      }
      if (folder === dirname(folder)) {
        return createRequire(path).resolve(name);
      }
    }
  } catch {
    return undefined;
  }
}
