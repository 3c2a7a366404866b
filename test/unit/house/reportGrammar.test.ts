import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';

interface Grammar {
  patterns: { match: string; name: string }[];
}

const { patterns } = JSON.parse(
  readFileSync(path.join(root, 'syntaxes/ton-report.tmLanguage.json'), 'utf8'),
) as Grammar;

/** The tokens of a line as an editor finds them: the earliest match, and of those the first pattern's. */
function tokens(line: string): [string, string][] {
  const found: [string, string][] = [];
  for (let at = 0; at < line.length;) {
    const matches = patterns.flatMap(({ match, name }) => {
      const pattern = new RegExp(match, 'gu');
      pattern.lastIndex = at;
      const result = pattern.exec(line);
      return result === null || result[0] === '' ? [] : [{ start: result.index, text: result[0], name }];
    });
    const first = matches.reduce<(typeof matches)[number] | undefined>(
      (best, one) => (best === undefined || one.start < best.start ? one : best),
      undefined,
    );
    if (first === undefined) {
      break;
    }
    found.push([first.text, first.name]);
    at = first.start + first.text.length;
  }
  return found;
}

describe('the colors of a report', () => {
  it('keeps a time together', () => {
    assert.deepEqual(tokens('when  2025-08-02 18:09:43 UTC'), [
      ['2025-08-02 18:09:43 UTC', 'constant.other.time.ton'],
    ]);
  });

  it('keeps a number with its groups together, and apart from its neighbor', () => {
    assert.deepEqual(
      tokens('gas 1 204 331  fee -0.0051  seqno 12').map(([text]) => text),
      ['1 204 331', '-0.0051', '12'],
    );
  });

  it('takes no part of a word, a hash or a version for a number', () => {
    assert.deepEqual(tokens('v5r1 wallet2 op0x1'), []);
  });
});
