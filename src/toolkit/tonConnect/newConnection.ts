import type { LocalAccount } from '../accounts/localAccount';
import type { ConnectLink } from './connectLink';
import { otherNetworkHint } from './connectLink';
import type { Approval } from './protocol';
import { readEmbedded } from './readTask';
import type { WalletRequest, WalletSession } from './walletBook';
import type { FeatureWord } from './walletFeatures';
import { featuresOf } from './walletFeatures';
import { digestOf, newSession } from './walletSession';

/** A request to connect. */
export type ConnectAsked = WalletRequest & { method: 'connect' };

/** What a new connection gets. */
interface ConnectionStart {
  wallet: LocalAccount;
  approval: Approval;
  lacks: readonly FeatureWord[];
  /** Of the request to connect. */
  number: number;
  chain: string;
  /** Milliseconds since the Unix epoch. */
  at: number;
}

/**
 * The connection that a link asks for, with the request that somebody decides. A request in the link is checked as any other;
 * one that is refused does not keep the dApp from connecting.
 */
export function newConnection(
  { app, request, embedded: text }: ConnectLink,
  kind: WalletSession['kind'],
  { wallet, approval, lacks, number, chain, at }: ConnectionStart,
): { session: WalletSession; asked: ConnectAsked } {
  const features = featuresOf(wallet.kind, lacks);
  const wantedChain = otherNetworkHint(request, chain);
  const session = newSession(
    {
      ...{ app, kind, account: wallet.name, chain, approval, features: lacks },
      ...(wantedChain === undefined ? {} : { wantedChain }),
    },
    request.manifestUrl,
    at,
  );
  // A wallet without the feature ignores the parameter.
  const embedded =
    text === undefined || !features.embedded
      ? undefined
      : readEmbedded(text, { wallet, features, told: chain, chain, now: at / 1000 });
  return {
    session,
    asked: {
      ...{ method: 'connect', params: embedded === undefined ? request : { ...request, embedded } },
      ...{ number, session: session.id, id: '', digest: digestOf(JSON.stringify(request)), at },
    },
  };
}
