import assert from 'node:assert/strict';
import { reportComment } from '../../../src/cli/report';
import type { ExplainedRun } from '../../../src/cli/test';

const place = { file: 'contracts/till.tolk', line: 7, text: 'throw 402;', function: 'pay' };
const record = { n: 3, kind: 'get' } as unknown as ExplainedRun['explained'][0]['about'];

const failedRun = {
  run: { status: 1, results: [{ state: 'passed' }, { state: 'failed' }, { state: 'skipped' }] },
  explained: [
    {
      result: {
        ...{ state: 'failed', name: 'pays | <img src=x> @all `out`' },
        message: `\u001b[31mAssertionError: 402 == 0\u001b[39m\n\n402 !== 0\n\n    at Context.<anonymous> (tests/till.spec.ts:12:3)\n    at more\n`,
      },
      ...{ file: 'tests/till.spec.ts', line: 12 },
      about: {
        ...{ ...record, words: 'message Pay on Till', exit: 'exit code 402 (ERR ``` no)' },
        thrown: { place, step: 9, values: [{ name: 'amount', value: '5' }], unknown: [] },
      },
    },
    { result: { state: 'failed', name: 'b' }, file: 'tests/b.ts', line: undefined, about: undefined },
  ],
  recordings: new Map(),
} as unknown as ExplainedRun;
const gas = {
  rows: [{ contract: 'Till', ran: 'Pay', runs: 2, least: 100, mean: 150, most: 200 }],
  changes: [
    { contract: 'Till', ran: 'Pay', before: 120, after: 150 },
    { contract: 'Till', ran: 'get-method left', before: 90, after: null },
  ],
  same: 3,
};
const lines = new Map([
  [1, 4],
  [2, 0],
]);
const files = [{ file: 'contracts/till.tolk', lines, functions: [], branches: [] }];

describe('the report for a pull request', () => {
  it('has the failed tests with their lines, gas, and coverage, and no markup of others', async () => {
    const text = await reportComment(failedRun, gas, { files });
    assert.match(text, /^<!-- ton-workbench report -->\n\n### ❌ 1 of 2 tests failed, 1 skipped\n/);
    assert.match(
      text,
      /pays &#124; &#60;img src=x&#62; &#64;all &#96;out&#96;\*\* \(tests\/till\.spec\.ts:12\)/,
    );
    assert.match(
      text,
      /````text\nAssertionError: 402 == 0\n\n402 !== 0\n\nmessage Pay on Till: exit code 402[\s\S]*till\.tolk:7[\s\S]*````/,
    );
    assert.doesNotMatch(text, /Context\.<anonymous>/);
    assert.match(text, /It ran no transaction and no get-method\./);
    assert.match(text, /\| Till \| Pay \| 2 \| 100 \| 150 \| 200 \|/);
    assert.match(
      text,
      /\*\*Gas: 2 changed, 3 the same\*\*\n\n\|[^]*\| Till \| Pay \| 120 \| 150 \| \+25\.0 % \|/,
    );
    assert.match(text, /\| Till \| get-method left \| 90 \| {2}\| gone \|/);
    assert.match(text, /\| contracts\/till\.tolk \| 1 of 2 \| - \| 2 \|/);
  });

  it('says when all is well, and when nothing but the runner failed', async () => {
    const run = { status: 0, results: [{ state: 'passed' }] };
    const good = { ...failedRun, run, explained: [] } as unknown as ExplainedRun;
    assert.match(await reportComment(good, { rows: [] }, { files: [] }), /### ✅ 1 test passed$/);
    const bad = { ...good, run: { ...run, status: 3 } } as unknown as ExplainedRun;
    assert.match(
      await reportComment(bad, { rows: [] }, { files: [] }),
      /### ❌ The tests ended with status 3$/,
    );
  });
});
