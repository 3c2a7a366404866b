import { createPrivateKey, sign } from 'node:crypto';

/** PKCS #8 of an Ed25519 key (RFC 8410), up to its seed. */
const seedPrefix = Buffer.from('302e020100300506032b657004220420', 'hex');
const seedSize = 32;

/**
 * The Ed25519 signature of `data`, 64 bytes. Done by OpenSSL: in JavaScript it takes milliseconds.
 * @param secretKey the seed, with or without the public key behind it
 */
export function signEd25519(data: Buffer, secretKey: Buffer): Buffer {
  const der = Buffer.concat([seedPrefix, secretKey.subarray(0, seedSize)]);
  return sign(null, data, createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
}
