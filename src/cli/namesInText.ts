import type { Access } from '../toolkit/access/createAccess';
import type { AccountsByName } from '../toolkit/address/resolveAccount';
import { writeNote } from './output';

/**
 * The names of accounts that a text to send may use, with the domains in it. What they were resolved to is printed,
 * because their owners can change it at any time.
 * @throws WorkbenchError the network's errors
 */
export async function namesInText(
  access: Access,
  text: string,
  names: AccountsByName,
  signal?: AbortSignal,
): Promise<AccountsByName> {
  const [{ withDomains }, { wholeAddress }] = await Promise.all([
    import('../toolkit/accounts/findAccount'),
    import('../toolkit/address/shortAddress'),
  ]);
  const found = await withDomains(access, text, names, signal);
  for (const [name, address] of found) {
    if (!names.has(name)) {
      writeNote(`${name} is ${wholeAddress(address)}.`);
    }
  }
  return found;
}
