import assert from 'node:assert/strict';
import { sha256_sync as sha256, sha512_sync as sha512 } from '@ton/crypto';
import { hmac_sha512_fallback as hmacSha512 } from '@ton/crypto/dist/primitives/hmac_sha512';

// The bundle gives @ton/crypto the hashes of Node.js. Vectors of FIPS 180-4 and RFC 4231 (case 2).
describe('the hashes of @ton/crypto in the bundle', () => {
  it('are SHA-256 and SHA-512', () => {
    assert.equal(
      sha256('abc').toString('hex'),
      'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
    );
    assert.equal(
      sha512(Buffer.from('abc')).toString('hex'),
      'ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f',
    );
  });

  it('are HMAC with SHA-512', async () => {
    assert.equal(
      (await hmacSha512('Jefe', 'what do ya want for nothing?')).toString('hex'),
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    );
  });
});
