/** One of the wallets that a local network starts with. Worthless by design: its keys are public. */
export interface LocalAccount {
  name: string;
  kind: 'v5r1' | 'v4r2';
  /** Raw, lowercase hex. */
  address: string;
  /**
   * Of a v5r1 wallet: the same key's address for a client configured for the test network (the network's id is part
   * of the wallet id, and so of the address). Funded the same, and named `<name>-testnet`.
   */
  testnetAddress?: string | undefined;
  /** 24 words, no password. */
  mnemonic: string;
  /** 32 bytes, hex. */
  publicKey: string;
  /** 64 bytes, hex. */
  secretKey: string;
}
