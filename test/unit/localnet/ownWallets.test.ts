import assert from 'node:assert/strict';
import { mnemonicToPrivateKey } from '@ton/crypto';
import { deriveAccounts } from '../../../src/toolkit/localnet/accounts/deriveAccounts';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { testChain } from './support/testChain';

describe('your own wallets on the local network', () => {
  it('are derived from the words, like the usual ones', async () => {
    const [alice, bob] = namedAccounts;
    assert.deepEqual(await deriveAccounts([alice!.mnemonic, bob!.mnemonic]), [alice, bob]);
    assert.deepEqual(await deriveAccounts([], 3), namedAccounts.slice(0, 3));
  });

  it('are derived beyond the given words, each with its own words, always the same', async () => {
    const { mnemonic } = namedAccounts[3]!;
    const accounts = await deriveAccounts([mnemonic], 3);
    assert.deepEqual(await deriveAccounts([mnemonic], 3), accounts);
    assert.equal(new Set(accounts.map(({ address }) => address)).size, 3);
    for (const { mnemonic: words, publicKey } of accounts) {
      assert.equal((await mnemonicToPrivateKey(words.split(' '))).publicKey.toString('hex'), publicKey);
    }
    const [, , , , , , , , , , eleventh] = await deriveAccounts([], 11);
    assert.equal(eleventh?.name, 'wallet11');
  });

  it('own the requested balance, even after a reset', async () => {
    const accounts = await deriveAccounts([namedAccounts[2]!.mnemonic]);
    const chain = await testChain({ genesis: { accounts, balance: 5n } });
    const check = (): void => {
      const { address, testnetAddress = '' } = accounts[0]!;
      for (const raw of [address, testnetAddress]) {
        assert.equal(chain.ledger.accounts.get(raw)?.facts.balance, 5n);
      }
      assert.equal(chain.ledger.accounts.has(namedAccounts[1]!.address), false);
      assert.equal(chain.genesis.accounts, accounts);
    };
    check();
    await chain.reset();
    check();
  });

  it('are refused if the words are invalid, without repeating them', async () => {
    const words = namedAccounts[0]!.mnemonic.replace('hazard', 'object');
    for (const mnemonics of [['one two'], [words]]) {
      await assert.rejects(deriveAccounts(mnemonics), (error: Error & { code: string }) => {
        assert.equal(error.code, 'localnet-accounts-invalid');
        assert.doesNotMatch(error.message, /object|two/);
        return true;
      });
    }
    await assert.rejects(deriveAccounts([], 101), { code: 'localnet-accounts-invalid' });
  });
});
