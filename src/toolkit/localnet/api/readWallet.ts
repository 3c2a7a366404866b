import { BitCursor } from '../../cell/light/bitCursor';
import type { AccountFacts } from '../../cell/light/readMessage';
import type { AccountRecord } from '../records/records';
import type { WalletLayout } from '../../contracts/opcodes/walletCodes';
import { localWallets } from '../../contracts/opcodes/walletCodes';

export interface WalletFacts {
  /** For example `wallet v4 r2`. */
  type: string;
  seqno: number;
  walletId?: number;
  isSignatureAllowed?: boolean;
}

/** A known wallet's own fields; null for any other contract, and for one whose data is no wallet's. */
export function readWallet({ facts, versions }: AccountRecord): WalletFacts | null {
  return readWalletData(facts, versions.at(-1)?.codeHash ?? null);
}

const wholeBits: Readonly<Record<WalletLayout, number>> = { seqno: 32, 'seqno-id': 64, 'flag-seqno-id': 65 };

/** Like {@link readWallet}, for a past state. */
export function readWalletData(facts: AccountFacts, codeHash: string | null): WalletFacts | null {
  const code = codeHash === null ? undefined : localWallets.get(codeHash);
  if (code === undefined || facts.data === null) {
    return null;
  }
  const data = new BitCursor(facts.data);
  // control/setAccount can give a wallet's code any data: this costs the account its fields, not its list.
  if (data.remainingBits < wholeBits[code.layout]) {
    return null;
  }
  const flag = code.layout === 'flag-seqno-id' ? data.bit() : undefined;
  const seqno = data.uint(32);
  return {
    type: code.type,
    seqno,
    ...(code.layout === 'seqno' ? {} : { walletId: data.uint(32) }),
    ...(flag === undefined ? {} : { isSignatureAllowed: flag }),
  };
}
