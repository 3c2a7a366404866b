import { readLightCell } from '../../cell/light/readLightCell';
import { absentAccount } from '../../emulator/absentAccount';
import type { Ledger } from './ledger';
import { unpackAccount } from '../records/packAccount';
import type { AccountFacts } from '../../cell/light/readAccount';
import { readAccount } from '../../cell/light/readAccount';
import type { AccountVersion } from '../records/records';

/** A past state with a placeholder for its code: enough for balances and hashes, and cheap. Null: never existed. */
export function accountSummary(version: AccountVersion | null): AccountFacts {
  return readAccount(readLightCell(version === null ? Buffer.from(absentAccount, 'base64') : version.packed));
}

/** A complete past state. */
export function accountFacts(ledger: Ledger, version: AccountVersion): AccountFacts {
  const code = version.codeHash === null ? null : (ledger.codes.get(version.codeHash) ?? null);
  return readAccount(unpackAccount(version.packed, code));
}
