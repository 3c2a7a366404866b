import { contractName } from '../build/readBuiltContract';
import { visibleText } from '../text';

/** Characters of the arguments. */
const longestArguments = 120;

/**
 * What a run of a get-method is called in a baseline: `Vault weightOf(bob)`. What it costs depends on its arguments.
 * @param contract as any file of the workspace names it
 */
export function methodKey(contract: string, method: string, given: string): string {
  return `${contractName(contract)} ${method}(${visibleText(given.trim(), longestArguments)})`;
}

/** What a message is called in a baseline: `Vault AddGuardian`. */
export function messageKey(contract: string, message: string): string {
  return `${contractName(contract)} ${message}`;
}
