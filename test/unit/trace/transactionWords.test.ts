import assert from 'node:assert/strict';
import { codeMeaning } from '../../../src/toolkit/trace/transactionText';
import { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { modelFrom } from '../../support/modelFrom';
import { chain, syntheticTrace } from './syntheticTrace';

/** What is said of the transaction at this place of a chain, if it ran out of gas with these figures. */
function meaningAt(place: number, compute: object, value?: string): string {
  const trace = syntheticTrace(2, chain);
  const row = Object.values(trace.transactions ?? {})[place];
  assert.ok(row?.description);
  row.description.compute_ph = { ...row.description.compute_ph, success: false, exit_code: -14, ...compute };
  if (value !== undefined && row.in_msg != null) {
    row.in_msg.value = value;
  }
  const model = modelFrom(trace);
  const node = model.nodes[place];
  assert.ok(node);
  return codeMeaning(node, new TraceContext(model));
}

describe('a transaction that ran out of gas', () => {
  it('is told to carry more coins only if they would have helped', () => {
    const paid = { gas_fees: '4000000', gas_limit: '10000' };
    assert.match(meaningAt(1, paid, '4100000'), /send more coins with it/);
    const most = meaningAt(1, { gas_fees: '400000000', gas_limit: '1000000' }, '5000000000');
    assert.match(most, /more coins do not help/);
    assert.doesNotMatch(most, /send more coins/);
  });

  it('is not told to carry coins if an external message, which brings none, began it', () => {
    assert.match(meaningAt(0, { gas_limit: '0', gas_credit: 10_000 }), /before the contract accepts it/);
    const accepted = meaningAt(0, { gas_limit: '1000000', gas_credit: 10_000 });
    assert.match(accepted, /contract's balance/);
    assert.doesNotMatch(accepted, /send more coins/);
  });
});
