import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { keyPairFromSecretKey, keyPairFromSeed, sign, signVerify } from '@ton/crypto';

/** The imports of a source that can sign, or make a key of a seed or a mnemonic. */
function signingImports(text: string): string[] {
  const statements = text.split(';').filter((one) => /^\s*(?:import|export)\s/.test(one));
  const dynamic = [...text.matchAll(/import\('([^']+)'\)/g)].map(([, from = '']) => from);
  return [...statements, ...dynamic].filter(
    (one) =>
      /\/signEd25519|\/signOrders/.test(one) ||
      (/@ton\/crypto/.test(one) && !/^\s*import (?:type )?\{ signVerify \} from/.test(one)),
  );
}

describe('who signs', () => {
  it('is the test wallet, and the keys of the local network: nothing that hands over to a wallet of the user', async () => {
    const names = await readdir(path.join(root, 'src'), { recursive: true });
    const sources = names.filter((name) => /\.tsx?$/.test(name));
    const signing: string[] = [];
    for (const file of sources) {
      if (signingImports(await readFile(path.join(root, 'src', file), 'utf8')).length > 0) {
        signing.push(file.replaceAll('\\', '/'));
      }
    }
    assert.deepEqual(signing.sort(), [
      'toolkit/localnet/accounts/deriveAccounts.ts',
      'toolkit/send/prepareComposed.ts',
      'toolkit/send/signOrders.ts',
      'toolkit/tonConnect/carryOut.ts',
      'toolkit/tonConnect/checkMessage.ts',
      'toolkit/tonConnect/injectedScript.ts',
      'toolkit/tonConnect/payLink.ts',
      'toolkit/tonConnect/signData.ts',
    ]);
  });
});

// The bundle gives @ton/crypto the signatures of Node.js.
describe('the signatures of @ton/crypto in the bundle', () => {
  it('are those of RFC 8032 (test 2)', () => {
    const seed = Buffer.from('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb', 'hex');
    const { publicKey, secretKey } = keyPairFromSeed(seed);
    assert.equal(
      publicKey.toString('hex'),
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    );
    assert.equal(
      sign(Buffer.from('72', 'hex'), secretKey).toString('hex'),
      '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
    );
  });

  it('refuse what was changed, another key, and keys of another size', () => {
    for (let index = 0; index < 100; index++) {
      const { publicKey, secretKey } = keyPairFromSeed(randomBytes(32));
      assert.deepEqual(keyPairFromSecretKey(secretKey), { publicKey, secretKey });
      const data = randomBytes(index + 1);
      const signature = sign(data, secretKey);
      assert.equal(signVerify(data, signature, publicKey), true);
      const changed = Buffer.from(signature);
      changed.writeUInt8(changed.readUInt8(index % 64) ^ 1, index % 64);
      assert.equal(signVerify(data, changed, publicKey), false);
      assert.equal(signVerify(data, signature, randomBytes(32)), false);
      assert.equal(signVerify(data.subarray(1), signature, publicKey), false);
    }
    assert.throws(() => keyPairFromSeed(Buffer.alloc(31)), /bad key size/);
  });
});
