import assert from 'node:assert/strict';
import { explainExitCode, skipReasons } from '../../src/toolkit/exitCodes';

describe('exit codes', () => {
  it('tells the same number apart by phase', () => {
    assert.equal(explainExitCode(34, 'action')?.name, 'invalid action');
    assert.equal(explainExitCode(34, 'compute')?.name, 'wrong wallet id');
    assert.equal(explainExitCode(37, 'action')?.name, 'not enough coins');
    assert.equal(explainExitCode(37, 'compute'), undefined);
  });

  it('is certain about the machine and the phases, not about contracts', () => {
    assert.equal(explainExitCode(9, 'compute')?.certain, true);
    assert.equal(explainExitCode(-14, 'compute')?.name, explainExitCode(13, 'compute')?.name);
    assert.equal(explainExitCode(73, 'compute')?.certain, false);
    assert.equal(explainExitCode(12345, 'compute'), undefined);
  });

  it('knows what servers answer where nothing ran', () => {
    assert.equal(explainExitCode(-13, 'get-method')?.name, 'no contract');
    assert.equal(explainExitCode(-13, 'compute'), undefined);
    assert.deepEqual([...skipReasons.keys()].sort(), ['bad_state', 'no_gas', 'no_state', 'suspended']);
  });
});
