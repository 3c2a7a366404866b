import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { parseOrders } from '../../../src/toolkit/webhook/orders/parseOrders';
import { root } from '../../../scripts/lib/root.mjs';
import { recipient } from './support/sample';

const order = { reference: 'ref-1', amount: '10.5', asset: 'TON', recipient };

const good: unknown[] = [
  [],
  [order],
  { orders: [order] },
  { $schema: './x.json', orders: [] },
  [{ reference: 'r', rawAmount: '1', asset: 'TON' }],
  [{ ...order, decimals: 9, note: 'fields of your own are fine' }],
];
const bad: [value: unknown, path: string][] = [
  [{}, 'orders'],
  [{ orders: {} }, 'orders'],
  [[{ ...order, reference: undefined }], '0.reference'],
  [[{ ...order, reference: '' }], '0.reference'],
  [[{ ...order, amount: 10.5 }], '0.amount'],
  [[{ ...order, amount: '10,5' }], '0.amount'],
  [[{ ...order, amount: undefined }], '0.amount'],
  [[{ ...order, rawAmount: '1.5' }], '0.rawAmount'],
  [[{ ...order, asset: undefined }], '0.asset'],
  [[{ ...order, decimals: 1.5 }], '0.decimals'],
  [[{ ...order, recipient: 'bob' }], '0.recipient'],
  [['x'], '0'],
];

describe('webhook orders', () => {
  it('are accepted and refused exactly as by the contributed schema', () => {
    const schema = JSON.parse(
      readFileSync(path.join(root, 'media/schemas/webhook-orders.schema.json'), 'utf8'),
    ) as object;
    const validate = new Ajv({ strict: false }).compile(schema);
    for (const value of good) {
      const text = JSON.stringify(value);
      assert.ok(validate(JSON.parse(text)), text);
      parseOrders(text);
    }
    for (const [value, at] of bad) {
      const text = JSON.stringify(value);
      assert.ok(!validate(JSON.parse(text)), text);
      assert.throws(
        () => parseOrders(text),
        (error) =>
          WorkbenchError.is(error, 'orders-invalid') &&
          (assert.match(String(error.details.path), new RegExp(`(^|orders\\.)${at.replaceAll('.', '\\.')}$`)),
          true),
        text,
      );
    }
  });

  it('are refused for errors that a schema cannot express', () => {
    for (const value of [
      [order, order],
      [{ ...order, amount: '0.0000000001' }],
      [{ ...order, rawAmount: '10500000001' }],
      [{ ...order, recipient: `${recipient.slice(0, -1)}${recipient.endsWith('A') ? 'B' : 'A'}` }],
    ]) {
      assert.throws(
        () => parseOrders(JSON.stringify(value)),
        (error) => WorkbenchError.is(error, 'orders-invalid'),
      );
    }
    assert.throws(
      () => parseOrders('{'),
      (error) => WorkbenchError.is(error, 'orders-invalid'),
    );
  });

  it('get a warning about names that are not addresses', () => {
    assert.deepEqual(parseOrders(JSON.stringify([order])).warnings, []);
    const typo = parseOrders(JSON.stringify({ orders: [{ ...order, recipent: 'UQ', note: 1 }] }));
    assert.equal(typo.warnings.length, 2);
    assert.match(
      typo.warnings[0] ?? '',
      /"recipent" is not known and has no effect\. Did you mean recipient\?$/,
    );
    assert.deepEqual(typo.orders, [order]);
    for (const none of ['[]', '{"orders": []}']) {
      assert.match(parseOrders(none).warnings.join(), /^The orders file has no orders: no reference/);
    }
    assert.equal(parseOrders(JSON.stringify([{ ...order, asset: 'usdt' }])).warnings.length, 1);
  });

  it('say in words which order is wrong, and where', () => {
    const said = (value: unknown): string => {
      try {
        parseOrders(JSON.stringify(value));
      } catch (error) {
        return WorkbenchError.is(error) ? error.message : '';
      }
      return '';
    };
    assert.equal(said([{ reference: 7 }]), 'Order 1 of the orders file: reference must be text in quotes.');
    assert.equal(
      said({ orders: [order, { ...order, reference: undefined }] }),
      'Order 2 of the orders file: reference is missing.',
    );
    assert.equal(
      said([{ ...order, recipient: 'bob' }]),
      'Order 1 of the orders file: recipient is not an address of a wallet.',
    );
    assert.match(said(['x']), /^Order 1 of the orders file must be/);
    assert.equal(said({}), 'The orders file: orders is missing.');
    assert.match(said('x'), /^The orders file must be /);
  });
});
