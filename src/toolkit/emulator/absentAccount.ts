/** ShardAccount (BoC, base64) of an address that nothing was ever sent to: no account, hash and lt zero. */
export const absentAccount = 'te6ccgEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFA';
