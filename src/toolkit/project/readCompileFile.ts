import { posix } from 'node:path';
import type { DescribedContract, ProjectDescription } from './projectDescription';
import { projectProblem } from './projectProblem';
import { notRead, readObjectLiteral } from './readObjectLiteral';
import type { Literal, LiteralObject } from './readObjectLiteral';

/** What Blueprint's build files are called. */
export const compileFileEnding = '.compile.ts';

/**
 * Reads Blueprint's `NAME.compile.ts`: which files the compiler is given, and its options. The file is read, not run, so
 * what only running it would tell is named in the contract's notes.
 *
 * @param path of the file
 * @param root of the project: paths in it are relative to this folder
 */
export function readCompileFile(
  text: string,
  path: string,
  root: string,
): Pick<ProjectDescription, 'contracts' | 'problems'> {
  const name = posix.basename(path, compileFileEnding);
  const found = readObjectLiteral(text, 'compile', { folder: posix.dirname(path), root });
  if (!isObject(found)) {
    const message = 'no object named compile is written out in it';
    return { contracts: [], problems: [projectProblem(path, 1, { code: 'project-file-invalid', message })] };
  }
  const lang = found['lang'] ?? 'func';
  const key = lang === 'tolk' ? 'entrypoint' : lang === 'tact' ? 'target' : 'targets';
  const given = found[key];
  const files = typeof given === 'string' ? [given] : Array.isArray(given) ? (given as Literal[]) : [];
  if (files.length === 0 || !files.every((file) => typeof file === 'string')) {
    const message = `its ${key} is not written out, so it is not known what is compiled`;
    return { contracts: [], problems: [projectProblem(path, 1, { code: 'project-file-invalid', message })] };
  }
  const contract = {
    ...{ name, title: name, depends: [], describedIn: path },
    targets: files.map((file) => posix.resolve(root, file)),
    options: optionsOf(found),
    artifacts: [posix.resolve(root, 'build', `${name}.compiled.json`)],
    notes: notesOf(found, posix.basename(path)),
  };
  return { contracts: [contract], problems: [] };
}

function optionsOf(compile: LiteralObject): DescribedContract['options'] {
  const level = compile['optimizationLevel'] ?? compile['optLevel'];
  const { experimentalOptions, options } = compile;
  return {
    ...(typeof level === 'number' ? { optimizationLevel: level } : {}),
    ...(typeof experimentalOptions === 'string' && experimentalOptions !== '' ? { experimentalOptions } : {}),
    // Blueprint gives the compiler an object in any case.
    ...(compile['lang'] === 'tact' ? { tact: isObject(options) ? readPart(options) : {} } : {}),
  };
}

/** An object without what is not written out. */
function readPart(object: LiteralObject): object {
  return Object.fromEntries(
    Object.entries(object).flatMap(([key, value]) =>
      value === notRead ? [] : [[key, isObject(value) ? readPart(value) : value]],
    ),
  );
}

function notesOf(compile: LiteralObject, file: string): string[] {
  const { options, optimizationLevel, optLevel, experimentalOptions, sources, buildLibrary } = compile;
  const isUnread = [options, optimizationLevel, optLevel, experimentalOptions].some(hasUnread);
  return [
    ...(isUnread
      ? [
          `${file} sets compiler options that are not written out, so they are not known here: Blueprint's build may have other code.`,
        ]
      : []),
    ...(sources === undefined
      ? []
      : [
          `${file} gives the compiler sources of its own, which are not read here: Blueprint's build may have other code.`,
        ]),
    ...(buildLibrary === true
      ? [`${file} builds a library: Blueprint deploys a cell with the hash of this code in its place.`]
      : []),
  ];
}

function hasUnread(value: Literal | undefined): boolean {
  return value === notRead || (isObject(value) && Object.values(value).some(hasUnread));
}

function isObject(value: Literal | undefined): value is LiteralObject {
  return typeof value === 'object' && !Array.isArray(value);
}
