import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { resolveAccount } from '../../../src/toolkit/address/resolveAccount';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { Address } from '@ton/core';

const alice = namedAccounts[0]!.address;
const counter = `0:${'7a'.repeat(32)}`;
const names = new Map([
  ['alice', alice],
  ['bob', namedAccounts[1]!.address],
  ['Counter', counter],
]);

const errorOf = (text: string, known: ReadonlyMap<string, string> = names): WorkbenchError => {
  try {
    resolveAccount(text, known);
  } catch (error) {
    assert.ok(error instanceof WorkbenchError);
    return error;
  }
  throw new Error(`${text} was taken`);
};

describe('the account that a text refers to', () => {
  for (const text of ['alice', '@alice', ' alice ']) {
    it(`is the named one for ${JSON.stringify(text)}`, () =>
      assert.equal(resolveAccount(text, names), alice));
  }

  it('is that of an address in any form', () => {
    const address = Address.parse(counter);
    const forms = [
      counter,
      counter.toUpperCase(),
      address.toString(),
      address.toString({ bounceable: false, testOnly: true }),
      address.toString({ urlSafe: false }),
    ];
    forms.forEach((text) => assert.equal(resolveAccount(text, new Map()), counter, text));
  });

  it('is raw and in lower case for a name whose address has another form', () => {
    const kept = new Map([['minter', Address.parse(counter).toString()]]);
    assert.equal(resolveAccount('@minter', kept), counter);
  });

  it('is that of the only name with the same letters, however its words are joined', () => {
    const two = new Map([
      ['FuncCounter', '0:'.padEnd(66, '1')],
      ['Vote-1', '0:'.padEnd(66, '2')],
      ['vote1', '0:'.padEnd(66, '3')],
    ]);
    for (const text of ['func_counter', '@Func-Counter', 'FUNCCOUNTER']) {
      assert.equal(resolveAccount(text, two), two.get('FuncCounter'));
    }
    assert.equal(resolveAccount('vote1', two), two.get('vote1'));
    assert.throws(() => resolveAccount('VOTE_1', two), { code: 'account-unknown' });
  });

  it('is suggested if the name is a typo', () => {
    const error = errorOf('alcie');
    assert.deepEqual(
      [error.code, error.kind, error.message, error.hint],
      ['account-unknown', 'input', 'No account is called “alcie”.', 'Did you mean alice?'],
    );
    assert.equal(errorOf('countre').hint, 'Did you mean Counter?');
  });

  it('is one of the known names, which are listed if none is close', () => {
    assert.match(errorOf('treasury').hint ?? '', /EQ….*Known here: alice, bob, Counter\./);
    assert.doesNotMatch(errorOf('treasury', new Map()).hint ?? '', /Known here/);
  });

  it('is rejected as an address if the text cannot be a name', () => {
    assert.equal(errorOf('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDx').code, 'address-invalid');
    assert.equal(errorOf('0:12').code, 'address-invalid');
    assert.equal(errorOf('@').message, 'A name is missing after @.');
  });
});
