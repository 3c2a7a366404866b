/** The local network listens here, and serves only this machine. */
export const localnetHost = '127.0.0.1';
