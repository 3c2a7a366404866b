import assert from 'node:assert/strict';
import { accountNameProblem } from '../../../src/toolkit/address/shortAddress';

const minter = `0:${'12'.repeat(32)}`;
const names = new Map([['minter', minter]]);

describe('the name of a contract', () => {
  for (const name of ['counter', 'my-pool_2', 'A', 'minter']) {
    it(`may be ${name}`, () => assert.equal(accountNameProblem(name, minter, names), undefined));
  }
  for (const name of ['', '2nd', 'a b', '@x', 'ä', 'x'.repeat(25)]) {
    it(`may not be ${JSON.stringify(name)}`, () =>
      assert.match(accountNameProblem(name, minter, names) ?? '', /Start with a letter/));
  }
  it('belongs to a single account', () => {
    assert.equal(
      accountNameProblem('minter', `0:${'34'.repeat(32)}`, names),
      'minter is already the name of EQASEh…EuHS.',
    );
  });
});
