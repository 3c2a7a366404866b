import assert from 'node:assert/strict';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { exampleContract, exampleSteps } from '../../../src/toolkit/callSheet/exampleSteps';
import { parseCallSheet } from '../../../src/toolkit/callSheet/parseCallSheet';
import { projectLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';
import { counterSource } from '../../support/counterSource';
import { vaultSource } from '../../support/vaultSource';

describe('the example of a new call sheet', () => {
  const files = [
    { path: 'contracts/vault.tolk', text: vaultSource },
    { path: 'contracts/my counter.tolk', text: counterSource(1) },
    { path: 'contracts/bare.fc', text: '() recv_internal(int value, cell message, slice body) impure { }' },
    { path: 'build/counter.compiled.json', text: '{}' },
  ];
  const stepsOf = async (inUse: string | undefined): Promise<string[]> => {
    const contracts = await readProject(files);
    const contract = exampleContract(contracts, inUse, (file) => file.endsWith('.tolk'));
    return contract === undefined
      ? []
      : exampleSteps(contract, contract.file, await projectLayouts(contracts), 'alice');
  };

  it('deploys the contract in use with its fields, sends its first message, and calls its first get-method', async () => {
    const steps = await stepsOf('contracts/vault.tolk');
    assert.deepEqual(steps.slice(0, 2), ['### Vault: whatever this does is undone at its end', '@restore']);
    assert.match(steps[2] ?? '', /^deploy contracts\/vault\.tolk \{owner: alice, .*\} as Vault$/);
    assert.match(
      steps[3] ?? '',
      /^send Vault AddGuardian \{queryId: 0, who: alice, weight: 0\} 0\.1ton from alice$/,
    );
    assert.match(steps[5] ?? '', /^Vault \w+\(\)$/);
  });

  it('takes the first source that can be compiled if none is in use', async () => {
    const steps = await stepsOf('README.md');
    assert.match(steps[2] ?? '', /^deploy "contracts\/my counter\.tolk" \{.*\} as MyCounter$/);
    assert.deepEqual(await stepsOf('contracts/bare.fc'), steps);
  });

  it('is a call sheet without problems', async () => {
    for (const inUse of ['contracts/vault.tolk', undefined]) {
      const sheet = parseCallSheet((await stepsOf(inUse)).join('\n'));
      assert.deepEqual(sheet.problems, []);
      assert.deepEqual(
        sheet.steps.map(({ kind }) => kind),
        ['deploy', 'send', 'call'],
      );
    }
  });
});
