/** The layout of a wallet's signed requests. */
export type WalletFamily = 'v1' | 'v2' | 'v3' | 'v4' | 'v5-beta' | 'v5' | 'highload-v2' | 'highload-v3';

/** One known wallet contract. */
export interface WalletCode {
  /** The name both APIs use, for example `wallet v4 r2`. */
  name: string;
  family: WalletFamily;
}

/**
 * Wallets by the hash of their code cell, lowercase hex: the list of both TON Center servers, recomputed from
 * published wallet code if available.
 */
export const walletCodes: ReadonlyMap<string, WalletCode> = new Map(
  (
    [
      ['oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=', 'wallet v1 r1', 'v1'],
      ['1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=', 'wallet v1 r2', 'v1'],
      ['WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=', 'wallet v1 r3', 'v1'],
      ['XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=', 'wallet v2 r1', 'v2'],
      ['/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=', 'wallet v2 r2', 'v2'],
      ['thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', 'wallet v3 r1', 'v3'],
      ['hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', 'wallet v3 r2', 'v3'],
      ['ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', 'wallet v4 r1', 'v4'],
      ['/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', 'wallet v4 r2', 'v4'],
      ['89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=', 'wallet v5 beta', 'v5-beta'],
      ['IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=', 'wallet v5 r1', 'v5'],
    ] as const
  ).map(([hash, name, family]) => [Buffer.from(hash, 'base64').toString('hex'), { name, family }]),
);

/**
 * The beginning of a wallet's data: seqno:32; or seqno:32 wallet_id:32; or signature_allowed:1 seqno:32 wallet_id:32.
 */
export type WalletLayout = 'seqno' | 'seqno-id' | 'flag-seqno-id';

/** A known wallet as shown by the services. */
interface LocalWallet {
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

/** 32-bit numbers inside what wallets sign: they distinguish formats, and are not in the message table. */
export const walletTags = {
  /** Wallet v5: a request signed for an external message. */
  signedExternal: 0x7369676e,
  /** Wallet v5: a request signed for an internal message. */
  signedInternal: 0x73696e74,
  /** Wallet v5: a request of one of its extensions, without a signature. */
  extensionAction: 0x6578746e,
  /** TON Connect: a cell that a wallet signs for a dApp. */
  signedData: 0x75569022,
  /** Multisig v2: an order's action that sends a message. */
  multisigSend: 0xf1381e5b,
} as const;

/** What the entries of a list of actions (c5) begin with (block.tlb, OutAction). */
export const actionTags = {
  sendMessage: 0x0ec3c86d,
  reserve: 0x36e6b809,
  setCode: 0xad4de08e,
  changeLibrary: 0x26fa1dd4,
} as const;
