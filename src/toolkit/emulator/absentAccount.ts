/** ShardAccount (BoC, base64) of an unused address: no account, hash and lt zero. */
export const absentAccount = 'te6ccgEBAgEALgABUAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABAAFA';
