/** How a wallet's data begins: seqno:32; or seqno:32 wallet_id:32; or signature_allowed:1 seqno:32 wallet_id:32. */
export type WalletLayout = 'seqno' | 'seqno-id' | 'flag-seqno-id';

export interface WalletCode {
  /** The services' name of the type. */
  type: string;
  /** The name among an account's interfaces. */
  interface: string;
  layout: WalletLayout;
}

const row = (name: string, revision: string, layout: WalletLayout): WalletCode => ({
  type: `wallet ${name} ${revision}`,
  interface: `wallet_${name}${revision === 'beta' ? '_beta' : revision}`,
  layout,
});

/** Known wallets by the hash of their code (base64), as both services know them. */
export const walletCodes: ReadonlyMap<string, WalletCode> = new Map([
  ['oM/CxIruFqJx8s/AtzgtgXVs7LEBfQd/qqs7tgL2how=', row('v1', 'r1', 'seqno')],
  ['1JAvzJ+tdGmPqONTIgpo2g3PcuMryy657gQhfBfTBiw=', row('v1', 'r2', 'seqno')],
  ['WHzHie/xyE9G7DeX5F/ICaFP9a4k8eDHpqmcydyQYf8=', row('v1', 'r3', 'seqno')],
  ['XJpeaMEI4YchoHxC+ZVr+zmtd+xtYktgxXbsiO7mUyk=', row('v2', 'r1', 'seqno')],
  ['/pUw0yQ4Uwg+8u8LTCkIwKv2+hwx6iQ6rKpb+MfXU/E=', row('v2', 'r2', 'seqno')],
  ['thBBpYp5gLlG6PueGY48kE0keZ/6NldOpCUcQaVm9YE=', row('v3', 'r1', 'seqno-id')],
  ['hNr6RJ+Ypph3ibojI1gHK8D3bcRSQAKl0JGLmnXS1Zk=', row('v3', 'r2', 'seqno-id')],
  ['ZN1UgFUixb6KnbWc6gEFzPDQh4bKeb64y3nogKjXMi0=', row('v4', 'r1', 'seqno-id')],
  ['/rX/aCDi/w2Ug+fg1iyBfYRniftK5YDIeIZtlZ2r1cA=', row('v4', 'r2', 'seqno-id')],
  ['89fKU0k97trCizgZhqhJQDy6w9LFhHea8IEGWvCsS5M=', row('v5', 'beta', 'flag-seqno-id')],
  ['IINLe3KxEhR+Gy+0V7hOdNGjDwT3N9T2KmaOlVLSty8=', row('v5', 'r1', 'flag-seqno-id')],
]);
