import assert from 'node:assert/strict';
import {
  checkApproveOptions,
  checkRejectOptions,
  checkRelay,
  checkTonOptions,
} from '../../../src/library/checkTonOptions';
import type { WorkbenchError } from '../../../src/toolkit/base/errors';

const known = ['alice', 'bob'];

/** The code and the texts of what is thrown. */
function refusal(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    const { code, message, hint } = error as WorkbenchError;
    return `${code}: ${message} ${hint}`;
  }
  return 'nothing was refused';
}

describe('the options of a test with a wallet', () => {
  it('have defaults', () => {
    assert.deepEqual(checkTonOptions({}, known), { accounts: ['alice'], approve: 'ask', features: [] });
    const given = { accounts: ['bob', 'alice'], approve: 'none', features: ['v2', '4-messages'] };
    assert.deepEqual(checkTonOptions(given, known), given);
    assert.deepEqual(checkApproveOptions(undefined), { decision: 'approve', timeout: undefined });
    assert.deepEqual(checkRejectOptions(undefined), { timeout: undefined });
    assert.deepEqual(checkRelay(undefined, undefined), { number: undefined, way: 'submit' });
  });

  it('are refused if they are not known, with those that are', () => {
    const cases: [unknown, RegExp][] = [
      [
        { account: 'bob' },
        /^usage: ton has no option "account"\. It takes these: accounts, approve, features\.$/,
      ],
      [{ approve: 'al' }, /^usage: ton\.approve cannot be "al"\. Give one of these: ask, all, none\.$/],
      [
        { features: ['v1'] },
        /^wallet-features-unknown: .*"v1"\. Give some of these.*: all, v2, no-sign-message/,
      ],
      [{ features: 'v2' }, /^usage: ton\.features is not a list of names: "v2"\..* all, v2, no-sign-message/],
      [{ accounts: 'bob' }, /^usage: ton\.accounts is not a list of names: "bob"\..*: alice, bob\.$/],
      [{ accounts: [] }, /^usage: ton\.accounts is empty\. Give at least one of these: alice, bob\.$/],
      [{ accounts: ['bob', 'zoe'] }, /^wallet-account-unknown: .*"zoe"\. It has: alice, bob\.$/],
      ['bob', /^usage: The options of ton are not an object: "bob"\./],
    ];
    for (const [given, told] of cases) {
      assert.match(
        refusal(() => checkTonOptions(given, known)),
        told,
      );
    }
  });
});

describe('what a test decides', () => {
  it('is a decision of the command line', () => {
    for (const decision of ['reject', 'wrong-network', { decision: 'answer-late', seconds: 3 }]) {
      assert.deepEqual(checkApproveOptions({ decision, timeout: 5 }), { decision, timeout: 5 });
    }
    assert.equal(checkApproveOptions({ decision: { decision: 'answer-late' } }).decision, 'answer-late');
  });

  it('is never taken for an approval if it is misspelled', () => {
    const decisions =
      /approve, reject, approve-lose-answer, answer-late, answer-twice, wrong-network, connect-only/;
    for (const decision of ['rejct', '', null, 0, { decision: 'answer-late', seconds: -1 }, ['approve']]) {
      const told = refusal(() => checkApproveOptions({ decision }));
      assert.match(told, /^usage: .* is not a decision\./);
      assert.match(told, decisions);
    }
    assert.match(
      refusal(() => checkApproveOptions({ desicion: 'reject' })),
      /^usage: approve has no option "desicion"\. It takes these: decision, timeout\.$/,
    );
    assert.match(
      refusal(() => checkApproveOptions('reject')),
      /^usage: The options of approve are not an object/,
    );
  });

  it('waits for a time that there is', () => {
    for (const timeout of [0, -1, Infinity, Number.NaN, '5', 2 ** 31]) {
      assert.match(
        refusal(() => checkRejectOptions({ timeout })),
        /^usage: .* is not a timeout\. Give milliseconds/,
      );
    }
  });

  it('is relayed in a way of the command line', () => {
    assert.deepEqual(checkRelay(3, 'let-expire'), { number: 3, way: 'let-expire' });
    assert.match(
      refusal(() => checkRelay(3, 'sumbit')),
      /^usage: .* cannot be "sumbit"\. Give one of these: submit, submit-twice, let-expire\.$/,
    );
    assert.match(
      refusal(() => checkRelay('submit-twice', undefined)),
      /^usage: "submit-twice" is not the number of a request\. .*relay\(undefined, way\)/,
    );
  });
});
