import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cell } from '@ton/core';
import { version } from '../../../package.json';
import { projectAround, projectWith } from '../../../src/cli/projectWith';
import { describeContract } from '../../../src/toolkit/contracts/abi/contractDescription';
import type { ContractDescription } from '../../../src/toolkit/contracts/abi/contractDescription';
import { readCompiledCodes, rememberCompiledCodes } from '../../../src/toolkit/build/compiledCodesFile';
import { textHash } from '../../../src/toolkit/build/textHashes';
import { compileTolk } from '../../../src/toolkit/build/compileTolk';

/** More than are compiled if only the hash of a code is known. */
const sources = 15;

const source = (index: number): string => `
fun onInternalMessage(in: InMessage) {}
get fun value${index}(): int { return ${index}; }
`;

describe('the project around the working folder', () => {
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
      [[`C${9 + sources}`, codeHash]],
    );
  });

  it('remembers what it compiled, and does not compile an unchanged text again', async () => {
    const file = `contracts/c${9 + sources}.tolk`;
    const text = await readFile(path.join(folder, file), 'utf8');
    const { code, codeHash } = await compileTolk('c.tolk', () => text);
    const deployed = { codeHash, code: Cell.fromBase64(code) };
    await projectWith(folder, deployed);
    const kept = readCompiledCodes(folder).find((one) => one.codeHash === codeHash);
    assert.deepEqual(kept, {
      ...{ codeHash, file, name: `C${9 + sources}`, by: version },
      texts: { [file]: textHash(text, file) },
      names: { errors: {}, messages: {} },
    });
    // In another folder, the same text is said to have another code: it is found only if the text is compiled.
    for (const [by, isFound] of [
      [version, false],
      ['0.0.1', true],
    ] as const) {
      const other = await mkdtemp(path.join(tmpdir(), 'tonwb-project-'));
      await cp(folder, other, { recursive: true });
      await rm(path.join(other, '.ton'), { recursive: true });
      rememberCompiledCodes(other, [{ ...kept, codeHash: 'ab'.repeat(32), by }]);
      const found = await projectWith(other, deployed);
      assert.equal(
        found.some((one) => one.codeHash === codeHash),
        isFound,
      );
      await rm(other, { recursive: true });
    }
  });

  it('knows a code that an earlier command compiled, in any language, and whether its source has changed', async () => {
    const text = 'int total() method_id { return 7; }\n';
    const code = { codeHash: 'cd'.repeat(32), file: 'odd/total.fc', name: 'Total' };
    await mkdir(path.join(folder, 'odd'));
    await writeFile(path.join(folder, 'odd/total.fc'), text);
    rememberCompiledCodes(folder, [{ ...code, texts: { 'odd/total.fc': textHash(text, 'total.fc') } }]);
    const described = async (): Promise<ContractDescription> =>
      describeContract(code, await projectWith(folder, code));
    const { name, file, methods, nameOrigin } = await described();
    assert.deepEqual([name, file, methods.map((one) => one.name)], ['total', 'odd/total.fc', ['total']]);
    assert.equal(nameOrigin, 'the hash of its code, odd/total.fc');
    await writeFile(path.join(folder, 'odd/total.fc'), `${text}int more() method_id { return 8; }\n`);
    // A project is read once in a process; a copy is another project.
    const copy = await mkdtemp(path.join(tmpdir(), 'tonwb-project-'));
    await cp(folder, copy, { recursive: true });
    const changed = describeContract(code, await projectWith(copy, code));
    await rm(copy, { recursive: true });
    assert.equal(changed.nameOrigin, 'its code, which an earlier version of odd/total.fc compiled to');
    assert.deepEqual(
      changed.methods.map((one) => one.name),
      ['total', 'more'],
    );
  });

  it('is read once in a process', async () => {
    const before = await projectAround(folder);
    await rm(path.join(folder, 'contracts'), { recursive: true });
    assert.equal(await projectAround(folder), before);
    assert.equal(before.length, sources);
  });
});
