import assert from 'node:assert/strict';
import fc from 'fast-check';
import { append } from '../../../src/toolkit/localnet/records/records';
import { Ledger } from '../../../src/toolkit/localnet/chain/ledger';
import { addressOf, testChain } from './support/testChain';

describe('the ledger of a local network', () => {
  it('caches the parsed state of recently used accounts, and reads any other again', async () => {
    const chain = await testChain();
    const shardAccount = Buffer.from(chain.ledger.accounts.get(addressOf('alice'))?.current ?? '', 'base64');
    const ledger = new Ledger();
    const accounts = Array.from({ length: 5_000 }, (_, number) =>
      ledger.adopt({ address: `0:${number.toString(16).padStart(64, '0')}`, shardAccount }),
    );
    const kept = (): number => accounts.filter(({ knownFacts }) => knownFacts !== undefined).length;
    assert.equal(kept(), 4_096);
    const [first] = accounts;
    assert.equal(first?.knownFacts, undefined);
    assert.equal(first?.facts.balance, accounts.at(-1)?.facts.balance);
    assert.equal(first?.current, accounts.at(-1)?.current);
    assert.equal(kept(), 4_096);
  });

  it('returns every item of a list, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ number: fc.nat() }), { maxLength: 40 }), (items) => {
        const list = items.reduce<{ number: number }[]>(append, []);
        assert.deepEqual(list, items);
      }),
    );
  });
});
