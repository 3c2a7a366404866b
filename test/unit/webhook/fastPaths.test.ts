import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isIsoTime } from '../../../src/toolkit/webhook/values/isoTime';
import { isTransferPayload } from '../../../src/toolkit/webhook/payload/isTransferPayload';
import { parsePayload, transferSchemaProblem } from '../../../src/toolkit/webhook/payload/payload';
import { bytes, payload } from './support/sample';

/** What is done by hand for speed must do the same as what it stands for. */
describe('webhook fast paths', () => {
  const values = fc.oneof(
    fc.constantFrom<unknown>(
      '',
      '1',
      '1.5',
      '-1',
      '1e3',
      'TON',
      'success',
      null,
      true,
      1,
      0.5,
      [],
      {},
      undefined,
    ),
    fc.constantFrom('2026-01-15T14:30:00.000Z', '2026-02-29', '2026-13-01T00:00:00.000Z', 'yesterday'),
    fc.string(),
  );

  it('decide on a payload as the schema does', () => {
    let kept = 0;
    const fields = [...Object.keys(payload().data), 'assetTicker', 'errorCode', 'errorMessage', 'other'];
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...fields), values), { maxLength: 3 }), (changes) => {
        const value = payload(Object.fromEntries(changes));
        const json: unknown = JSON.parse(JSON.stringify(value));
        const problem = transferSchemaProblem(json);
        assert.equal(isTransferPayload(json), problem === null, JSON.stringify(changes));
        kept += problem === null ? 1 : 0;
      }),
      { numRuns: 3_000 },
    );
    assert.ok(kept > 300, `${kept} kept the schema`);
    for (const value of [
      null,
      [],
      'x',
      {},
      { data: [] },
      { ...payload(), data: null },
      { ...payload(), event: 1 },
    ]) {
      assert.equal(isTransferPayload(value), transferSchemaProblem(value) === null, JSON.stringify(value));
    }
  });

  it('know the days of the calendar', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }), (date) => {
        assert.ok(isIsoTime(date.toISOString()));
      }),
    );
    for (const text of ['2026-02-29T00:00:00.000Z', '2026-04-31T00:00:00.000Z', '2026-00-01T00:00:00.000Z']) {
      assert.ok(!isIsoTime(text), text);
    }
    for (const text of ['2026-01-01T24:00:01.000Z', '2026-01-01T10:60:00.000Z', '2026-01-01T10:00:00.00xZ']) {
      assert.ok(!isIsoTime(text), text);
    }
    assert.ok(isIsoTime('2028-02-29T23:59:60.000Z') && isIsoTime('2026-01-31T00:00:00.000Z'));
  });

  it('still name the field that breaks the schema', () => {
    const parsed = parsePayload(bytes(payload({ rawAmount: '1.5' })));
    assert.equal(parsed.kind === 'malformed' && parsed.path, 'data.rawAmount');
  });
});
