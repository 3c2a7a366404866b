import assert from 'node:assert/strict';
import { Address } from '@ton/core';
import fc from 'fast-check';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { parseAddressInput } from '../../../src/toolkit/address/parseAddressInput';
import {
  readAddressForm,
  toFriendlyAddress,
  toRawAddress,
} from '../../../src/toolkit/address/canonicalAddress';

const account = fc.record({
  workchain: fc.constantFrom(0, -1, 5, -128, 127),
  hash: fc.uint8Array({ minLength: 32, maxLength: 32 }),
});

describe('address input', () => {
  it('reads every form that @ton/core writes, flags included', () => {
    fc.assert(
      fc.property(
        account,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        ({ workchain, hash }, bounceable, testOnly, urlSafe) => {
          const address = new Address(workchain, Buffer.from(hash));
          const text = address.toString({ bounceable, testOnly, urlSafe });
          assert.deepEqual(readAddressForm(` ${text}\n`), {
            workchain,
            hash: Buffer.from(hash).toString('hex'),
            form: 'friendly',
            bounceable,
            testOnly,
          });
          assert.ok(parseAddressInput(text).equals(address));
          assert.ok(parseAddressInput(address.toRawString().toUpperCase()).equals(address));
          assert.equal(
            toFriendlyAddress(readAddressForm(text), { bounceable, testOnly }),
            address.toString({ bounceable, testOnly }),
          );
          assert.equal(toRawAddress(readAddressForm(text)), address.toRawString());
        },
      ),
    );
  });

  const friendly = 'EQCtiv7PrMJImWiF2L5oJCgPnzp-VML2CAt5cbn1VsKAxLiE';
  const cases: [string, string, string, number][] = [
    ['nothing', '  ', 'empty', 0],
    ['a mistyped character', friendly.replace('W', 'w'), 'checksum', 0],
    ['a missing character', friendly.slice(0, -1), 'length', 47],
    ['one too many', `${friendly}A`, 'length', 48],
    ['a foreign character', ` ${friendly.replace('W', '$')}`, 'character', 1 + friendly.indexOf('W')],
    ['short hex', '0:abcd', 'length', 6],
    ['long hex', `0:${'a'.repeat(65)}`, 'length', 66],
    ['a foreign hex digit', `0:${'a'.repeat(63)}g`, 'character', 65],
    ['no workchain', `:${'a'.repeat(64)}`, 'workchain', 0],
    ['a word as workchain', `main:${'a'.repeat(64)}`, 'workchain', 0],
    ['a workchain beyond 32 bits', `4294967296:${'a'.repeat(64)}`, 'workchain', 0],
  ];
  for (const [name, text, reason, offset] of cases) {
    it(`refuses ${name} with the reason and the position`, () => {
      assert.throws(
        () => parseAddressInput(text),
        (error) => {
          assert.ok(WorkbenchError.is(error, 'address-invalid'));
          assert.deepEqual({ ...error.details }, { reason, offset });
          return true;
        },
      );
    });
  }

  it('refuses an unknown flag byte even with a valid checksum', () => {
    const bytes = Buffer.from(friendly, 'base64url');
    const forged = toFriendlyAddress(readAddressForm(friendly), { bounceable: true, testOnly: false });
    assert.equal(forged, friendly);
    bytes[0] = 0x22;
    // The checksum of the changed bytes, from an independent implementation of the same polynomial.
    let crc = 0;
    for (const byte of [...bytes.subarray(0, 34), 0, 0]) {
      for (let mask = 0x80; mask > 0; mask >>= 1) {
        crc = (crc << 1) | ((byte & mask) === 0 ? 0 : 1);
        crc = crc > 0xffff ? (crc & 0xffff) ^ 0x1021 : crc;
      }
    }
    bytes.writeUInt16BE(crc, 34);
    assert.throws(
      () => readAddressForm(bytes.toString('base64url')),
      (error) => WorkbenchError.is(error, 'address-invalid') && error.details.reason === 'flags',
    );
  });
});
