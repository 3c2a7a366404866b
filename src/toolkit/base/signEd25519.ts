import { createPrivateKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { keepNewest } from './collections';

/** PKCS #8 of an Ed25519 key (RFC 8410), up to its seed. */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const seedSize = 32;

/** Reading a key takes ten times as long as signing with it. By the seed's hex. */
const keys = new Map<string, KeyObject>();
const mostKeys = 100;

/**
 * The Ed25519 signature of `data`, 64 bytes. Done by OpenSSL: in JavaScript it takes milliseconds.
 * @param secretKey the seed, with or without the public key behind it
 */
export function signEd25519(data: Buffer, secretKey: Buffer): Buffer {
  const seed = secretKey.subarray(0, seedSize);
  const name = seed.toString('hex');
  const key =
    keys.get(name) ??
    createPrivateKey({ key: Buffer.concat([seedPrefix, seed]), format: 'der', type: 'pkcs8' });
  keepNewest(keys, name, key, mostKeys);
  return sign(null, data, key);
}
