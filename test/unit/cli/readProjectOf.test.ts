import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cell } from '@ton/core';
import { projectAround, projectWith } from '../../../src/cli/readProjectOf';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';

/** More than are compiled if only the hash of a code is known. */
const sources = 15;

const source = (index: number): string => `
fun onInternalMessage(in: InMessage) {}
get fun value${index}(): int { return ${index}; }
`;

describe('the project around the working folder', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-project-'));
    await mkdir(path.join(folder, 'contracts'));
    for (let index = 10; index < 10 + sources; index++) {
      await writeFile(path.join(folder, 'contracts', `c${index}.tolk`), source(index));
    }
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('has the source of a deployed code, however many sources with other get-methods precede it', async () => {
    const last = path.join(folder, 'contracts', `c${9 + sources}.tolk`);
    const text = await readFile(last, 'utf8');
    const { code, codeHash } = await compileTolk('c.tolk', () => text);
    const contracts = await projectWith(folder, { codeHash, code: Cell.fromBase64(code) });
    assert.deepEqual(
      contracts.filter((one) => one.codeHash !== undefined).map((one) => [one.name, one.codeHash]),
      [[`c${9 + sources}`, codeHash]],
    );
  });

  it('is read once in a process', async () => {
    const before = await projectAround(folder);
    await rm(path.join(folder, 'contracts'), { recursive: true });
    assert.equal(await projectAround(folder), before);
    assert.equal(before.length, sources);
  });
});
