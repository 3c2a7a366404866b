import { BitCursor } from '../../cell/light/bitCursor';
import type { AccountFacts } from '../../cell/light/readMessage';
import type { AccountRecord } from '../records/records';
import { localWallets } from '../../contracts/opcodes/walletCodes';

export interface WalletFacts {
  /** For example `wallet v4 r2`. */
  type: string;
  seqno: number;
  walletId?: number;
  isSignatureAllowed?: boolean;
}

/** A known wallet's own fields; null for any other contract. */
export function readWallet({ facts, versions }: AccountRecord): WalletFacts | null {
  return readWalletData(facts, versions.at(-1)?.codeHash ?? null);
}

/** Like {@link readWallet}, for a past state. */
export function readWalletData(facts: AccountFacts, codeHash: string | null): WalletFacts | null {
  const code = codeHash === null ? undefined : localWallets.get(codeHash);
  if (code === undefined || facts.data === null) {
    return null;
  }
  const data = new BitCursor(facts.data);
  const flag = code.layout === 'flag-seqno-id' ? data.bit() : undefined;
  const seqno = data.uint(32);
  return {
    type: code.type,
    seqno,
    ...(code.layout === 'seqno' ? {} : { walletId: data.uint(32) }),
    ...(flag === undefined ? {} : { isSignatureAllowed: flag }),
  };
}
