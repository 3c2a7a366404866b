import assert from 'node:assert/strict';
import { beginCell, Cell, parseTuple, serializeTuple } from '@ton/core';
import type { TupleItem } from '@ton/core';
import { readStack } from '../../../src/toolkit/execution/emulator/createSandboxEmulator';

const big = 1n << 255n;
const numbers: TupleItem[] = [
  ...[0n, 1n, -1n, 85143n, (1n << 63n) - 1n, -(1n << 63n), 1n << 63n, -(1n << 63n) - 1n],
  ...[big, -big, 2n * big - 1n, -2n * big],
].map((value) => ({ type: 'int', value }));
const cell = beginCell().storeUint(5, 32).endCell();

describe('the stack of a get-method', () => {
  const stacks: Record<string, TupleItem[]> = {
    'nothing at all': [],
    'one number': [{ type: 'int', value: 7n }],
    'numbers of every size, null and nan': [...numbers, { type: 'null' }, { type: 'nan' }],
    'null on top': [...numbers, { type: 'null' }],
    'a cell below numbers': [{ type: 'cell', cell }, ...numbers],
    'a slice above numbers': [...numbers, { type: 'slice', cell }],
    'a tuple': [
      { type: 'tuple', items: numbers },
      { type: 'int', value: 3n },
    ],
  };
  for (const [name, stack] of Object.entries(stacks)) {
    it(`is read as @ton/core reads it: ${name}`, () => {
      const boc = serializeTuple(stack).toBoc().toString('base64');
      const theirs = parseTuple(Cell.fromBase64(boc));
      const ours = readStack(boc);
      assert.equal(ours.length, stack.length);
      assert.deepEqual(ours.map(plain), theirs.map(plain));
    });
  }
});

/** Cells by their BoC: they are equal when their content is. */
function plain(item: TupleItem): unknown {
  return 'cell' in item
    ? [item.type, item.cell.toBoc().toString('hex')]
    : item.type === 'tuple'
      ? item.items.map(plain)
      : item;
}
