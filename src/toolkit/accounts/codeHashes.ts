import type { Access } from '../access/createAccess';

/**
 * Hashes of accounts' codes, lowercase hex, by raw address, in one request to v3. Accounts without code are
 * left out.
 * @throws WorkbenchError the errors of access
 */
export async function codeHashes(
  { v3 }: Pick<Access, 'v3'>,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  if (addresses.length === 0) {
    return new Map();
  }
  const { accounts } = await v3.accountStates(
    { address: [...addresses], include_boc: false },
    { priority: 'background' },
  );
  return new Map(
    (accounts ?? []).flatMap(({ address, code_hash: hash }) =>
      address == null || hash == null ? [] : [[address, hash]],
    ),
  );
}
