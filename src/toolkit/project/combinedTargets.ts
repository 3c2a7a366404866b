import { posix } from 'node:path';
import { fileName } from '../base/text';
import { limits } from '../base/limits';
import type { ProjectFolder } from './projectDescription';

/** The files that a FunC contract is combined with, as a file of its project says. */
export interface CombinedTargets {
  /** The contract's own file last. */
  targets: readonly string[];
  /** What says so. */
  describedIn: string;
  /** Others that say something else. */
  differing: readonly string[];
}

/** How many folders and files of a project are looked through. */
const mostFolders = 500;
const mostFiles = 1_000;

/**
 * The list of files that a project gives its FunC compiler for a contract, where that is written in a script (`func -SPA
 * stdlib.fc wallet.fc`) or as a list of names in JavaScript or TypeScript. Nothing is run. Projects from before Blueprint
 * include no file and combine several.
 *
 * @param path of the contract, absolute, with forward slashes
 * @param root of the project
 */
export function combinedTargets(
  path: string,
  root: string,
  folder: ProjectFolder,
): CombinedTargets | undefined {
  const found = scriptsIn(root, folder).flatMap((script) => {
    const text = textOf(script, folder);
    return text?.includes(fileName(path)) === true
      ? listsIn(text, script).flatMap((names) => {
          const targets = resolved(names, [posix.dirname(script), root], folder);
          return targets !== undefined && targets.length > 1 && targets.at(-1) === path
            ? [{ targets, script }]
            : [];
        })
      : [];
  });
  const [first, ...others] = found;
  if (first === undefined) {
    return undefined;
  }
  const differing = others.filter(({ targets }) => targets.join('\n') !== first.targets.join('\n'));
  return {
    targets: first.targets,
    describedIn: first.script,
    differing: [...new Set(differing.map(({ script }) => script))],
  };
}

/** Scripts of the shell first: they build, while the others may only test. */
function scriptsIn(root: string, { list }: ProjectFolder): string[] {
  const shell: string[] = [];
  const others: string[] = [];
  const folders = [root];
  for (const folder of folders) {
    for (const name of list(folder)) {
      const at = posix.join(folder, name);
      if (name.endsWith('/') && !/^(?:\.|node_modules\/)/.test(name) && folders.length < mostFolders) {
        folders.push(at.slice(0, -1));
      } else if (shell.length + others.length < mostFiles) {
        if (/\.(?:sh|bat)$|^Makefile$/.test(name)) {
          shell.push(at);
        } else if (/\.[cm]?[jt]s$/.test(name)) {
          others.push(at);
        }
      }
    }
  }
  return [...shell, ...others];
}

/** The lists of FunC files that are written out in a text. */
function listsIn(text: string, path: string): string[][] {
  if (!/\.[cm]?[jt]s$/.test(path)) {
    const lines = text.replaceAll(/\\\r?\n/g, ' ').split('\n');
    return lines
      .filter((line) => /\bfunc\b/.test(line))
      .map((line) => line.split(/[\s'"]+/).filter((word) => isFunc(word)));
  }
  return [...text.matchAll(/\[([^[\]]{1,4000})\]/g)].flatMap(([, inner = '']) => {
    const items = inner
      .replaceAll(/\/\/.*/g, '')
      .split(',')
      .map((item) => /^\s*(['"`])(.*)\1\s*$/.exec(item)?.[2] ?? item.trim())
      .filter((item) => item !== '');
    return items.length > 0 && items.every((item) => isFunc(item)) ? [items] : [];
  });
}

function isFunc(word: string): boolean {
  return /^[\w./-]+\.(?:fc|func)$/.test(word);
}

/** The paths of names, in the first folder that has them all. */
function resolved(
  names: readonly string[],
  folders: readonly string[],
  folder: ProjectFolder,
): string[] | undefined {
  return folders
    .map((at) => names.map((name) => posix.resolve(at, name)))
    .find((paths) => paths.every((path) => textOf(path, folder) !== undefined));
}

function textOf(path: string, { read }: ProjectFolder): string | undefined {
  try {
    const text = read(path);
    return text.length <= limits.sourceText.most ? text : undefined;
  } catch {
    return undefined;
  }
}
