import assert from 'node:assert/strict';
import { OrderBook } from '../../../src/toolkit/webhook/orders/orderBook';
import type { Order } from '../../../src/toolkit/webhook/orders/parseOrders';
import { judgeTransfer } from '../../../src/toolkit/webhook/provider/judgeTransfer';
import type { TransferData } from '../../../src/toolkit/webhook/payload/payload';
import { payload, recipient } from './support/sample';

const usdt = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs';
const usdtRaw = '0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe';
const jetton = 'EQBRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUVFRUUnT';

function book(orders?: Order[]): OrderBook {
  const made = new OrderBook();
  made.setOrders(orders);
  return made;
}

const order: Order = { reference: 'ref-1', amount: '10.5', asset: 'TON', recipient };

function judge(
  data: Partial<TransferData>,
  orders: OrderBook = book([order]),
): ReturnType<typeof judgeTransfer> {
  return judgeTransfer(payload(data).data, orders);
}

const failing = (data: Partial<TransferData>, orders?: OrderBook): string[] =>
  judge(data, orders)
    .rules.filter((rule) => rule.verdict === 'fail')
    .map((rule) => rule.rule);

describe('webhook receiver rules', () => {
  it('accept what matches the order, to the last unit and in any spelling of addresses', () => {
    assert.deepEqual(judge({}).verdict, 'accepted');
    assert.equal(judge({}).outcome, 'paid');
    const raw = '0:a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7a7';
    assert.equal(judge({ recipientAddr: raw }).verdict, 'accepted');
    const inUsdt = book([{ reference: 'ref-1', amount: '25', asset: usdt }]);
    assert.equal(
      judge({ amount: '25.0', rawAmount: '25000000', asset: usdtRaw }, inUsdt).verdict,
      'accepted',
    );
  });

  it('catch an amount that is off by one unit, even if floating point does not', () => {
    assert.equal(judge({ amount: '10.500000001', rawAmount: '10500000001' }).verdict, 'mismatch');
    const large = book([{ reference: 'ref-1', amount: '90071992.547409930', asset: 'TON' }]);
    const close = { amount: '90071992.547409931', rawAmount: '90071992547409931' };
    assert.equal(Number(close.amount), 90071992.54740993, 'floating point takes them for equal');
    assert.equal(judge(close, large).verdict, 'mismatch');
  });

  it('catch an amount and rawAmount that disagree, with known and unknown decimals', () => {
    assert.deepEqual(failing({ amount: '10.5', rawAmount: '105' }), ['amount']);
    assert.deepEqual(failing({ amount: '1000', rawAmount: '10500000000' }), ['amount']);
    const own = book([{ reference: 'ref-1', amount: '3', asset: jetton }]);
    assert.deepEqual(failing({ amount: '3', rawAmount: '300', asset: jetton }, own), []);
    assert.deepEqual(failing({ amount: '3', rawAmount: '301', asset: jetton }, own), ['amount']);
    const fixed = book([{ reference: 'ref-1', amount: '3', asset: jetton, decimals: 4 }]);
    assert.deepEqual(failing({ amount: '3', rawAmount: '300', asset: jetton }, fixed), ['amount']);
    assert.deepEqual(failing({ amount: '3', rawAmount: '30000', asset: jetton }, fixed), []);
  });

  it('compare base units if the order has them, and never confuse them with human units', () => {
    const inUnits = book([{ reference: 'ref-1', rawAmount: '10500000000', asset: 'TON' }]);
    assert.equal(judge({}, inUnits).verdict, 'accepted');
    const confused = book([{ reference: 'ref-1', amount: '10500000000', asset: 'TON' }]);
    const judged = judge({}, confused);
    assert.equal(judged.verdict, 'mismatch');
    assert.match(judged.reason ?? '', /rawAmount/);
  });

  it('catch a wrong asset and a wrong recipient, all faults at once', () => {
    assert.deepEqual(failing({ asset: usdt, amount: '10.5', rawAmount: '10500000' }), ['amount', 'asset']);
    assert.deepEqual(failing({ recipientAddr: jetton }), ['recipient']);
    assert.equal(judge({ recipientAddr: jetton }).verdict, 'mismatch');
  });

  it('recognize unknown references only with an orders file', () => {
    assert.equal(judge({ reference: 'ref-2' }).verdict, 'unknown-order');
    assert.equal(judge({ reference: 'ref-2' }).outcome, null);
    assert.equal(judge({ reference: 'ref-2' }, book()).verdict, 'accepted');
    assert.equal(judge({ rawAmount: '1' }, book()).verdict, 'accepted', 'but with a warning');
    assert.equal(judge({ rawAmount: '1' }, book()).warnings.length, 1);
  });

  it('record a failed transfer with its error, and any other status without effect', () => {
    const failed = judge({ status: 'failed', errorCode: 36, errorMessage: 'Not enough TON' });
    assert.equal(failed.verdict, 'transfer-failed');
    assert.equal(failed.outcome, 'failed');
    assert.match(failed.reason ?? '', /36.*Not enough TON/);
    const other = judge({ status: 'pending' });
    assert.equal(other.verdict, 'unknown-status', 'nothing failed');
    assert.equal(other.outcome, null);
  });

  it('apply in the documented order: reference, amount, asset, status, repeat', () => {
    const wrong = { rawAmount: '1', amount: '0.000000001' };
    const orders = book([order]);
    orders.apply({
      ...{ reference: 'ref-1', txHash: '', traceId: '', time: '', deliveryId: 'd' },
      state: 'paid',
    });
    const cases: [Partial<TransferData>, string, string[]][] = [
      [{ reference: 'ref-2', ...wrong, status: 'failed' }, 'unknown-order', ['reference', 'status']],
      [{ ...wrong, asset: usdt, status: 'failed' }, 'mismatch', ['amount', 'asset', 'status', 'repeat']],
      [{ status: 'failed' }, 'transfer-failed', ['status', 'repeat']],
      [{ status: 'pending' }, 'unknown-status', ['status', 'repeat']],
      [{}, 'repeat', ['repeat']],
    ];
    for (const [data, verdict, rules] of cases) {
      const judged = judge(data, orders);
      assert.equal(judged.verdict, verdict);
      assert.equal(judged.outcome, null, 'a paid order stays as it is');
      assert.deepEqual(failing(data, orders), rules);
    }
    assert.match(judge({ status: 'failed' }, orders).reason ?? '', /failed.*changes nothing/);
  });

  it('change an order only for a matching delivery: a failed mismatch leaves it open for the payment', () => {
    const orders = book([order]);
    const failed = { status: 'failed', rawAmount: '1', amount: '0.000000001' };
    for (const mismatch of [failed, { ...failed, ...order, asset: usdt }, { ...failed, status: 'success' }]) {
      assert.equal(judge(mismatch, orders).verdict, 'mismatch');
      assert.equal(judge(mismatch, orders).outcome, null);
    }
    assert.equal(judge({}, orders).verdict, 'accepted');
  });

  it('use the reference as the idempotency key', () => {
    const orders = book([order]);
    const state = { reference: 'ref-1', txHash: '', traceId: '', time: '', deliveryId: 'd' };
    orders.apply({ ...state, state: 'failed' });
    assert.equal(judge({ status: 'failed' }, orders).outcome, null, 'known already');
    assert.equal(judge({}, orders).verdict, 'accepted', 'a payment may follow a failure');
    orders.apply({ ...state, state: 'paid' });
    assert.equal(judge({}, orders).verdict, 'repeat');
    assert.equal(judge({ status: 'failed' }, orders).outcome, null);
    assert.equal(judge({ rawAmount: '1' }, orders).outcome, null);
    orders.apply({ ...state, state: 'failed' });
    assert.equal(orders.state('ref-1'), 'paid', 'paid stays paid');
  });

  it('recognize a repeat of what is still being written, and forget it if the write fails', () => {
    const orders = book([order]);
    const state = {
      reference: 'ref-1',
      state: 'paid',
      txHash: '',
      traceId: '',
      time: '',
      deliveryId: 'd',
    } as const;
    orders.reserve(state);
    assert.equal(judge({}, orders).verdict, 'repeat');
    assert.equal(orders.list()[0]?.state, 'open', 'not paid before it is written');
    orders.settle(state, false);
    assert.equal(judge({}, orders).verdict, 'accepted');
    orders.reserve(state);
    orders.settle(state, true);
    assert.equal(orders.list()[0]?.state, 'paid');
  });

  it('warn about addresses in an unknown form, and refuse nothing for that', () => {
    const judged = judge({ senderAddr: 'somebody' });
    assert.equal(judged.verdict, 'accepted');
    assert.deepEqual(judged.warnings, ['data.senderAddr is not an address in a known format.']);
  });

  it('warn about hashes in an unknown form, and about errors that do not fit the status', () => {
    const warned = (data: Partial<TransferData>): string[] => judge(data).warnings;
    assert.deepEqual(warned({}), []);
    assert.deepEqual(warned({ status: 'failed', errorCode: 0, errorMessage: '' }), []);
    assert.deepEqual(warned({ status: 'failed' }), [
      'data.errorCode is missing, although the transfer failed.',
      'data.errorMessage is missing, although the transfer failed.',
    ]);
    const odd = { bodyBase64Hash: 'not a hash', txHash: 'zz', traceId: 'yy', errorCode: 36 };
    assert.deepEqual(warned(odd), [
      'data.bodyBase64Hash is not a hash in base64.',
      'data.txHash is not a hash in a known format.',
      'data.traceId is not a hash in a known format.',
      'data.errorCode is set, although the transfer succeeded.',
    ]);
    assert.equal(judge(odd).verdict, 'accepted');
    assert.deepEqual(warned({ bodyBase64Hash: 'ab'.repeat(32) }).length, 1, 'hex is not base64');
    assert.deepEqual(warned({ status: 'pending' }), []);
  });

  it("accept the native coin by its names and by the user's own", () => {
    assert.equal(judge({ asset: 'GRAM' }).verdict, 'accepted');
    assert.equal(judge({}, book([{ ...order, asset: 'gram' }])).verdict, 'accepted');
    const renamed = judge({ asset: 'DUCAT' });
    assert.equal(renamed.verdict, 'mismatch', 'an unknown word may be a token');
    assert.match(renamed.reason ?? '', /DUCAT.*coin label/);
    assert.equal(renamed.warnings.length, 1);
    const orders = book([order]);
    const known = judgeTransfer(payload({ asset: 'DUCAT' }).data, orders, 'Ducat');
    assert.deepEqual([known.verdict, known.warnings], ['accepted', []]);
    const wrong = judgeTransfer(payload({ asset: 'DUCAT', rawAmount: '105' }).data, orders, 'DUCAT');
    assert.deepEqual([wrong.verdict, wrong.rules[2]?.verdict], ['mismatch', 'fail'], 'its decimals are 9');
    assert.equal(judgeTransfer(payload({ asset: usdt }).data, orders, 'DUCAT').verdict, 'mismatch');
  });
});
