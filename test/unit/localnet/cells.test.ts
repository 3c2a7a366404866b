import { Address, Cell, Dictionary, beginCell, external, storeMessage } from '@ton/core';
import assert from 'node:assert/strict';
import { BitCursor, walkDictionary } from '../../../src/toolkit/cell/light/bitCursor';
import { readLightCell, writeLightCell } from '../../../src/toolkit/cell/light/lightCell';
import { normalizedMessageHash, readMessage } from '../../../src/toolkit/cell/light/readMessage';

const light = (cell: Cell): ReturnType<typeof readLightCell> => readLightCell(cell.toBoc());

describe('light cells', () => {
  it('have the same hashes and depths as in @ton/core, even after being written', () => {
    const shared = beginCell().storeUint(5, 3).endCell();
    const tree = beginCell()
      .storeUint(1, 9)
      .storeRef(shared)
      .storeRef(beginCell().storeRef(shared).storeUint(0xabcd, 16).endCell())
      .endCell();
    const read = light(tree);
    assert.equal(read.hexHash, tree.hash().toString('hex'));
    assert.equal(read.depth, 2);
    const back = Cell.fromBoc(writeLightCell(read))[0];
    assert.ok(back?.equals(tree));
  });

  it('read numbers across byte boundaries and return the rest as a cell', () => {
    const cell = beginCell()
      .storeUint(5, 3)
      .storeInt(-3, 13)
      .storeCoins(123_456_789_012n)
      .storeUint(9, 5)
      .endCell();
    const cursor = new BitCursor(light(cell));
    assert.equal(cursor.uint(3), 5);
    assert.equal(cursor.int(13), -3);
    assert.equal(cursor.coins(), 123_456_789_012n);
    const rest = beginCell().storeUint(9, 5).endCell();
    assert.equal(cursor.rest().hexHash, rest.hash().toString('hex'));
    assert.throws(() => cursor.uint(6), /bits missing/);
  });

  it('visit a dictionary in key order, whatever its labels', () => {
    const keys = [0, 1, 2, 3, 255, 256, 1000, 32_767];
    const dictionary = Dictionary.empty(Dictionary.Keys.Uint(15), Dictionary.Values.Uint(16));
    keys.forEach((key) => dictionary.set(key, key + 1));
    const seen: [bigint, number][] = [];
    const root = light(beginCell().storeDictDirect(dictionary).endCell());
    walkDictionary(root, 15, (key, value) => seen.push([key, value.uint(16)]));
    assert.deepEqual(
      seen,
      keys.map((key) => [BigInt(key), key + 1]),
    );
  });
});

describe('comparing light cells', () => {
  /** 200 cells, each with two references to the next: 2^200 ways lead to the last one. */
  const braid = (last: number): ReturnType<typeof readLightCell> => {
    let cell = beginCell().storeUint(last, 8).endCell();
    for (let depth = 0; depth < 200; depth += 1) {
      cell = beginCell().storeUint(depth, 8).storeRef(cell).storeRef(cell).endCell();
    }
    return light(cell);
  };

  it('visits a shared cell a limited number of times', () => {
    assert.equal(braid(1).sameAs(braid(1)), true);
    assert.equal(braid(1).sameAs(braid(2)), false);
  });

  it('finds a difference in any field', () => {
    const cell = (bits: number, refs: readonly Cell[]): ReturnType<typeof readLightCell> =>
      light(refs.reduce((builder, ref) => builder.storeRef(ref), beginCell().storeUint(1, bits)).endCell());
    const first = cell(9, [Cell.EMPTY]);
    assert.equal(first.sameAs(cell(9, [Cell.EMPTY])), true);
    assert.equal(first.sameAs(cell(10, [Cell.EMPTY])), false);
    assert.equal(first.sameAs(cell(9, [])), false);
    assert.equal(first.sameAs(cell(9, [beginCell().storeBit(1).endCell()])), false);
  });
});

describe('normalized hash (TEP-467)', () => {
  const to = Address.parseRaw(`0:${'5a'.repeat(32)}`);
  const body = beginCell().storeUint(77, 11).storeRef(Cell.EMPTY).endCell();
  const init = { code: beginCell().storeUint(1, 8).endCell(), data: Cell.EMPTY };
  const expected = beginCell()
    .storeUint(0b1000, 4)
    .storeAddress(to)
    .storeCoins(0)
    .storeBit(false)
    .storeBit(true)
    .storeRef(body)
    .endCell()
    .hash()
    .toString('hex');

  it('does not depend on the state init, the import fee, or the position of the body', () => {
    for (const message of [
      external({ to, body }),
      external({ to, body, init }),
      { ...external({ to, body }), info: { ...external({ to }).info, importFee: 5n } as never },
    ]) {
      for (const forceRef of [true, false]) {
        const cell = light(beginCell().store(storeMessage(message, { forceRef })).endCell());
        assert.equal(normalizedMessageHash(cell, readMessage(cell)), expected);
      }
    }
  });
});
