import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import { exampleOfLayout } from '../../../src/toolkit/contracts/layouts/exampleOfLayout';
import { fieldPrompts } from '../../../src/toolkit/contracts/layouts/fieldPrompts';
import { projectLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';
import { findStorage } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { decodeByLayout } from '../../../src/toolkit/contracts/layouts/decodeByLayout';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import type { LayoutSet } from '../../../src/toolkit/contracts/layouts/layoutSet';
import { bodyLines } from '../../../src/toolkit/contracts/opcodes/bodyLines';
import { countsJettons } from '../../../src/toolkit/contracts/opcodes/countsJettons';
import { shortCoins } from '../../../src/toolkit/trace/figures';
import { jettonProject } from '../../support/jettonProject';

describe('the unit of an amount', () => {
  let sets: readonly LayoutSet[];
  const storage = (name: string): NonNullable<ReturnType<typeof findStorage>> => {
    const found = findStorage(sets, { name });
    assert.ok(found);
    return found;
  };

  before(async () => {
    const files = Object.entries(jettonProject).map(([path, text]) => ({ path, text }));
    sets = await projectLayouts(await readProject(files));
  });

  it('follows from the table, the name, and whose field it is, in this order', () => {
    const opcode = 0x0f8a7ea5;
    const order = ['sum', 'carried'];
    assert.equal(countsJettons({ name: 'sum', opcode, order }), true);
    assert.equal(countsJettons({ name: 'carried', opcode, order }), false);
    assert.equal(countsJettons({ name: 'forward_ton_amount', opcode }), false);
    assert.equal(countsJettons({ name: 'jettons' }), true);
    assert.equal(countsJettons({ name: 'balance' }), false);
    for (const name of ['balance', 'totalSupply', 'amount', 'allowance', 'cartons']) {
      assert.equal(countsJettons({ name, ofJetton: true }), true, name);
    }
    for (const name of ['forwardTonAmount', 'ton_amount', 'gasReserve', 'msgValue', 'storageFee', 'price']) {
      assert.equal(countsJettons({ name, ofJetton: true }), false, name);
    }
  });

  it('is that of the jetton in the data of its wallet and its master, of the coin elsewhere', () => {
    const { layout, set } = storage('jettonWallet');
    const data = beginCell().storeCoins(1000n).storeAddress(null).storeAddress(null);
    const required = layout.cells.flat().some(({ type }) => type.kind === 'address' && type.isRequired);
    assert.ok(required || data.bits > 0);
    const body = decodeByLayout(data.endCell(), layout, set);
    assert.equal(bodyLines(body)[1], '  balance  1 000 base units');
    const jetton = { symbol: 'JETX', decimals: 6 };
    assert.equal(bodyLines(body, { jetton })[1], '  balance  0.001 JETX');
    const vault = decodeByLayout(data.endCell(), layout, { ...set, ofJetton: false });
    assert.equal(bodyLines(vault)[1], '  balance  0.000001 TON');
  });

  it('is not put into the boxes for jettons', () => {
    const { layout, set } = storage('jettonMinter');
    assert.equal(fieldPrompts(layout, set, 'none')[0]?.start, '0');
    const mint = [...set.structs.values()].find(({ name }) => name === 'Mint');
    assert.ok(mint);
    const starts = fieldPrompts(mint, set, 'none').map(({ field, start }) => [field.name, start]);
    assert.deepEqual(starts, [
      ['queryId', '0'],
      ['to', undefined],
      ['value', '0ton'],
      ['jettons', '0'],
    ]);
    assert.match(exampleOfLayout(mint, set, 'none'), /value: 0ton, jettons: 0\}/);
  });

  it('keeps an amount that is not nothing from looking like nothing in narrow rows', () => {
    assert.deepEqual([0n, 1n, 99_999n, 100_000n, 1_500_000_000n].map(shortCoins), [
      ...['0', '<0.0001', '<0.0001', '0.0001', '1.5'],
    ]);
  });
});
