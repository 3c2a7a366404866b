import { randomBytes } from 'node:crypto';
import { newSessionKeys } from './sealing';
import type { WalletSession } from './walletSession';

/**
 * A connection that was asked for, with keys of its own if it is encrypted; its manifest is not read yet.
 * @param since milliseconds since the Unix epoch
 */
export function newSession(
  asked: Pick<WalletSession, 'app' | 'kind' | 'account' | 'chain' | 'approval'>,
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
