import type { Approval } from './protocol';

/** A dApp as the wallet knows it. */
export interface DApp {
  manifestUrl: string;
  /** From the manifest; undefined if that was not fetched. */
  name?: string | undefined;
  url?: string | undefined;
  /** What signatures are bound to: the host of the manifest's `url`, else that of the manifest itself. */
  domain: string;
  /** Only manifests on this machine are fetched. */
  isFetched: boolean;
}

/** A connection of a dApp. */
export interface WalletSession {
  /** The wallet's client id in this session. */
  id: string;
  /** `bridge`: end-to-end encrypted. `injected`: the script in the page, in plain text. */
  kind: 'bridge' | 'injected';
  /** The dApp's client id. */
  app: string;
  /** X25519 keys, hex; only with `bridge`. */
  keys?: { publicKey: string; secretKey: string } | undefined;
  /** The name of the account it is connected to. */
  account: string;
  dApp: DApp;
  /** Milliseconds since the Unix epoch. */
  since: number;
  state: 'pending' | 'connected' | 'ended';
  /** The chain id that the dApp was told: another one if the network was to be wrong. */
  chain: string;
  /** What happens to its requests; that to connect is the first. */
  approval: Approval;
  /** The greatest id of a request, decimal; undefined before the first. */
  lastId?: string | undefined;
}
