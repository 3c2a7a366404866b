import { Cell } from '@ton/core';
import { writeLibraries } from '../../accounts/writeLibraries';
import { BitCursor } from '../../cell/light/bitCursor';
import { walkDictionary } from '../../cell/light/walkDictionary';
import { writeLightCell } from '../../cell/light/writeLightCell';
import { isMasterchain } from '../../cell/light/readMessage';
import type { Ledger } from './ledger';

/**
 * The network's libraries in the emulator's format (BoC, base64): those added from outside and the public ones of
 * masterchain accounts. Null if there are none.
 */
export function libraryDictionary(added: readonly Cell[], ledger: Ledger): string | null {
  const cells = [...added];
  for (const account of ledger.libraryAccounts) {
    const { libraries } = account.facts;
    if (libraries !== null && isMasterchain(account.address)) {
      walkDictionary(libraries, 256, (_, value) => {
        const isPublic = value.bit();
        const [root] = Cell.fromBoc(writeLightCell(new BitCursor(value.rest()).ref()));
        if (isPublic && root !== undefined) {
          cells.push(root);
        }
      });
    }
  }
  return writeLibraries(cells);
}
