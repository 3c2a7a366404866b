// What recording costs: a suite of 200 tests, each with a chain and a transfer of its own, and one test with 1,000 jetton
// transfers; each as it is, recorded with an engine for each chain, recorded with the engine that the recorder shares, and
// with the drop-in for @ton/sandbox. Processor time, in turns. Then what is done with the recordings.
import { runTolkCompiler } from '@ton/tolk-js';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createSandboxEmulator } from '../src/toolkit/execution/emulator/createSandboxEmulator';
import { parseTestFile } from '../src/toolkit/testRuns/parseTestFile';
import { runRecord } from '../src/toolkit/testRuns/runRecord';
import { dropIn, recorder, TestedProject } from '../test/conformance/support/testedProject';
import { runCommandLine } from '../test/support/commandLine';
import { jettonProject } from '../test/support/jettonProject';
import { median } from './support/median';
import type { BenchRow } from './support/report';
import { report } from './support/report';

const tests = 200;
const transfers = 1_000;
/** For which the bound of coverage is. */
const coveredTransactions = 10_000;

const sandbox = `const { Blockchain } = require(process.env.SANDBOX ?? '@ton/sandbox');
const { Address, beginCell, Cell, contractAddress, toNano } = require('@ton/core');
`;
const payments = `${sandbox}
for (let number = 0; number < ${tests}; number += 1) {
  it('pays ' + number, async () => {
    const chain = await Blockchain.create();
    const [alice, bob] = [await chain.treasury('alice'), await chain.treasury('bob')];
    await alice.send({ to: bob.address, value: toNano(1) });
  });
}
`;
const jettons = `${sandbox}
it('sends jettons', async () => {
  const chain = await Blockchain.create();
  const [alice, bob] = [await chain.treasury('alice'), await chain.treasury('bob')];
  const data = beginCell().storeCoins(toNano(1000000)).storeAddress(alice.address).storeAddress(bob.address).endCell();
  const init = { code: Cell.fromBase64(require('./wallet.json')), data };
  const wallet = contractAddress(0, init);
  await alice.send({ to: wallet, value: toNano(1), init });
  for (let number = 0; number < ${transfers}; number += 1) {
    const body = beginCell().storeUint(0x0f8a7ea5, 32).storeUint(number, 64).storeCoins(1).storeAddress(bob.address);
    body.storeAddress(alice.address).storeMaybeRef(null).storeCoins(0);
    const { transactions } = await alice.send({ to: wallet, value: toNano('0.1'), body: body.endCell() });
    if (transactions.length !== 3 || transactions.some(({ description }) => description.aborted)) {
      throw new Error('no transfer');
    }
  }
});
`;
/** Loaded into the runner: adds up what the whole process used. */
const meter = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeFileSync('used.txt', String((user + system) / 1000));
});
`;

const ways = {
  plain: { args: [], environment: {} },
  own: { args: ['--require', recorder], environment: { TON_WORKBENCH_SHARE: '0' } },
  shared: { args: ['--require', recorder], environment: {} },
  'drop-in': { args: [], environment: { SANDBOX: dropIn } },
} as const;
type Way = keyof typeof ways;

const project = await TestedProject.create();

async function used(suite: string, way: Way): Promise<number> {
  const { args, environment } = ways[way];
  const given = ['--require', './meter.js', ...args, suite, '--reporter', 'dot', '--timeout', '600000'];
  const { status, stdout } = await project.run('mocha/bin/mocha.js', given, environment);
  if (status !== 0) {
    throw new Error(stdout);
  }
  return Number(await readFile(path.join(project.folder, 'used.txt'), 'utf8'));
}

/** Each way against the plain one of the same round. */
async function measured(
  suite: string,
  what: string,
  rounds: number,
  goals: Partial<Record<Way, string>>,
): Promise<BenchRow[]> {
  const times: Record<Way, number[]> = { plain: [], own: [], shared: [], 'drop-in': [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of Object.keys(ways) as Way[]) {
      times[way].push(await used(suite, way));
    }
  }
  const plain = median(times.plain);
  const row = (way: Way, words: string): BenchRow => {
    const ratios = times[way].map((time, round) => time / (times.plain[round] ?? time));
    const goal = goals[way];
    return {
      ...{ name: `${what}, ${words}`, unit: 'ms', peerName: 'plain', peer: plain },
      ...{ ours: median(ratios) * plain, ...(goal === undefined ? {} : { goal }) },
    };
  };
  return [
    row('own', 'recorded, an engine for each chain'),
    row('shared', 'recorded, a shared engine'),
    row('drop-in', 'with the drop-in for the sandbox'),
  ];
}

/** The code of a jetton wallet, BoC in base64. */
async function walletCode(): Promise<string> {
  const compiled = await runTolkCompiler({
    entrypointFileName: 'jettonWallet.tolk',
    fsReadCallback: (name) => jettonProject[path.basename(name)] ?? '',
  });
  if (compiled.status === 'error') {
    throw new Error(compiled.message);
  }
  return compiled.codeBoc64;
}

try {
  await project.put({ 'payments.js': payments, 'jettons.js': jettons, 'meter.js': meter });
  await project.put({ 'wallet.json': JSON.stringify(await walletCode()) });
  await project.put(
    Object.fromEntries(Object.entries(jettonProject).map(([name, text]) => [`contracts/${name}`, text])),
  );
  const suite = await measured('payments.js', `${tests} tests`, 10, { own: '<= 1.1', shared: '<= 0.34' });
  const long = await measured('jettons.js', `${transfers} jetton transfers`, 5, { own: '<= 1.1' });

  const recording = (await project.recordings()).get('payments.js.tontests');
  const records = recording?.records ?? [];
  const file = await readFile(path.join(project.folder, '.ton/tests/payments.js.tontests'), 'utf8');
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

  const listed = Array.from({ length: 1_000 }, (_, index) => `it('test ${index}', async () => {});`);
  const began = performance.now();
  if (parseTestFile(`describe('all', () => {\n${listed.join('\n')}\n});\n`).length < 1_000) {
    throw new Error('not all tests are listed');
  }
  const listing = performance.now() - began;

  const jettonRecords = (await project.recordings()).get('jettons.js.tontests')?.records.length ?? 0;
  const covering = performance.now();
  const covered = await runCommandLine(
    ['coverage', '--replays', '.ton/tests/jettons.js.tontests', '--lcov', 'lcov.info'],
    {},
    project.folder,
  );
  if (covered.status !== 0) {
    throw new Error(covered.stderr);
  }
  const coverage = (performance.now() - covering) / 1000;

  report([
    ...suite,
    ...long,
    {
      ...{ name: 'a record beside what is stored once', unit: 'KB' },
      ...{ ours: beside / records.length / 1024, goal: '<= 10 KB' },
    },
    {
      ...{ name: 'a record replayed with every step, after the first', unit: 'ms' },
      ...{ ours: median(replays.slice(1)), goal: '<= 10 ms' },
    },
    { ...{ name: '1,000 tests listed', unit: 'ms' }, ours: listing, goal: '<= 300 ms' },
    {
      ...{ name: `${jettonRecords} records covered, as for ${coveredTransactions}`, unit: 's' },
      ...{ ours: (coverage / jettonRecords) * coveredTransactions, goal: '<= 60 s' },
    },
  ]);
} finally {
  await project.remove();
}
process.exit(0);
