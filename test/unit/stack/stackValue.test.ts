import assert from 'node:assert/strict';
import { Address, BitString, Builder, beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import fc from 'fast-check';
import { parseStackText } from '../../../src/toolkit/stack/parseStackText';
import { printStack, printStackValue } from '../../../src/toolkit/stack/stackValue';
import type { StackValue } from '../../../src/toolkit/stack/stackValue';

const runs = process.env.TONWB_LONG === '1' ? 20_000 : 600;

const bits = fc
  .tuple(fc.uint8Array({ maxLength: 127 }), fc.nat({ max: 7 }))
  .map(([bytes, cut]) => new BitString(Buffer.from(bytes), 0, Math.max(0, bytes.length * 8 - cut)));

const cellOf = (content: BitString, refs: readonly Cell[]): Cell => {
  const builder = new Builder().storeBits(content);
  refs.forEach((ref) => builder.storeRef(ref));
  return builder.endCell();
};

const leaf = bits.map((content) => cellOf(content, []));
const layer = (inner: fc.Arbitrary<Cell>): fc.Arbitrary<Cell> =>
  fc.tuple(bits, fc.array(inner, { maxLength: 4 })).map(([content, refs]) => cellOf(content, refs));
const cell = fc.oneof(leaf, layer(leaf), layer(fc.oneof(leaf, layer(leaf))));

const address = fc
  .tuple(fc.integer({ min: -128, max: 127 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([workchain, hash]) =>
    beginCell()
      .storeAddress(new Address(workchain, Buffer.from(hash)))
      .endCell(),
  );

const text = fc
  .string({ unit: 'grapheme', maxLength: 300 })
  .map((s) => beginCell().storeStringTail(s).endCell());

const integer = fc.oneof(
  fc.bigInt({ min: -(1n << 256n), max: (1n << 256n) - 1n }),
  fc.constantFrom(0n, -1n, (1n << 256n) - 1n, -(1n << 256n), 1n << 53n, (1n << 64n) - 1n),
);

/** Every value that can be written. */
const { value } = fc.letrec<{ value: StackValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    integer.map((n): StackValue => ({ type: 'int', value: n })),
    fc.constantFrom<StackValue>({ type: 'nan' }, { type: 'null' }),
    fc
      .tuple(
        fc.constantFrom('cell' as const, 'slice' as const, 'builder' as const),
        fc.oneof(cell, address, text),
      )
      .map(([type, c]): StackValue => ({ type, cell: c })),
    fc
      .tuple(fc.constantFrom('tuple' as const, 'list' as const), fc.array(tie('value'), { maxLength: 5 }))
      .map(([type, items]): StackValue => ({ type, items })),
  ),
}));

function same(a: StackValue, b: StackValue): void {
  assert.equal(a.type, b.type);
  if (a.type === 'int' && b.type === 'int') {
    assert.equal(a.value, b.value);
  } else if ('cell' in a && 'cell' in b) {
    assert.ok(a.cell.equals(b.cell));
  } else if ('items' in a && 'items' in b) {
    assert.equal(a.items.length, b.items.length);
    a.items.forEach((item, index) => same(item, b.items[index] ?? { type: 'nan' }));
  }
}

describe('stack text: printing', () => {
  it('prints every value so that it reads back the same', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 4 }), (values) => {
        const back = parseStackText(printStack(values));
        same({ type: 'tuple', items: back }, { type: 'tuple', items: values });
      }),
      { numRuns: runs },
    );
  });

  it('prints what people recognize', () => {
    const alice = Address.parse('EQCjk1hh952vWaE9bRguFkAhDAL5jj3xj9p0uPWrFBq_GEMS');
    const slice = (c: Cell): StackValue => ({ type: 'slice', cell: c });
    assert.equal(
      printStackValue(slice(beginCell().storeAddress(alice).endCell())),
      `addr ${alice.toString()}`,
    );
    assert.equal(
      printStackValue(slice(beginCell().storeStringTail('Cool "NFT" 💎').endCell())),
      'str "Cool \\"NFT\\" 💎"',
    );
    assert.equal(printStackValue(slice(beginCell().storeUint(18, 6).endCell())), 'slice x{4A_}');
    assert.equal(
      printStackValue({ type: 'tuple', items: [{ type: 'int', value: 1n }, { type: 'null' }] }),
      '[1, null]',
    );
    assert.equal(printStackValue({ type: 'unsupported', description: 'a continuation' }), '<a continuation>');
  });

  it('never prints control or direction characters as text', () => {
    for (const hostile of ['abcd\u202Eefgh', 'abc\u0007d', 'abcd\n', 'abcd\u200B', 'abcd\u2028']) {
      const printed = printStackValue({
        type: 'slice',
        cell: beginCell().storeStringTail(hostile).endCell(),
      });
      assert.match(printed, /^slice x\{[0-9A-F]+\}$/);
    }
  });

  it('preserves exotic cells', () => {
    const library = new Builder().storeUint(2, 8).storeBuffer(Buffer.alloc(32, 7)).endCell({ exotic: true });
    const back = parseStackText(printStackValue({ type: 'cell', cell: library }))[0];
    assert.ok(back?.type === 'cell' && back.cell.isExotic && back.cell.equals(library));
  });
});
