import assert from 'node:assert/strict';
import { mnemonicToPrivateKey, mnemonicValidate } from '@ton/crypto';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';

describe('the named accounts', () => {
  for (const { name, kind, address, testnetAddress, mnemonic, publicKey, secretKey } of namedAccounts) {
    it(`${name}: the mnemonic gives the keys, the key gives the address`, async () => {
      const words = mnemonic.split(' ');
      assert.equal(words.length, 24);
      assert.equal(await mnemonicValidate(words), true);
      const keys = await mnemonicToPrivateKey(words);
      assert.equal(keys.publicKey.toString('hex'), publicKey);
      assert.equal(keys.secretKey.toString('hex'), secretKey);
      const wallet =
        kind === 'v5r1'
          ? WalletContractV5R1.create({ publicKey: keys.publicKey })
          : WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
      assert.equal(wallet.address.toRawString(), address);
      const twin = WalletContractV5R1.create({
        publicKey: keys.publicKey,
        walletId: { networkGlobalId: -3 },
      });
      assert.equal(testnetAddress, kind === 'v5r1' ? twin.address.toRawString() : undefined);
    });
  }
});
