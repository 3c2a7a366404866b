import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { limits, overLimitError, WorkBudget } from '../../../src/toolkit/base/limits';
import { renderLimitsDocument } from '../../../scripts/lib/renderLimitsDocument';

describe('limits on outside input', () => {
  it('are stated in words, with the number', () => {
    const error = overLimitError('dictionaryCells', { what: 'The content of the token' });
    assert.equal(error.code, 'over-limit');
    assert.equal(error.message, 'The content of the token has more than 20,000 cells.');
    assert.deepEqual(error.details, { limit: 'dictionaryCells', most: 20_000, unit: 'cells' });
  });

  it('end a walk at the first step beyond', () => {
    const budget = new WorkBudget('dictionaryCells');
    budget.spend(limits.dictionaryCells.most);
    assert.throws(
      () => budget.spend(),
      (error) => WorkbenchError.is(error, 'over-limit'),
    );
  });

  it('have words and a positive number each', () => {
    for (const [name, { input, most, unit }] of Object.entries(limits)) {
      assert.ok(Number.isSafeInteger(most) && most > 0, name);
      assert.match(input, /^[a-zA-Z]/, name);
      assert.match(unit, /^[a-z]/, name);
    }
  });

  it('are listed in docs/limits.md as written by npm run docs', () => {
    assert.equal(
      readFileSync(path.join(root, 'docs/limits.md'), 'utf8').replaceAll('\r\n', '\n'),
      renderLimitsDocument(),
    );
  });
});
