import assert from 'node:assert/strict';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import type { RecordedDeployment } from '../../../src/toolkit/project/deployments';
import {
  deployedAccounts,
  deploymentsFile,
  deploymentsText,
  parseDeployments,
  withDeployment,
} from '../../../src/toolkit/project/deployments';

const one: RecordedDeployment = {
  name: 'Counter',
  address: `0:${'ab'.repeat(32)}`,
  codeHash: 'cd'.repeat(32),
  time: '2026-11-27T12:00:00.000Z',
};

function problems(text: string): unknown {
  try {
    parseDeployments(text, 'deployments/testnet.json');
  } catch (error) {
    return WorkbenchError.is(error, 'deployments-invalid') ? error.details['lines'] : error;
  }
  return [];
}

describe('a record of deployments', () => {
  it('keeps each deployment once, in order, with what others have added by hand', () => {
    const first = withDeployment(undefined, 'testnet', one)!;
    assert.equal(withDeployment(first, 'testnet', one), undefined);
    const known = withDeployment(first, 'testnet', { ...one, transaction: 'ef'.repeat(32) })!;
    assert.deepEqual(known.deployments, [{ ...one, transaction: 'ef'.repeat(32) }]);
    const byHand = parseDeployments(
      deploymentsText(known).replace('"name"', '"note": "ours",\n      "name"'),
      'f',
    );
    const second = withDeployment(byHand, 'testnet', { ...one, address: `0:${'01'.repeat(32)}` })!;
    assert.deepEqual(
      second.deployments.map(({ address, ...rest }) => [address.slice(0, 4), rest['note']]),
      [
        ['0:ab', 'ours'],
        ['0:01', undefined],
      ],
    );
    assert.deepEqual([...deployedAccounts(second)], [['Counter', `0:${'01'.repeat(32)}`]]);
    assert.deepEqual(parseDeployments(deploymentsText(second), 'f'), second);
    assert.deepEqual(['Testnet', 'My Net/1', '..'].map(deploymentsFile), [
      ...['testnet.json', 'my-net-1.json', 'network.json'],
    ]);
  });

  it('tells every problem with its line', () => {
    const text = deploymentsText(withDeployment(undefined, 'testnet', one)!);
    assert.deepEqual(problems(text), []);
    assert.deepEqual(problems(text.replace('  "version"', '<<<<<<< ours\n  "version"')), [2]);
    assert.deepEqual(problems(text.replace('"0:abab', '"abab')), [7]);
    assert.deepEqual(problems(text.replace('"Counter"', '"Coun ter"').replace('"2026', '"26')), [6, 9]);
    assert.deepEqual(problems(text.replace('"name":', '"name"')), [6]);
    assert.deepEqual(problems('{"version": 1}'), [1]);
    assert.deepEqual(problems(text.slice(0, -4)), [text.split('\n').length - 2]);
  });
});
