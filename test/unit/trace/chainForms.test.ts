import assert from 'node:assert/strict';
import { findForms, mayHoldSecrets } from '../../../src/toolkit/trace/chainForms';

const friendly = 'EQCMleTCQgPHchx8XhumkHy_qq7snDqrFybkDMxNGY29qM5d';
const raw = `0:${'8c'.repeat(32)}`;
const hash = 'ab'.repeat(32);
const base64 = Buffer.alloc(32, 7).toString('base64');

describe('addresses and hashes in text', () => {
  it('are found where they are separate words', () => {
    const text = `const minter = "${friendly}"; // ${raw}, 0x${hash} ${base64}`;
    assert.deepEqual(
      findForms(text, 'address').map((found) => found.text),
      [friendly, raw],
    );
    assert.deepEqual(
      findForms(text, 'hash').map((found) => found.text),
      [`0x${hash}`, base64],
    );
    assert.equal(findForms(text, 'address')[0]?.offset, text.indexOf(friendly));
  });

  it('are not found inside longer words', () => {
    for (const text of [`x${friendly}`, `${friendly}x`, `${hash}ab`, `te6cc${base64}`, `0:${hash}0`]) {
      assert.deepEqual([...findForms(text, 'address'), ...findForms(text, 'hash')], [], text);
    }
  });

  it('are not taken for hashes where secrets are stored', () => {
    for (const path of [
      '/p/.env',
      '/p/.env.local',
      '/p/wallet.key',
      '/p/secrets.json',
      '/p/my-mnemonic.txt',
    ]) {
      assert.ok(mayHoldSecrets(path), path);
    }
    assert.ok(!mayHoldSecrets('/p/scripts/deploy.ts'));
  });
});
