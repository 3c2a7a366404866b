import assert from 'node:assert/strict';
import { giftWords } from '../../../src/toolkit/localnet/control/giftWords';
import type { JettonGift } from '../../../src/toolkit/localnet/control/controlApi';
import { readGift } from '../../../src/toolkit/localnet/control/readGift';

describe('what the faucet is to give', () => {
  const jetton = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';

  it('is read as coins, or as an amount and a jetton', () => {
    assert.deepEqual(readGift(' 1.5 '), { kind: 'coins', coins: 1_500_000_000n });
    assert.deepEqual(readGift('2 TON'), { kind: 'coins', coins: 2_000_000_000n });
    assert.deepEqual(readGift('100.5 USDT'), {
      kind: 'jetton',
      amount: '100.5',
      jetton: 'USDT',
      units: false,
    });
    assert.deepEqual(readGift(`7 units ${jetton}`), { kind: 'jetton', amount: '7', jetton, units: true });
    for (const wrong of [
      '',
      'TON',
      'USDT',
      '-1',
      '1 2 3 4',
      '1 of USDT',
      'many USDT',
      '1. USDT',
      '1.0123456789',
    ]) {
      assert.equal(readGift(wrong), undefined, wrong);
    }
  });

  it('is told with what the balance rose by, exactly or not', () => {
    const gift = {
      ...{ jetton: `0:${'11'.repeat(32)}`, symbol: 'TST', decimals: 2, owner: '', wallet: '', form: '' },
      ...{ message: '', trace: null, asked: '150', rose: '150', balance: '400' },
    } satisfies JettonGift;
    assert.equal(
      giftWords(gift, 'bob'),
      '1.5 TST for bob: the balance of the jetton wallet rose by exactly that, and is 4 TST now.',
    );
    assert.match(
      giftWords({ ...gift, rose: '149' }, 'bob'),
      /^1\.5 TST for bob were sent, but .* rose by 1\.49 TST,/,
    );
    assert.equal(
      giftWords({ ...gift, rose: null, balance: null }, 'bob'),
      '1.5 TST for bob wait for a block.',
    );
    const bare = { ...gift, symbol: null, decimals: null };
    assert.match(giftWords(bare, 'bob'), /^150 units of jetton EQAR\S+ for bob/);
  });
});
