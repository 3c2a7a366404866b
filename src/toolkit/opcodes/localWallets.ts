import { walletCodes } from './walletCodes';
import type { WalletFamily } from './walletCodes';

/**
 * The beginning of a wallet's data: seqno:32; or seqno:32 wallet_id:32; or signature_allowed:1 seqno:32 wallet_id:32.
 */
type WalletLayout = 'seqno' | 'seqno-id' | 'flag-seqno-id';

/** A known wallet as shown by the services. */
export interface LocalWallet {
  /** The services' name of the type, for example `wallet v4 r2`. */
  type: string;
  /** The name among an account's interfaces, for example `wallet_v4r2`. */
  interface: string;
  layout: WalletLayout;
}

const layouts: Partial<Record<WalletFamily, WalletLayout>> = {
  v1: 'seqno',
  v2: 'seqno',
  v3: 'seqno-id',
  v4: 'seqno-id',
  'v5-beta': 'flag-seqno-id',
  v5: 'flag-seqno-id',
};

/** The wallets of the shared table by code hash, lowercase hex. */
export const localWallets: ReadonlyMap<string, LocalWallet> = new Map(
  [...walletCodes].flatMap(([hash, { name, family }]): [string, LocalWallet][] => {
    const layout = layouts[family];
    const [, version, revision] = name.split(' ');
    const shown = `wallet_${version}${revision === 'beta' ? '_beta' : revision}`;
    return layout === undefined ? [] : [[hash, { type: name, interface: shown, layout }]];
  }),
);
