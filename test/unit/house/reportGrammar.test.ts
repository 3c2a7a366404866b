import assert from 'node:assert/strict';
import { grammarTokens } from '../../support/grammarTokens';

const tokens = (line: string): [string, string][] => grammarTokens('ton-report', line);

describe('the colors of a report', () => {
  it('keeps a time together', () => {
    assert.deepEqual(tokens('when  2025-08-02 18:09:43 UTC'), [
      ['2025-08-02 18:09:43 UTC', 'constant.other.time.ton'],
    ]);
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
