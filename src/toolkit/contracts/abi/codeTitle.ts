import type { Cell } from '@ton/core';
import { codeMethods } from './codeMethods';
import { describeContract } from './contractDescription';
import type { ProjectContract } from './projectContract';

/**
 * Describes a cell that is a contract's code: `code of Vault (contracts/vault.tolk), 7 get-methods`.
 *
 * @param wallet the wallet version of the code, if it is a wallet's
 * @param chosen the user's choice of a project contract for this code
 * @returns undefined for any other cell
 */
export function codeTitle(
  code: Cell,
  project: readonly ProjectContract[],
  { wallet, chosen }: { wallet?: string | undefined; chosen?: string | undefined } = {},
): string | undefined {
  const codeHash = code.hash().toString('hex');
  const deployed = { code, codeHash, ...(wallet === undefined ? {} : { wallet }) };
  const { name } = describeContract(deployed, project, chosen);
  const methods = codeMethods(code);
  if (name === undefined && methods === undefined) {
    return undefined;
  }
  const file = project.find((one) => one.codeHash === codeHash)?.file;
  const count = methods?.length === 1 ? '1 get-method' : `${methods?.length ?? 0} get-methods`;
  return [
    `code of ${name ?? 'a contract without a matching source in the workspace'}${file === undefined ? '' : ` (${file})`}`,
    ...(methods === undefined ? [] : [count]),
  ].join(', ');
}
