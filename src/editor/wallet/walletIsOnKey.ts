/** In the state of a workspace: whether the test wallet was running; it starts again with its network. */
export const walletIsOnKey = 'wallet.isOn';
