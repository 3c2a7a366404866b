import assert from 'node:assert/strict';
import { readStart } from '../../../src/toolkit/trace/traceActions';

describe('the start of a time filter', () => {
  const now = Date.UTC(2026, 10, 21, 12);

  it('may be a duration before now', () => {
    assert.equal(readStart('90m', now), now / 1000 - 5400);
    assert.equal(readStart(' 2h ', now), now / 1000 - 7200);
    assert.equal(readStart('3d', now), now / 1000 - 3 * 86_400);
  });

  it('may be a date in local time', () => {
    assert.equal(readStart('2026-11-20', now), new Date(2026, 10, 20).getTime() / 1000);
    assert.equal(readStart('2026-11-20 18:30', now), new Date(2026, 10, 20, 18, 30).getTime() / 1000);
  });

  it('may be nothing else', () => {
    for (const text of ['', '2', '2w', 'yesterday', '2026-13-40', '20-11-2026', '-2h']) {
      assert.equal(readStart(text, now), undefined, text);
    }
  });
});
