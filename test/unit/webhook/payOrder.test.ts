import assert from 'node:assert/strict';
import { Address } from '@ton/core';
import { parseComposeLine } from '../../../src/toolkit/send/parseComposeLine';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { orderPaymentLine } from '../../../src/toolkit/webhook/orders/orderPaymentLine';
import { orderPlaces } from '../../../src/toolkit/webhook/orders/orderPlaces';
import { usdtMaster } from '../../../src/toolkit/webhook/values/asset';
import { decodeBody } from '../../../src/toolkit/contracts/opcodes/decodeBody';
import { recipient, sender } from './support/sample';

const payer = { wallet: 'alice', address: sender, recipient };
const options = { wallets: ['alice'], accounts: new Map<string, string>() };

describe('paying an order for real', () => {
  it('sends the amount in coins, with the reference as the comment', () => {
    const reference = 'order "7"\\ 💎';
    const line = orderPaymentLine({ reference, amount: '10.5', asset: 'TON' }, payer);
    const { to, value, bounce, body } = parseComposeLine(line, options);
    assert.ok(to.equals(Address.parse(recipient)));
    assert.deepEqual([value, bounce], [10_500_000_000n, false]);
    assert.equal(body.beginParse().skip(32).loadStringTail(), reference);
  });

  it('transfers jettons as TEP-74 says', () => {
    const line = orderPaymentLine(
      { reference: 'order-1', amount: '25', asset: usdtMaster },
      { ...payer, jettonWallet: sender },
    );
    const { to, value, bounce, body } = parseComposeLine(line, options);
    assert.ok(to.equals(Address.parse(sender)));
    assert.deepEqual([value, bounce], [100_000_000n, true]);
    const slice = body.beginParse();
    assert.deepEqual([slice.loadUint(32), slice.loadUint(64)], [0x0f8a7ea5, 0]);
    assert.equal(slice.loadCoins(), 25_000_000n);
    assert.ok(slice.loadAddress().equals(Address.parse(recipient)));
    assert.ok(slice.loadAddress().equals(Address.parse(sender)));
    assert.equal(slice.loadMaybeRef(), null);
    assert.equal(slice.loadCoins(), 10_000_000n);
    assert.equal(slice.loadBit(), true);
    assert.equal(slice.loadRef().beginParse().skip(32).loadStringTail(), 'order-1');
    assert.equal(decodeBody(body.toBoc().toString('base64'))?.name, 'jetton_transfer');
  });

  it('does not guess decimals', () => {
    const order = { reference: 'order-1', amount: '25', asset: sender };
    assert.throws(
      () => orderPaymentLine(order, payer),
      (error) => WorkbenchError.is(error, 'order-unpayable'),
    );
    assert.match(orderPaymentLine({ ...order, decimals: 2 }, payer), / 2500 /);
    assert.match(orderPaymentLine({ ...order, rawAmount: '77' }, payer), / 77 /);
  });
});

describe('the places of orders in their file', () => {
  it('are their opening braces', () => {
    const text =
      '{"orders": [\n {"reference": "a", "amount": "1"},\n {"asset": "TON", "reference": "b\\"}"}]}';
    assert.deepEqual(
      orderPlaces(text).map(({ reference, offset }) => [reference, text.slice(offset, offset + 5)]),
      [
        ['a', '{"ref'],
        ['b"}', '{"ass'],
      ],
    );
  });

  it('are found while the file is being edited', () => {
    assert.deepEqual(orderPlaces('[{"reference": "a",, {"reference": '), [{ reference: 'a', offset: 1 }]);
    assert.deepEqual(orderPlaces('{"reference": {"reference": 1}}'), []);
    assert.deepEqual(orderPlaces(''), []);
  });
});
