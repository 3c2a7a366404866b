import { fileName } from '../fileName';
import { plainName } from './projectContract';

/** Sources of code, most reliable first: Blueprint's build output, Tact's package, a source compiled here. */
const endings = ['.compiled.json', '.pkg', '.tolk'] as const;

/**
 * The file in a project from which a contract can be deployed.
 *
 * @param contract the contract's name, or its source's file name without extension
 * @param paths separated by `/`
 */
export function builtFile(contract: string, paths: readonly string[]): string | undefined {
  for (const ending of endings) {
    const found = paths.find((path) => path.endsWith(ending) && isOf(contract, baseName(path, ending)));
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** Tact names its packages `PROJECT_CONTRACT.pkg`. */
function isOf(contract: string, name: string): boolean {
  return [name, name.slice(name.indexOf('_') + 1)].some((one) => plainName(one) === plainName(contract));
}

function baseName(path: string, ending: string): string {
  return fileName(path).slice(0, -ending.length);
}
