import assert from 'node:assert/strict';
import { grammarTokens } from '../../support/grammarTokens';

const tokens = (line: string): [string, string][] => grammarTokens('ton-report', line);

describe('the colors of a report', () => {
  it('keeps a time together', () => {
    assert.deepEqual(tokens('when  2025-08-02 18:09:43 UTC'), [
      ['2025-08-02 18:09:43 UTC', 'constant.other.time.ton'],
    ]);
  });

  it('keeps the time of a delivery, a URL, and a host together', () => {
    assert.deepEqual(tokens('1.1  2026-11-22T14:08:59.963Z  500'), [
      ['1.1', 'constant.numeric.ton'],
      ['2026-11-22T14:08:59.963Z', 'constant.other.time.ton'],
      ['500', 'constant.numeric.ton'],
    ]);
    assert.deepEqual(tokens('to  http://127.0.0.1:36119/mine?a=5'), [
      ['http://127.0.0.1:36119/mine?a=5', 'meta.url.ton'],
    ]);
    assert.deepEqual(tokens('check of 127.0.0.1:3000'), [['127.0.0.1:3000', 'meta.host.ton']]);
  });

  it('colors a type, but no label of the same name', () => {
    assert.deepEqual(tokens('  in   0 who  address  bob'), [
      ['  in', 'keyword.other.section.ton'],
      ['0', 'constant.numeric.ton'],
      ['address', 'storage.type.ton'],
    ]);
    assert.deepEqual(tokens('  address  alice'), [['  address', 'meta.label.ton']]);
    assert.deepEqual(tokens('      address=alice'), [['      address', 'meta.label.ton']]);
    assert.deepEqual(tokens('  state    active'), []);
    assert.deepEqual(tokens('number of actions  none'), []);
  });

  it('keeps a grouped number together, and apart from its neighbor', () => {
    assert.deepEqual(
      tokens('gas 1 204 331  fee -0.0051  seqno 12').map(([text]) => text),
      ['1 204 331', '-0.0051', '12'],
    );
  });

  it('does not take part of a word, a hash, or a version for a number', () => {
    assert.deepEqual(tokens('v5r1 wallet2 op0x1'), []);
  });
});
