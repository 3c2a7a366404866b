import assert from 'node:assert/strict';
import { foundState } from '../../../src/toolkit/workflows/foundState';

describe('what was found in a folder', () => {
  it('is asked about once, when nothing was found twice', () => {
    let state = foundState(undefined, false);
    assert.deepEqual(state, { kept: 1, isOffered: false });
    state = foundState(state.kept, false);
    assert.deepEqual(state, { kept: 'found', isOffered: true });
    assert.deepEqual(foundState(state.kept, false), { kept: 'found', isOffered: false });
  });

  it('is not asked about once something was', () => {
    const { kept } = foundState(1, true);
    assert.deepEqual(foundState(kept, false), { kept: 'found', isOffered: false });
  });
});
