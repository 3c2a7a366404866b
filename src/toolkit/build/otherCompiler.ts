import { version } from '@ton/tolk-js/package.json';
import { sourceLanguage } from '../contracts/abi/sourceLanguage';
import { compilerPackages, packageVersion } from './projectCompiler';

/** The project's own compiler of a Tolk source, if ours is another version: `@ton/tolk-js 1.1.0`. */
export function otherCompiler(file: string): string | undefined {
  const own = sourceLanguage(file) === 'tolk' ? packageVersion(file, compilerPackages.tolk) : undefined;
  return own === undefined || own === version ? undefined : `${compilerPackages.tolk} ${own}`;
}
