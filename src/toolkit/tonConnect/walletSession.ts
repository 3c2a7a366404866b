import { Base64, SessionCrypto, hexToByteArray } from '@tonconnect/protocol';
import { createHash, randomBytes } from 'node:crypto';
import nacl from 'tweetnacl';
import type { WalletSession } from './walletBook';

type SessionKeys = NonNullable<WalletSession['keys']>;

/** A new session's keys; the public one is the wallet's client id. */
function newSessionKeys(): { publicKey: string; secretKey: string } {
  return new SessionCrypto().stringifyKeypair();
}

/** A message for the dApp: encrypted on the bridge, plain for the script in the page. */
export function seal({ kind, keys, app }: WalletSession, message: object): string {
  const text = JSON.stringify(message);
  if (kind === 'injected' || keys === undefined) {
    return text;
  }
  const nonce = nacl.randomBytes(nacl.box.nonceLength);
  const box = nacl.box.after(Buffer.from(text, 'utf8'), nonce, sharedKey(keys, app));
  return Buffer.concat([nonce, box]).toString('base64');
}

/** A dApp's message in plain text; undefined if it was not made for this session by its dApp. */
export function unseal({ kind, keys, app }: WalletSession, message: string): string | undefined {
  if (kind === 'injected' || keys === undefined) {
    return message;
  }
  try {
    const bytes = Base64.decode(message).toUint8Array();
    const nonce = bytes.subarray(0, nacl.box.nonceLength);
    const text = nacl.box.open.after(bytes.subarray(nonce.length), nonce, sharedKey(keys, app));
    return text === null ? undefined : Buffer.from(text).toString('utf8');
  } catch {
    return undefined;
  }
}

/** By the wallet's keys, which each session has of its own. */
const sharedKeys = new WeakMap<SessionKeys, Uint8Array>();

/** The key of a session's messages. Agreeing on it takes longer than all else about a message. */
function sharedKey(keys: SessionKeys, app: string): Uint8Array {
  const known = sharedKeys.get(keys);
  if (known !== undefined) {
    return known;
  }
  const made = nacl.box.before(hexToByteArray(app), hexToByteArray(keys.secretKey));
  sharedKeys.set(keys, made);
  return made;
}

/** Tells whether two messages are one that was sent twice. */
export function digestOf(message: string): string {
  return createHash('sha256').update(message).digest('hex');
}

/**
 * A connection that was asked for, with keys of its own if it is encrypted; its manifest is not read yet.
 * @param since milliseconds since the Unix epoch
 */
export function newSession(
  asked: Pick<WalletSession, 'app' | 'kind' | 'account' | 'chain' | 'approval' | 'features' | 'wantedChain'>,
  manifestUrl: string,
  since: number,
): WalletSession {
  const keys = asked.kind === 'bridge' ? newSessionKeys() : undefined;
  return {
    ...asked,
    id: keys?.publicKey ?? randomBytes(32).toString('hex'),
    ...(keys === undefined ? {} : { keys }),
    dApp: { manifestUrl, domain: new URL(manifestUrl).host, isFetched: false },
    since,
    state: 'pending',
  };
}
