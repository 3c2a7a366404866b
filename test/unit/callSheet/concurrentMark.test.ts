import assert from 'node:assert/strict';
import { parseCallSheet } from '../../../src/toolkit/callSheet/parseCallSheet';

const problemsOf = (text: string): string[] => parseCallSheet(text).problems.map(({ message }) => message);
const two = 'send bob 1ton from alice\nsend alice 1ton from bob\n';

describe('concurrent scenarios of a call sheet', () => {
  it('mark their steps, with the order that they keep', () => {
    const { steps, problems } = parseCallSheet(
      `### a\n@concurrent 2.10.1  # kept\n${two}### b\n@concurrent\n${two}`,
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(
      steps.map(({ concurrent }) => [concurrent?.order?.text, concurrent?.order?.offset]),
      [
        ['2.10.1', 18],
        ['2.10.1', 18],
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
  });

  it('have their messages together, below deployments and above calls', () => {
    assert.deepEqual(problemsOf(`### a\n@concurrent\nalice seqno()\n${two}bob seqno()\nexpect 0 == 1\n`), []);
    assert.deepEqual(problemsOf('### a\n@concurrent\nsend bob 1ton\nalice seqno()\nsend bob 1ton\n'), [
      'Concurrent messages are sent together: nothing happens between them, and nothing is deployed after them.',
    ]);
    assert.match(
      problemsOf(`### a\n@concurrent\n${two}deploy a.tolk as A\n`).join(),
      /nothing is deployed after/,
    );
    assert.deepEqual(
      problemsOf('### a\n@concurrent\nsend bob 1ton\nexpect bob seqno() == 1\nsend bob 1ton\n'),
      ['Answers are checked once all concurrent messages are delivered.'],
    );
    assert.deepEqual(problemsOf('### a\n@concurrent\nsend bob 1ton\n'), [
      'Concurrent messages are at least two.',
    ]);
  });

  it('are marked between their title and their first step, and a variable may be called so', () => {
    assert.deepEqual(problemsOf(`@concurrent\n${two}`), ['This goes between a ### line and its first step.']);
    assert.deepEqual(problemsOf(`### a\n${two}@concurrent\n`), [
      'This goes between a ### line and its first step.',
    ]);
    assert.deepEqual(problemsOf('@concurrent = 5\nalice seqno()\nexpect 0 == @concurrent\n'), []);
  });
});
