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
