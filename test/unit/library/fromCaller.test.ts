import assert from 'node:assert/strict';
import { fromCaller, toldAt } from '../../../src/library/fromCaller';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

const failed = (hint?: string): WorkbenchError =>
  new WorkbenchError({ code: 'usage', kind: 'input', message: 'It failed.', hint, details: { at: 1 } });

describe('an error of a function that tests call', () => {
  const approve = (error: Error): Promise<never> =>
    fromCaller(approve, async () => {
      await Promise.resolve();
      throw error;
    });

  it('has a stack that begins at the caller, and the next step in its message', async () => {
    async function theTest(): Promise<void> {
      await approve(failed('Do that.'));
    }
    const error = await theTest().catch((one: unknown) => one as WorkbenchError);
    assert.ok(error instanceof WorkbenchError);
    assert.deepEqual(
      [error.code, error.kind, error.message, error.details],
      ['usage', 'input', 'It failed. Do that.', { at: 1 }],
    );
    const [head, first] = (error.stack ?? '').split('\n');
    assert.equal(head, 'WorkbenchError: It failed. Do that.');
    assert.match(first ?? '', /at (?:async )?theTest \(.*fromCaller\.test/);
  });

  it('stays the same error if it is another one', async () => {
    const error = new TypeError('no');
    await assert.rejects(approve(error), (told) => told === error);
    assert.match(error.stack ?? '', /^TypeError: no\n +at .*fromCaller\.test/);
  });

  it('has no stack if no line of a test has called', () => {
    const { stack } = toldAt(failed('Do that.'), []) as WorkbenchError;
    assert.equal(stack, 'WorkbenchError: It failed. Do that.');
  });
});
