import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installClients } from '../../scripts/lib/installClients.mjs';
import { newContractKinds, newContractLanguages } from '../../src/toolkit/project/newContract';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetHere } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';

interface Made {
  files: string[];
  sheet: string;
  test: string;
  packages: string[];
  compiler: string | null;
}

describe('new', () => {
  let localnet: LocalnetCommand;
  let folder: string;

  const here = (...args: string[]): Promise<CommandLineRun> => runCommandLine(args, {}, folder);

  before(async () => {
    localnet = await startLocalnetHere();
  });
  after(() => localnet.stop());
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-new-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const { kind, languages } of newContractKinds) {
    for (const language of languages) {
      it(`${kind} in ${newContractLanguages[language].label}: its call sheet and its test pass`, async () => {
        const made = await here('new', kind, '--language', language, '--json');
        assert.equal(made.status, 0, made.stderr);
        const { sheet, test, packages, compiler } = JSON.parse(made.stdout) as Made;
        if (compiler !== null) {
          const without = await here('run', sheet, '--network', localnet.origin);
          assert.notEqual(without.status, 0, 'it says that it needs a compiler');
          assert.match(without.stderr + without.stdout, new RegExp(compiler));
        }
        // What `npm install` would put there: everything the test says that it needs.
        await symlink(
          path.join(await installClients(), 'node_modules'),
          path.join(folder, 'node_modules'),
          'junction',
        );
        const ran = await here('run', sheet, '--network', localnet.origin);
        assert.equal(ran.status, 0, ran.stdout + ran.stderr);
        assert.match(ran.stdout, /^scenarios: 3 passed, 0 failed$/m);
        const text = await readFile(path.join(folder, test), 'utf8');
        const imported = [...text.matchAll(/from '(@[^']+)'/g)].map(([, name]) => name);
        assert.deepEqual(
          imported.filter((name) => !packages.includes(name ?? '')),
          [],
          'every package is named',
        );
        await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
        const tested = await here('test', '--json');
        const { runner, passed, records } = JSON.parse(tested.stdout) as Record<string, string | number>;
        assert.deepEqual([tested.status, runner, passed], [0, 'node', 3], tested.stderr);
        assert.ok(Number(records) >= 3, `${records} records`);
      });
    }
  }

  it('overwrites nothing, and writes nothing if one of the files is there', async () => {
    await writeFile(path.join(folder, 'counter.toncall'), 'mine');
    const refused = await here('new', 'counter');
    assert.deepEqual([refused.status, lastError(refused).code], [2, 'usage']);
    assert.match(lastError(refused).message, /^counter\.toncall exists already\. Nothing was written\./);
    assert.equal(await readFile(path.join(folder, 'counter.toncall'), 'utf8'), 'mine');
    await assert.rejects(readFile(path.join(folder, 'contracts/counter.tolk')));
  });

  it('says which languages a contract is not offered in, and what to do next', async () => {
    const refused = await here('new', 'jetton', '--language', 'func');
    assert.deepEqual([refused.status, lastError(refused).code], [2, 'usage']);
    assert.match(lastError(refused).message, /^A jetton in FunC is not offered\./);
    const made = await here('new', 'counter', '--language', 'tact');
    assert.match(made.stdout, /^ {2}npm install --save-dev @tact-lang\/compiler$/m);
    assert.match(
      made.stdout,
      /^ {2}ton-workbench deploy contracts\/counter\.tact --data "\{owner: alice, count: 0\}"$/m,
    );
  });
});
