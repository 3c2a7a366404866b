/** Where the coins of a local network's faucet come from: the zero address, which nobody owns. Raw. */
export const faucetAddress = `0:${'00'.repeat(32)}`;
