import assert from 'node:assert/strict';
import fc from 'fast-check';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { hashToBase64, parseHashInput } from '../../../src/toolkit/address/hash';

const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array));

describe('hash input', () => {
  it('reads hex, 0x-hex, base64 and base64url with and without padding', () => {
    fc.assert(
      fc.property(bytes, (hash) => {
        const hex = hash.toString('hex');
        const base64 = hash.toString('base64');
        const base64url = hash.toString('base64url');
        for (const text of [
          hex,
          hex.toUpperCase(),
          `0x${hex}`,
          `0X${hex}`,
          base64,
          base64.slice(0, 43),
          base64url,
          `${base64url}=`,
          ` ${base64} `,
        ]) {
          assert.equal(parseHashInput(text), hex, text);
        }
        assert.equal(hashToBase64(hex), base64);
      }),
    );
  });

  const cases: [string, string, string, number][] = [
    ['short hex', `0x${'a'.repeat(63)}`, 'length', 65],
    ['a foreign hex digit', `${'a'.repeat(63)}z`, 'character', 63],
    ['short base64', 'AAAA', 'length', 4],
    ['a foreign character', `${'A'.repeat(20)}!${'A'.repeat(22)}`, 'character', 20],
    ['bits beyond the 32 bytes', `${'A'.repeat(42)}B=`, 'character', 42],
    ['nothing', '', 'length', 0],
  ];
  for (const [name, text, reason, offset] of cases) {
    it(`refuses ${name} with the reason and the position`, () => {
      assert.throws(
        () => parseHashInput(text),
        (error) => {
          assert.ok(WorkbenchError.is(error, 'hash-invalid'));
          assert.deepEqual({ ...error.details }, { reason, offset });
          return true;
        },
      );
    });
  }
});
