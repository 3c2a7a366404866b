import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { readFollowTarget } from '../../../src/toolkit/trace/readFollowTarget';

const [one, two] = ['ab'.repeat(32), 'cd'.repeat(32)];
const alice = `0:${'12'.repeat(32)}`;

describe('a target to follow', () => {
  it('is one hash or several', () => {
    assert.deepEqual(readFollowTarget(one), { hashes: [one] });
    assert.deepEqual(readFollowTarget(`  ${one}\n${two} `), { hashes: [one, two] });
  });
  it('is an account, by its address or name', () => {
    assert.deepEqual(readFollowTarget(alice), { account: alice });
    assert.deepEqual(readFollowTarget('@alice', new Map([['alice', alice]])), { account: alice });
  });
  it('is not two accounts', () => {
    assert.throws(
      () => readFollowTarget(`${alice} 0:${'34'.repeat(32)}`),
      (error: unknown) =>
        WorkbenchError.is(error, 'trace-query-invalid') && /one account/.test(error.message),
    );
  });
});
