import { posix } from 'node:path';
import { fileName } from '../fileName';

/**
 * Says that Blueprint may build a Tact contract with other options than those used here: options in
 * `wrappers/NAME.compile.ts` are code, which is not run. Undefined if that file sets none, or if tact.config.json, which
 * takes precedence, has the contract.
 *
 * @param path the source's path, with forward slashes
 * @param name the contract's name, by which Blueprint finds the file
 * @param read returns a file's text by path, or throws
 */
export function tactOptionsNote(
  path: string,
  name: string,
  read: (path: string) => string,
): string | undefined {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    if (textOf(read, posix.join(folder, 'tact.config.json'))?.includes(JSON.stringify(name)) === true) {
      return undefined;
    }
    for (const place of ['wrappers', 'compilables']) {
      const file = posix.join(folder, place, `${name}.compile.ts`);
      if (/\boptions\s?:/.test(textOf(read, file) ?? '')) {
        return `${fileName(file)} sets compiler options, which are not read here: Blueprint's build of ${name} may have another code hash. Options in tact.config.json are read by both.`;
      }
    }
    if (folder === posix.dirname(folder)) {
      return undefined;
    }
  }
}

function textOf(read: (path: string) => string, file: string): string | undefined {
  try {
    return read(file);
  } catch {
    return undefined;
  }
}
