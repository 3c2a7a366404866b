import { createHash } from 'node:crypto';
import { Base64, SessionCrypto, hexToByteArray } from '@tonconnect/protocol';
import type { WalletSession } from './walletSession';

/** A new session's keys; the public one is the wallet's client id. */
export function newSessionKeys(): { publicKey: string; secretKey: string } {
  return new SessionCrypto().stringifyKeypair();
}

/** A message for the dApp: encrypted on the bridge, plain for the script in the page. */
export function seal({ kind, keys, app }: WalletSession, message: object): string {
  const text = JSON.stringify(message);
  return kind === 'injected' || keys === undefined
    ? text
    : Base64.encode(new SessionCrypto(keys).encrypt(text, hexToByteArray(app)));
}

/** A dApp's message in plain text; undefined if it was not made for this session by its dApp. */
export function unseal({ kind, keys, app }: WalletSession, message: string): string | undefined {
  if (kind === 'injected' || keys === undefined) {
    return message;
  }
  try {
    return new SessionCrypto(keys).decrypt(Base64.decode(message).toUint8Array(), hexToByteArray(app));
  } catch {
    return undefined;
  }
}

/** Tells whether two messages are one that was sent twice. */
export function digestOf(message: string): string {
  return createHash('sha256').update(message).digest('hex');
}
