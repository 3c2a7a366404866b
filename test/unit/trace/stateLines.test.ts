import assert from 'node:assert/strict';
import { beginCell } from '@ton/core';
import type { Cell } from '@ton/core';
import { modelFrom } from '../../support/modelFrom';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { transactionText } from '../../../src/toolkit/trace/transactionText';
import type { V3AccountStateWire as V3AccountState } from '../../../src/toolkit/api/v3Objects';
import { chain, syntheticTrace } from './syntheticTrace';

const boc = (cell: Cell): string => cell.toBoc().toString('base64');
const hash = (cell: Cell): string => cell.hash().toString('base64');
const hex = (cell: Cell): string => cell.hash().toString('hex');
const owner = beginCell().storeUint(0xabcd, 16).endCell();
const data = (count: number): Cell => beginCell().storeUint(count, 64).storeRef(owner).endCell();
const code = beginCell().storeUint(0xff00, 16).endCell();

/** The document of a transaction whose account went from one state to the other. */
function documentOf(before: V3AccountState | null, after: V3AccountState | null): string {
  const trace = syntheticTrace(1, chain);
  const [row] = Object.values(trace.transactions ?? {});
  assert.ok(row);
  row.account_state_before = before;
  row.account_state_after = after;
  const context = new TraceContext(modelFrom(trace));
  const [node] = context.model.nodes;
  assert.ok(node);
  const text = transactionText(node, context);
  return text.slice(text.indexOf('Account state'), text.indexOf('\nAll fields of the answer\n'));
}

const state = (balance: string, count: number, withCells: boolean, program = code): V3AccountState => ({
  hash: hash(beginCell().storeUint(count, 8).endCell()),
  balance,
  account_status: 'active',
  code_hash: hash(program),
  data_hash: hash(data(count)),
  ...(withCells ? { code_boc: boc(program), data_boc: boc(data(count)) } : {}),
});

describe('the account before and after a transaction', () => {
  it('is compared cell by cell if the answer has the cells', () => {
    const text = documentOf(state('1000', 1, true), state('900', 2, true));
    assert.match(text, /balance +0\.000001 → 0\.0000009 TON \(-0\.0000001\)/);
    assert.match(text, /status +active, unchanged/);
    assert.match(text, /code +unchanged/);
    const [, changes = ''] = /data, cell by cell\n([^]*)/.exec(text) ?? [];
    assert.match(changes, /^ *- .*x\{0000000000000001\}/m);
    assert.match(changes, /^ *\+ .*x\{0000000000000002\}/m);
    assert.doesNotMatch(changes, /^ *[-+].*x\{ABCD\}/im, 'the cell that stayed is no difference');
    assert.doesNotMatch(text, /code, cell by cell/);
  });

  it('compares the code too when a contract replaces it', () => {
    const other = beginCell().storeUint(0xff01, 16).endCell();
    const text = documentOf(state('1', 1, true), state('1', 1, true, other));
    const [, changes = ''] = /code, cell by cell\n([^]*)/.exec(text) ?? [];
    assert.match(changes, /x\{FF00\}[^]*x\{FF01\}/i);
    assert.match(text, /data +unchanged/);
  });

  it('is known to have changed by its hashes if the answer has only those', () => {
    const text = documentOf(state('1000', 1, false), state('1000', 2, false));
    const changed = `changed, ${hex(data(1))} → ${hex(data(2))}`;
    assert.ok(text.includes(changed));
    assert.match(text, /only the hashes/);
    assert.doesNotMatch(text, /cell by cell\n/);
  });

  it('says what is unknown about a state that was not indexed, and if there are no states', () => {
    const bare: V3AccountState = {
      hash: hash(code),
      balance: null,
      account_status: null,
      code_hash: null,
      data_hash: null,
    };
    const text = documentOf(bare, state('5', 1, false));
    assert.match(text, /balance +unknown → 0\.000000005 TON/);
    assert.match(text, /data +unknown: the answer has only the hash of the state before/);
    assert.match(documentOf(null, null), /the answer has no states/);
  });

  it('says if one of the two cannot be read', () => {
    const text = documentOf(state('1', 1, true), { ...state('1', 2, true), data_boc: 'AAAA' });
    assert.match(text, /data, cell by cell: one of the two bags of cells cannot be read/);
  });
});
