// What recording costs: a suite of 100 tests, each with a chain and a transfer of its own, as it is, recorded with an
// engine for each chain, and recorded with the engine that the recorder shares. Processor time, in turns.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createSandboxEmulator } from '../src/toolkit/execution/emulator/createSandboxEmulator';
import { runRecord } from '../src/toolkit/testRuns/runRecord';
import { recorder, TestedProject } from '../test/conformance/support/testedProject';
import { median } from './support/median';
import { report } from './support/report';

const rounds = 10;
const tests = 100;

const suite = `const { Blockchain } = require('@ton/sandbox');
const { toNano } = require('@ton/core');
for (let number = 0; number < ${tests}; number += 1) {
  it('pays ' + number, async () => {
    const chain = await Blockchain.create();
    const [alice, bob] = [await chain.treasury('alice'), await chain.treasury('bob')];
    await alice.send({ to: bob.address, value: toNano(1) });
  });
}
`;
/** Loaded into the runner: adds up what the whole process used. */
const meter = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeFileSync('used.txt', String((user + system) / 1000));
});
`;

const project = await TestedProject.create();
try {
  await project.put({ 'suite.js': suite, 'meter.js': meter });
  const time = async (args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<number> => {
    const given = ['--require', './meter.js', ...args, 'suite.js', '--reporter', 'dot', '--timeout', '60000'];
    const { status, stdout } = await project.run('mocha/bin/mocha.js', given, environment);
    if (status !== 0) {
      throw new Error(stdout);
    }
    return Number(await readFile(path.join(project.folder, 'used.txt'), 'utf8'));
  };
  const times: Record<'plain' | 'own' | 'shared', number[]> = { plain: [], own: [], shared: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.plain.push(await time([]));
    times.own.push(await time(['--require', recorder], { TON_WORKBENCH_SHARE: '0' }));
    times.shared.push(await time(['--require', recorder]));
  }
  const plain = median(times.plain);
  const shares = times.own.map((own, round) => own / (times.plain[round] ?? own));
  const [recording] = [...(await project.recordings()).values()];
  const file = await readFile(path.join(project.folder, '.ton/tests/suite.js.tontests'), 'utf8');
  const records = recording?.records ?? [];
  const beside = file
    .split('\n')
    .filter((line) => !line.startsWith('{"blob"'))
    .reduce((sum, line) => sum + line.length, 0);
  const emulator = await createSandboxEmulator();
  const replays: number[] = [];
  for (const record of records) {
    const before = process.cpuUsage();
    await runRecord(recording!, record, emulator);
    const { user, system } = process.cpuUsage(before);
    replays.push((user + system) / 1000);
  }
  report([
    {
      ...{ name: `${tests} tests recorded, an engine for each chain`, unit: 'ms', peerName: 'plain' },
      ...{ ours: median(shares) * plain, peer: plain, goal: '<= 1.1' },
    },
    {
      ...{ name: `${tests} tests recorded, a shared engine`, unit: 'ms', peerName: 'plain' },
      ...{ ours: median(times.shared), peer: plain, goal: '<= 0.34' },
    },
    {
      ...{ name: 'a record beside what is stored once', unit: 'KB' },
      ...{ ours: beside / records.length / 1024, goal: '<= 10 KB' },
    },
    {
      ...{ name: 'a record replayed with every step, after the first', unit: 'ms' },
      ...{ ours: median(replays.slice(1)), goal: '<= 10 ms' },
    },
  ]);
} finally {
  await project.remove();
}
process.exit(0);
