import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { bodyLines } from '../../../src/toolkit/contracts/opcodes/bodyLines';
import { decodeByLayout } from '../../../src/toolkit/contracts/layouts/decodeByLayout';
import { findStorage } from '../../../src/toolkit/contracts/layouts/layoutSet';
import type { StorageLayout } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { readTactSourceLayouts } from '../../../src/toolkit/contracts/layouts/readTactSourceLayouts';
import { readTolkSourceLayouts } from '../../../src/toolkit/contracts/layouts/tolkLayouts';
import { storageMismatch } from '../../../src/toolkit/contracts/layouts/projectLayouts';

function storageOf(fields: string): StorageLayout {
  const source = `struct Storage { ${fields} }
    fun onInternalMessage(in: InMessage) { val kept = Storage.fromCell(contract.getData()); }`;
  const found = findStorage([readTolkSourceLayouts('counter.tolk', 'counter', source, [])], {
    name: 'Counter',
  });
  assert.ok(found);
  return found;
}

describe('layouts: data of a contract whose storage was declared anew', () => {
  const data = beginCell().storeUint(42, 32).storeRef(beginCell().endCell()).endCell();

  it('fits what it was written as', () => {
    assert.equal(storageMismatch(data, storageOf('count: uint32  note: cell')), undefined);
  });

  it('is too short for one more field', () => {
    assert.equal(
      storageMismatch(data, storageOf('count: uint32  note: cell  owner: address')),
      'Its data does not fit Storage: nothing is left for the field owner.',
    );
  });

  it('says which field does not fit, and how much is left for it', () => {
    const { layout, set } = storageOf('count: uint30  note: uint16  owner: address');
    assert.deepEqual(bodyLines(decodeByLayout(data, layout, set)), [
      'Storage',
      '  count  10',
      '  ✗ note does not fit: 2 bits and 1 reference are left for it and the fields after it',
    ]);
    const short = storageOf('count: uint32');
    assert.deepEqual(bodyLines(decodeByLayout(data, short.layout, short.set)), [
      'Storage',
      '  count  42',
      '  ✗ 1 reference is left over after the last field',
    ]);
  });

  it("is called the contract's storage in Tact, whose sources have no struct for it", () => {
    const source = 'contract Club { owner: Address; init(owner: Address) { self.owner = owner; } }';
    const found = findStorage([readTactSourceLayouts('club.tact', 'Club', source)], { name: 'club' });
    assert.ok(found);
    // The first bit says that init() has run.
    const stored = beginCell().storeBit(1).storeUint(42, 31).storeRef(beginCell().endCell()).endCell();
    assert.equal(
      storageMismatch(stored, found),
      'Its data is longer than the storage of Club: 29 bits and 1 reference are left over.',
    );
    const [flag] = found.layout.cells.flat();
    assert.match(flag?.comment ?? '', /init\(\) does not run/);
  });

  it('is too long for one field less', () => {
    assert.equal(
      storageMismatch(data, storageOf('note: cell')),
      'Its data is longer than Storage: 32 bits are left over.',
    );
    assert.equal(
      storageMismatch(data, storageOf('count: uint31')),
      'Its data is longer than Storage: 1 bit and 1 reference are left over.',
    );
  });
});
