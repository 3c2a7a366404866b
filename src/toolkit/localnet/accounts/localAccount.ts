/** One of the wallets that a local network starts with. Worthless by design: its keys are shown to everybody. */
export interface LocalAccount {
  name: string;
  kind: 'v5r1' | 'v4r2';
  /** Raw, lower-case hex. */
  address: string;
  /**
   * Of a v5r1 wallet: where the same key has its wallet for a client that believes to be on the test network (its id is
   * part of the wallet's id, and so of the address). Funded alike, and called `<name>-testnet`.
   */
  testnetAddress?: string | undefined;
  /** 24 words, no password. */
  mnemonic: string;
  /** 32 bytes, hex. */
  publicKey: string;
  /** 64 bytes, hex. */
  secretKey: string;
}
