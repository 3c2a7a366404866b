import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { renderApiDocument } from '../../../scripts/lib/renderApiDocument';

describe('docs/api.md', () => {
  it('matches the tables (npm run docs writes it)', () => {
    assert.equal(readFileSync(path.join(root, 'docs/api.md'), 'utf8'), renderApiDocument());
  });
});
