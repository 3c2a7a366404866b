/** Initial balance of each wallet, nanocoins: a million coins. */
export const genesisBalance = 1_000_000_000_000_000n;
