/** The source of a local network's faucet coins: the zero address, which nobody owns. Raw. */
export const faucetAddress = `0:${'00'.repeat(32)}`;
