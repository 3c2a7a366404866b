import { Cell, beginCell } from '@ton/core';
import assert from 'node:assert/strict';
import { bocLimits } from '../../../src/toolkit/cell/bocMagics';
import { fromCoreCell, readBoc } from '../../../src/toolkit/cell/readBoc';
import { toCoreCell } from '../../../src/toolkit/cell/toCoreCell';
import { writeBoc } from '../../../src/toolkit/cell/writeBoc';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { encodeBoc } from './support/encodeBoc';
import { knownBocs } from './support/knownBocs';
import { pruned, randomCell } from './support/randomCell';
import { randomNumbers } from './support/randomNumbers';
import { looser, stricter } from './support/refusals';
import { assertSameCells } from './support/sameCells';

const long = process.env['TONWB_LONG'] === '1';

describe('readBoc against @ton/core', () => {
  it('reads every BoC in the installed packages and recorded answers identically', () => {
    const bocs = knownBocs();
    assert.ok(bocs.length > 40, `only ${bocs.length} BoCs were found`);
    let same = 0;
    for (const bytes of bocs) {
      let roots: Cell[];
      try {
        roots = Cell.fromBoc(bytes);
      } catch {
        continue;
      }
      assertSameCells(readBoc(bytes), roots);
      same++;
    }
    assert.ok(same > 40, `only ${same} were readable`);
  });

  it('reads 10,000 generated cells of every kind and level identically', () => {
    const random = randomNumbers(1);
    const kinds = new Set<string>();
    const levels = new Set<number>();
    for (let i = 0; i < 10_000; i++) {
      const cell = randomCell(random, long || i % 10 === 0 ? 24 : 5);
      const boc = readBoc(cell.toBoc({ idx: i % 2 === 0, crc32: i % 3 === 0 }));
      assertSameCells(boc, [cell]);
      assert.deepEqual(boc.notes, []);
      for (let number = 0; number < boc.cellCount; number++) {
        kinds.add(boc.kind(number));
        levels.add(boc.level(number));
      }
    }
    assert.equal(kinds.size, 5);
    assert.equal(levels.size, 4);
  });

  for (const [name, options] of Object.entries({
    'generic with index': { index: true },
    'generic with index and cache bits': { index: true, cacheBits: true, crc: true },
    'generic with wide numbers': { referenceBytes: 4, offsetBytes: 8 },
    'generic with stored hashes': { storeHashes: true },
    'indexed (68ff65f3)': { magic: 0x68ff65f3 as const },
    'indexed with checksum (acc3a728)': { magic: 0xacc3a728 as const },
  })) {
    it(`reads the format: ${name}`, () => {
      const random = randomNumbers(7);
      for (let i = 0; i < 30; i++) {
        const cell = randomCell(random);
        const bytes = encodeBoc([cell], options);
        assertSameCells(readBoc(bytes), [cell]);
        assertSameCells(readBoc(bytes), Cell.fromBoc(bytes));
        assert.deepEqual(readBoc(bytes).notes, []);
      }
    });
  }

  it('reads several roots, even one within the other, or one twice', () => {
    const child = beginCell().storeUint(1, 3).endCell();
    const parent = beginCell().storeRef(child).storeRef(beginCell().endCell()).endCell();
    const bytes = encodeBoc([parent, child, parent]);
    assertSameCells(readBoc(bytes), Cell.fromBoc(bytes));
    assert.equal(readBoc(bytes).roots.length, 3);
  });

  it('computes hashes of pruned cells with gaps in their levels as the protocol defines them', () => {
    const bytes = looser.find((entry) => entry.name === 'pruned-mask')!.sample();
    const boc = readBoc(bytes);
    const stored = Buffer.from(boc.data(0).subarray(2, 34)).toString('hex');
    assert.deepEqual(
      [0, 1, 2, 3].map((level) => boc.hashHex(0, level) === stored),
      [true, true, false, false],
    );
    assert.equal(boc.level(0), 2);
  });

  it('returns hashes in any order of requests', () => {
    const cell = randomCell(randomNumbers(3), 60);
    const whole = fromCoreCell(cell);
    const expected = Array.from({ length: whole.cellCount }, (_, i) =>
      whole.hashHex(whole.cellCount - 1 - i),
    );
    const other = fromCoreCell(cell);
    const found = Array.from({ length: other.cellCount }, (_, i) => other.hashHex(i)).reverse();
    assert.deepEqual(found, expected);
  });

  it('converts to @ton/core and back without loss', () => {
    const random = randomNumbers(5);
    for (let i = 0; i < 50; i++) {
      const cell = randomCell(random);
      const boc = fromCoreCell(cell);
      assert.ok(toCoreCell(boc, boc.roots[0]!).equals(cell));
    }
  });

  it('writes any subtree so that @ton/core can read it', () => {
    const random = randomNumbers(9);
    for (let i = 0; i < 40; i++) {
      const boc = readBoc(encodeBoc([randomCell(random)], { storeHashes: true }));
      const root = random(boc.cellCount);
      const written = writeBoc(boc, [root], { index: i % 2 === 0, crc: i % 3 === 0 });
      assert.equal(Cell.fromBoc(written)[0]!.hash().toString('hex'), boc.hashHex(root));
      assert.deepEqual(readBoc(written).notes, []);
    }
  });
});

describe('readBoc refuses', () => {
  for (const entry of stricter) {
    it(`${entry.code}: ${entry.reason}`, () => {
      const limits = { ...bocLimits, ...entry.limits };
      assert.throws(() => readBoc(entry.sample(), limits), { code: entry.code });
      assert.equal(Cell.fromBoc(entry.sample()).length > 0, true);
    });
  }

  for (const entry of looser) {
    it(`less than @ton/core, ${entry.name}: ${entry.reason}`, () => {
      assert.throws(() => Cell.fromBoc(entry.sample()));
      readBoc(entry.sample());
    });
  }

  it('bytes that are not a BoC, with the position', () => {
    const bytes = beginCell().storeUint(1, 8).endCell().toBoc({ crc32: true });
    const codeOf = (changed: Uint8Array): unknown => {
      try {
        readBoc(changed);
      } catch (error) {
        assert.ok(WorkbenchError.is(error));
        return [error.code, error.details['offset']];
      }
      return 'read';
    };
    assert.deepEqual(codeOf(Buffer.alloc(0)), ['boc-truncated', 0]);
    assert.deepEqual(codeOf(Buffer.from('hello')), ['boc-bad-magic', 0]);
    assert.deepEqual(codeOf(bytes.subarray(0, -1)), ['boc-truncated', 9]);
    const wrong = Buffer.from(bytes);
    wrong[13]! ^= 1;
    assert.deepEqual(codeOf(wrong), ['boc-bad-crc', bytes.length - 4]);
  });

  it('a Merkle proof about another cell', () => {
    const inner = beginCell().storeUint(1, 8).endCell();
    const good = encodeBoc([
      beginCell()
        .storeUint(3, 8)
        .storeBuffer(inner.hash(0))
        .storeUint(0, 16)
        .storeRef(inner)
        .endCell({ exotic: true }),
    ]);
    const wrong = Buffer.from(good);
    wrong[wrong.length - 1]! ^= 1;
    readBoc(good);
    assert.throws(() => readBoc(wrong), { code: 'boc-bad-merkle-hash' });
    assert.throws(() => Cell.fromBoc(wrong));
  });

  it('notes an index that does not match its cells', () => {
    const bytes = encodeBoc([pruned(randomNumbers(1), 1)], { index: true, offsetBytes: 1 });
    bytes[11]! ^= 1;
    assert.deepEqual(
      readBoc(bytes).notes.map((note) => [note.code, note.offset]),
      [['boc-index-differs', 11]],
    );
  });
});
