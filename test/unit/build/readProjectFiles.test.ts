import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { contractGroups } from '../../../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { readProjectFiles } from '../../../src/toolkit/build/readProjectFiles';
import { limits } from '../../../src/toolkit/base/limits';
import { lastError, runCommandLine } from '../../support/commandLine';

describe('the files of a project on the disk', () => {
  let folder: string;
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'tonwb-files-'));
    write('package.json', '{}');
    write('contracts/gate.tolk', 'fun onInternalMessage(in: InMessage) { }\n');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('leave out one that is over its limit, and tell that; the rest goes on', async () => {
    write('build/Gate.json', '{"code_boc64": "');
    truncateSync(path.join(folder, 'build/Gate.json'), limits.givenFile.most + 1);
    write('build/Gate.source.json', `{"name": "Gate", "pad": "${'x'.repeat(limits.projectFileBytes.most)}"}`);
    const { files, problems } = await readProjectFiles(folder);
    assert.deepEqual(
      files.map((file) => file.path),
      ['build/Gate.source.json', 'contracts/gate.tolk'],
    );
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['over-limit'],
    );
    assert.match(problems[0]?.message ?? '', /build\/Gate\.json/);
    const told = await runCommandLine(['doctor'], {}, folder);
    assert.match(told.stdout, /build\/Gate\.json.*1,048,576 bytes/);
    const deployed = await runCommandLine(['deploy', 'build/Gate.json', '--network', 'local'], {}, folder);
    assert.equal(lastError(deployed).code, 'over-limit');
  });

  it('are read to the limit, which is told', async () => {
    mkdirSync(path.join(folder, 'many'));
    for (let index = 0; index <= limits.projectFiles.most; index++) {
      writeFileSync(path.join(folder, 'many', `part${index}.tolk`), '');
    }
    const { files, problems } = await readProjectFiles(folder);
    assert.equal(files.length, limits.projectFiles.most);
    assert.deepEqual(
      problems.map(({ code }) => code),
      ['over-limit'],
    );
  });

  it('may import each other in a circle, also through mappings', async () => {
    write('Acton.toml', '[import-mappings]\na = "a"\nb = "b"\n');
    write(
      'a/one.tolk',
      'import "@b/two"\nconst ONE = 401\nfun onInternalMessage(in: InMessage) { throw TWO; }\n',
    );
    write('b/two.tolk', 'import "@a/one"\nimport "two"\nconst TWO = 402\n');
    const { files } = await readProjectFiles(folder);
    const project = await readProject(files, (file, error) => assert.fail(`${file}: ${String(error)}`));
    const one = contractGroups(project).find(({ source }) => source === 'a/one.tolk')?.parts[0];
    assert.deepEqual(one?.imports, ['b/two.tolk']);
    assert.equal(one.errors.get(402), 'TWO');
  });
});
