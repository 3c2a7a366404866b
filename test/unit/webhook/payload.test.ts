import assert from 'node:assert/strict';
import fc from 'fast-check';
import { dataFields, parsePayload } from '../../../src/toolkit/webhook/payload/payload';
import { isIsoTime } from '../../../src/toolkit/webhook/values/isHttpSuccess';
import { bytes, payload } from './support/sample';

const required = [
  'amount',
  'rawAmount',
  'senderAddr',
  'recipientAddr',
  'asset',
  'status',
  'reference',
  'bodyBase64Hash',
  'txHash',
  'traceId',
  'date',
];

function pathOf(value: unknown): string | null | undefined {
  const result = parsePayload(bytes(value));
  return result.kind === 'malformed' ? result.path : undefined;
}

describe('webhook payload', () => {
  it('accepts the documented payloads, with and without the optional fields', () => {
    for (const one of [
      payload(),
      payload({ status: 'failed', errorCode: 36, errorMessage: 'Not enough TON' }),
      payload({ assetTicker: undefined, commentToSender: undefined, commentToRecipient: undefined }),
      payload({ status: 'pending' }),
      payload({ senderAddr: '<SENDER_ADDR>', txHash: '<TX_HASH>' }),
    ]) {
      const result = parsePayload(bytes(one));
      assert.equal(result.kind, 'transfer');
      assert.deepEqual(
        JSON.parse(JSON.stringify((result as { payload: unknown }).payload)),
        JSON.parse(JSON.stringify(one)),
      );
    }
  });

  it('names the path of each required field that is missing', () => {
    for (const field of required) {
      assert.equal(pathOf(payload({ [field]: undefined })), `data.${field}`);
    }
    assert.equal(pathOf({ ...payload(), timestamp: undefined }), 'timestamp');
    assert.equal(pathOf({ ...payload(), data: undefined }), 'data');
    assert.equal(pathOf({ ...payload(), event: undefined }), 'event');
    assert.equal(pathOf({ ...payload(), data: [] }), 'data');
    assert.equal(pathOf([]), '');
    assert.equal(pathOf('null'), '');
  });

  it('names the path of each field of the wrong type', () => {
    for (const field of dataFields) {
      const wrong = field === 'errorCode' ? '36' : 7;
      assert.equal(pathOf(payload({ [field]: wrong })), `data.${field}`);
    }
    for (const field of required) {
      assert.equal(pathOf(payload({ [field]: null })), `data.${field}`);
    }
  });

  it('treats null in an optional field as absent, with a warning', () => {
    const optional = dataFields.filter((field) => !required.includes(field));
    assert.equal(optional.length, 5);
    const result = parsePayload(
      bytes({ ...payload(Object.fromEntries(optional.map((field) => [field, null]))), extra: null }),
    );
    assert.equal(result.kind, 'transfer');
    const { payload: taken, warnings, unknownFields } = result;
    assert.deepEqual(Object.keys(taken.data).sort(), [...required].sort());
    assert.deepEqual(
      warnings,
      optional.map((field) => `data.${field} is null: treated as missing.`),
    );
    assert.deepEqual(unknownFields, ['extra']);
    const stillWrong = payload({ assetTicker: null as unknown as string, rawAmount: 'x' });
    assert.equal(pathOf(stillWrong), 'data.rawAmount');
  });

  it('requires a format only if one is documented', () => {
    const wrong: [field: string, value: string][] = [
      ['amount', '10,5'],
      ['amount', '-1'],
      ['amount', '1e9'],
      ['amount', ''],
      ['amount', '.5'],
      ['rawAmount', '1.5'],
      ['rawAmount', '0x10'],
      ['rawAmount', ' 1'],
      ['rawAmount', '9'.repeat(79)],
      ['date', 'yesterday'],
      ['date', '2026-02-30T00:00:00Z'],
      ['date', '1768487400'],
      ['reference', ''],
    ];
    for (const [field, value] of wrong) {
      assert.equal(pathOf(payload({ [field]: value })), `data.${field}`, `${field} ${value}`);
    }
    assert.equal(pathOf({ ...payload(), timestamp: '15.01.2026' }), 'timestamp');
  });

  it('never quotes the body in error messages', () => {
    for (const body of [
      'hunter2',
      '{"a":hunter2}',
      JSON.stringify(payload({ rawAmount: 'hunter2' })),
      'hunter2\u0000',
    ]) {
      const result = parsePayload(bytes(body));
      assert.equal(result.kind, 'malformed');
      assert.ok(!JSON.stringify(result).includes('hunter2'));
    }
  });

  it('rejects anything but JSON in UTF-8', () => {
    const good = bytes(payload());
    for (const body of [
      Buffer.alloc(0),
      bytes('not json'),
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good]),
      Buffer.concat([good, Buffer.from([0xff])]),
      Buffer.from(good.toString('latin1').replace('Thanks', 'Th\xffnks'), 'latin1'),
      good.subarray(0, good.length - 1),
      bytes(`${'['.repeat(100_000)}`),
    ]) {
      const result = parsePayload(body);
      assert.equal(result.kind, 'malformed');
      assert.equal((result as { path: unknown }).path, null);
    }
  });

  it('names other events, whatever their data', () => {
    const refunded = parsePayload(bytes({ event: 'transfer.refunded', timestamp: 'x', data: 7 }));
    assert.equal(refunded.kind, 'other-event');
    assert.match((refunded as { reason: string }).reason, /announced/);
    assert.equal(parsePayload(bytes({ event: 'transfer.created' })).kind, 'other-event');
  });

  it('lists unknown fields, and ignores __proto__', () => {
    const one = { ...payload(), version: 2 };
    (one.data as Record<string, unknown>).fee = '1';
    const result = parsePayload(bytes(one));
    assert.deepEqual((result as { unknownFields: string[] }).unknownFields, ['version', 'data.fee']);
    const data = JSON.stringify(payload().data);
    assert.equal(
      pathOf(
        `{"event":"transfer.completed","timestamp":"2026-01-15T14:30:00Z","__proto__":{"data":${data}}}`,
      ),
      'data',
    );
    assert.equal(
      pathOf(
        `{"event":"transfer.completed","timestamp":"2026-01-15T14:30:00Z","data":{"__proto__":${data}}}`,
      ),
      'data.amount',
    );
    assert.equal(({} as Record<string, unknown>).amount, undefined);
  });

  it('checks the calendar of ISO 8601 times', () => {
    for (const good of [
      '2026-01-15T14:30:00.000Z',
      '2026-01-15T14:30:00Z',
      '2026-01-15T14:30Z',
      '2026-01-15T14:30:00+03:00',
      '2026-01-15',
      '2024-02-29T00:00:00Z',
      '2026-06-30T23:59:60Z',
      '2028-02-29T23:59:60.000Z',
      '2026-01-31T00:00:00.000Z',
    ]) {
      assert.ok(isIsoTime(good), good);
    }
    for (const bad of [
      '2026-13-01',
      '2026-00-10',
      '2025-02-29',
      '2026-01-15T25:00:00Z',
      '2026-01-15 14:30:00',
      '20260115',
      '',
      '2026-01-15T14:30:00.Z',
      '2026-02-29T00:00:00.000Z',
      '2026-04-31T00:00:00.000Z',
      '2026-00-01T00:00:00.000Z',
      '2026-01-01T24:00:01.000Z',
      '2026-01-01T10:60:00.000Z',
      '2026-01-01T10:00:00.00xZ',
    ]) {
      assert.ok(!isIsoTime(bad), bad);
    }
  });

  it('accepts every time that JavaScript writes', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }), (date) => {
        assert.ok(isIsoTime(date.toISOString()));
      }),
    );
  });

  it('names the field that violates the schema', () => {
    const parsed = parsePayload(bytes(payload({ rawAmount: '1.5' })));
    assert.equal(parsed.kind === 'malformed' && parsed.path, 'data.rawAmount');
  });
});
