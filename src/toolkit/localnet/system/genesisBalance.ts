/** What each wallet owns at the start, nanocoins: a million coins. */
export const genesisBalance = 1_000_000_000_000_000n;
