// Takes more than 20 s: six templates are made, built, and compiled by Blueprint, and each test file loads an engine.
import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { installClients, installRunners } from '../../scripts/lib/installClients.mjs';
import { createSandboxEmulator } from '../../src/toolkit/execution/emulator/createSandboxEmulator';
import type { Emulator } from '../../src/toolkit/execution/emulator/emulator';
import { runRecord } from '../../src/toolkit/testRuns/runRecord';
import { readTestRecording } from '../../src/toolkit/testRuns/testRecording';
import { runCommandLine } from '../support/commandLine';
import { ownPackages, putFiles } from '../support/testedFolder';
import { BlueprintProject } from './support/blueprintProject';

/** Blueprint's templates, and whose versions of the sandbox their tests run with. */
const templates: Readonly<Record<string, string>> = {
  TolkCounter: 'tolk-counter',
  TolkEmpty: 'tolk-empty',
  FuncCounter: 'func-counter',
  FuncEmpty: 'func-empty',
  TactCounter: 'tact-counter',
  TactEmpty: 'tact-empty',
};

/** What a project sets up so that its runner reads TypeScript; none of it knows of this one. */
const setUp = {
  'package.json': JSON.stringify({ private: true, scripts: { test: 'jest' } }),
  'translate.js': `const ts = require('typescript');
const compilerOptions = { module: 'commonjs', target: 'es2022', esModuleInterop: true, inlineSourceMap: true };
exports.process = (text, fileName) => ({ code: ts.transpileModule(text, { fileName, compilerOptions }).outputText });
`,
  'jest.config.js': `module.exports = {
  testMatch: ['**/tests/*.spec.ts'], transform: { '\\\\.ts$': '<rootDir>/translate.js' }, testTimeout: 600000,
};
`,
};

describe("the tests of Blueprint's templates", () => {
  let project: BlueprintProject;
  let emulator: Emulator;

  before(async () => {
    [project, emulator] = await Promise.all([BlueprintProject.create(), createSandboxEmulator()]);
    for (const [name, type] of Object.entries(templates)) {
      await project.run(['create', name, '--type', type]);
    }
    // The wrappers of Tact are built.
    await project.run(['build', '--all']);
    await linkPackages(project.folder);
    await putFiles(project.folder, setUp);
  });
  after(() => project.remove());

  /** By kind: how many records ran again exactly, of how many. */
  const exactOf = async (): Promise<{ files: number; counts: Record<string, string> }> => {
    const folder = path.join(project.folder, '.ton/tests');
    const names = (await readdir(folder)).filter((name) => name.endsWith('.tontests'));
    const all = new Map<string, [exact: number, all: number]>();
    for (const name of names) {
      const recording = readTestRecording(await readFile(path.join(folder, name)));
      for (const record of recording.records) {
        const { isExact } = await runRecord(recording, record, emulator);
        const [exact, count] = all.get(record.kind) ?? [0, 0];
        all.set(record.kind, [exact + (isExact ? 1 : 0), count + 1]);
      }
    }
    const counts = [...all].map(([kind, [exact, count]]) => [kind, `${exact} of ${count}`] as const);
    return { files: names.length, counts: Object.fromEntries(counts) };
  };

  it('run unchanged, and every record of them runs again exactly', async () => {
    const { status, stdout, stderr } = await runCommandLine(['test', '--json'], {}, project.folder);
    assert.equal(status, 0, stderr.slice(-4000));
    const { passed, failed, records } = JSON.parse(stdout) as Record<string, number>;
    assert.deepEqual([passed, failed], [10, 0]);
    const { files, counts } = await exactOf();
    assert.equal(files, Object.keys(templates).length);
    const [messages = 0, gets = 0] = [counts['message'], counts['get']].map((one) =>
      Number(one?.split(' ')[0]),
    );
    assert.deepEqual(counts, { message: `${messages} of ${messages}`, get: `${gets} of ${gets}` });
    assert.equal(messages + gets, records);
    assert.ok(messages > 40 && gets >= 18, JSON.stringify(counts));
  });
});

/**
 * The packages of the project. `@ton/test-utils` is copied: as a link it would find another
 * `@ton/core`, whose addresses equal none of this one.
 */
async function linkPackages(folder: string): Promise<void> {
  const [clients, runners] = await Promise.all([installClients(), installRunners()]);
  const packages = path.join(folder, 'node_modules');
  await rm(packages);
  const link = async (from: string, names: readonly string[]): Promise<void> => {
    for (const name of names) {
      const to = path.join(packages, name);
      await mkdir(path.dirname(to), { recursive: true });
      await symlink(path.join(from, name), to, 'junction');
    }
  };
  const from = path.join(clients, 'node_modules');
  for (const name of await readdir(from)) {
    const isScope = name.startsWith('@');
    await link(
      from,
      isScope ? (await readdir(path.join(from, name))).map((one) => `${name}/${one}`) : [name],
    );
  }
  await link(ownPackages, ['jest']);
  await link(path.join(runners, 'node_modules'), ['node-inspect-extracted']);
  await cp(path.join(runners, 'node_modules/@ton/test-utils'), path.join(packages, '@ton/test-utils'), {
    recursive: true,
  });
}
