import assert from 'node:assert/strict';
import { keepNegativeNumbers } from '../../../src/cli/commandLine';
import { errorLine, exitStatusOf } from '../../../src/cli/output';
import { WorkbenchError } from '../../../src/toolkit/errors';

describe('cli: the contract of every command', () => {
  it('ends with the status of the error kind', () => {
    const kinds = ['failed', 'input', 'network', 'service', 'internal'] as const;
    assert.deepEqual(kinds.map(exitStatusOf), [1, 2, 3, 4, 1]);
  });

  it('prints an error as one line with code and message only, the next step inside the message', () => {
    const error = new WorkbenchError({
      code: 'some-code',
      kind: 'input',
      message: 'First line\nsecond.',
      hint: 'Do this.',
      details: { secret: 'no' },
    });
    assert.ok(!errorLine(error).includes('\n'));
    assert.deepEqual(JSON.parse(errorLine(error)), {
      code: 'some-code',
      message: 'First line\nsecond. Do this.',
    });
  });

  it('names the position of what is wrong in the input', () => {
    const error = new WorkbenchError({ code: 'c', kind: 'input', message: 'Wrong.', details: { offset: 4 } });
    assert.deepEqual(JSON.parse(errorLine(error)), { code: 'c', message: 'Position 5: Wrong.' });
  });

  it('keeps negative numbers apart from options', () => {
    assert.deepEqual(keepNegativeNumbers(['run', '-1', '-0x2a', '-1.5ton', '-n', '--json', '-.5ton', '-']), [
      'run',
      ' -1',
      ' -0x2a',
      ' -1.5ton',
      '-n',
      '--json',
      ' -.5ton',
      '-',
    ]);
  });
});
