import { posix } from 'node:path';
import { sourceLanguage } from './sourceReadings';
import type { SourceLanguage } from './sourceReadings';

/** `@contracts/` at the start of an import stands for a folder: the `import-mappings` of Acton.toml. */
export interface ImportMapping {
  /** With or without its `@`. */
  name: string;
  /** Relative to the same folder as the paths of files. */
  folder: string;
  /** The folder of the sources that it is for; default: all. */
  within?: string | undefined;
}

const endingOf = { tolk: '.tolk', tact: '.tact', func: '' } as const satisfies Record<SourceLanguage, string>;

/**
 * The path of the file that an import means, as the compilers resolve it: relative to the importing file, with the
 * language's extension if it has none (FunC adds none). Undefined for the compilers' standard libraries.
 *
 * @param from path of the importing file, with `/` between its parts
 * @returns a path relative to the same folder as `from`; it may begin with `../`
 */
export function importPath(
  from: string,
  target: string,
  mappings: readonly ImportMapping[] = [],
): string | undefined {
  const language = sourceLanguage(from) ?? 'tolk';
  const ending = sourceLanguage(target) === undefined ? endingOf[language] : '';
  const [first = '', ...rest] = target.split('/');
  if (language !== 'func' && first.startsWith('@')) {
    const mapping = mappings.find(
      ({ name, within = '' }) => first.slice(1) === name.replace(/^@/, '') && isWithin(from, within),
    );
    return mapping && posix.join(mapping.folder, ...rest) + ending;
  }
  const path = target.startsWith('/') ? target : posix.join(posix.dirname(from), target);
  return posix.normalize(path) + ending;
}

function isWithin(path: string, folder: string): boolean {
  const start = posix.normalize(folder === '' ? './' : `${folder}/`);
  return start === './' || path.startsWith(start);
}
