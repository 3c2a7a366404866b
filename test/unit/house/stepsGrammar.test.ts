import assert from 'node:assert/strict';
import { grammarTokens } from '../../support/grammarTokens';

const tokens = (line: string): [string, string][] => grammarTokens('ton-steps', line);

describe('the colors of steps', () => {
  it('tell the instruction from its position and line', () => {
    const named = (line: string): Record<string, string> =>
      Object.fromEntries(tokens(line).map(([text, scope]) => [scope, text]));
    const plain = named('      5  6e548087:24   THROWIF 0     26     999662  7');
    assert.equal(plain['comment.position.ton'], '6e548087:24');
    assert.equal(plain['keyword.other.instruction.ton'], 'THROWIF');
    const placed = named('      5  6e548087:24   till.tolk:8    LEQ     18     999213  7');
    assert.equal(placed['variable.other.place.ton'], 'till.tolk:8');
    assert.equal(placed['keyword.other.instruction.ton'], 'LEQ');
    const own = named('      6                 implicit RET     5     999657  7');
    assert.equal(own['keyword.other.instruction.ton'], 'implicit RET');
  });

  it('mark an exception and a list of steps that did not happen', () => {
    assert.deepEqual(
      tokens('                exit code 402: nothing caught this exception').map(([, scope]) => scope),
      ['markup.deleted.ton'],
    );
    assert.deepEqual(
      tokens('steps of the edited replay of Till: this did not happen').map(([, scope]) => scope),
      ['markup.changed.ton'],
    );
  });
});
