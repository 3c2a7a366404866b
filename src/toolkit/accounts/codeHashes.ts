import type { Access } from '../access/createAccess';
import { readBoc } from '../cell/readBoc';

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

/** Hashes (lowercase hex) of the libraries that a BoC (base64) refers to by library cells. */
export function libraryHashes(base64: string): string[] {
  const boc = readBoc(Buffer.from(base64, 'base64'));
  const hashes: string[] = [];
  for (let cell = 0; cell < boc.cellCount; cell++) {
    if (boc.kind(cell) === 'library') {
      hashes.push(Buffer.from(boc.data(cell).subarray(1, 33)).toString('hex'));
    }
  }
  return hashes;
}
