import { friendlyAddress } from '../api/parseAddress';
import { walletCodes } from '../api/walletCodes';
import type { Ledger } from '../chain/ledger';
import type { Json } from './encodeDescription';

/** Rows for every address in an answer. */
export function addressBook(ledger: Ledger, answer: unknown): Json {
  const addresses = new Set<string>();
  collect(answer, addresses);
  return Object.fromEntries([...addresses].map((address) => [address, addressBookRow(ledger, address)]));
}

/** Wallets and accounts without code are shown non-bounceable. */
export function addressBookRow(ledger: Ledger, address: string): Json {
  const codeHash = ledger.accounts.get(address)?.versions.at(-1)?.codeHash ?? null;
  const wallet = codeHash === null ? undefined : walletCodes.get(codeHash);
  return {
    user_friendly: friendlyAddress(address, codeHash !== null && wallet === undefined),
    domain: null,
    interfaces: wallet === undefined ? [] : [wallet.interface],
  };
}

const rawForm = /^-?\d+:[0-9A-F]{64}$/;

function collect(value: unknown, into: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length >= 66 && value.length <= 69 && rawForm.test(value)) {
      into.add(value);
    }
  } else if (Array.isArray(value)) {
    value.forEach((entry) => collect(entry, into));
  } else if (typeof value === 'object' && value !== null) {
    Object.values(value).forEach((entry) => collect(entry, into));
  }
}
