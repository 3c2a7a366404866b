// Takes up to 25 minutes: suites that take a minute each, in turns.
// What recording costs: suites whose tests have a chain and a transfer of their own, and one test with 1,000 jetton
// transfers; each as it is, recorded with an engine for each chain, recorded with the engine that the recorder shares, and
// with the drop-in for @ton/sandbox. Processor time of the whole runner, in turns. Then what is done with the recordings.
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
/** Of a suite that runs often enough for the cost of recording alone, which is small. */
const pairedTests = 40;
const pairs = 10;
const transfers = 1_000;
/** For which the bound of coverage is. */
const coveredTransactions = 10_000;
const mostReplays = 400;

const sandbox = `const { Blockchain } = require(process.env.SANDBOX ?? '@ton/sandbox');
const { Address, beginCell, Cell, contractAddress, toNano } = require('@ton/core');
`;
const payments = `${sandbox}
for (let number = 0; number < Number(process.env.TESTS); number += 1) {
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
const words: Record<Way, string> = {
  plain: 'plain',
  own: 'recorded, an engine for each chain',
  shared: 'recorded, a shared engine',
  'drop-in': 'with the drop-in for the sandbox',
};

const project = await TestedProject.create();

async function used(suite: string, way: Way, count: number): Promise<number> {
  const { args, environment } = ways[way];
  const given = ['--require', './meter.js', ...args, suite, '--reporter', 'dot', '--timeout', '1200000'];
  const { status, stdout } = await project.run('mocha/bin/mocha.js', given, {
    ...environment,
    TESTS: String(count),
  });
  if (status !== 0) {
    throw new Error(stdout);
  }
  return Number(await readFile(path.join(project.folder, 'used.txt'), 'utf8'));
}

/** A suite, the ways in which it runs beside the plain one, and the goals of their ratios. */
interface Measured {
  suite: string;
  count: number;
  what: string;
  rounds: number;
  goals: Partial<Record<Way, string | undefined>>;
}

/** Each way against the plain one of the same round; which of them is first changes with each round. */
async function measure({ suite, count, what, rounds, goals }: Measured): Promise<void> {
  const chosen: Way[] = ['plain', ...(Object.keys(goals) as Way[])];
  const times: Record<Way, number[]> = { plain: [], own: [], shared: [], 'drop-in': [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const way of round % 2 === 0 ? chosen : chosen.toReversed()) {
      times[way].push(await used(suite, way, count));
    }
  }
  const plain = median(times.plain);
  report(
    chosen.slice(1).map((way): BenchRow => {
      const ratios = times[way].map((time, round) => time / (times.plain[round] ?? time));
      const goal = goals[way];
      return {
        ...{ name: `${what}, ${words[way]}`, unit: 'ms', peerName: 'plain', peer: plain },
        ...{ ours: median(ratios) * plain, ...(goal === undefined ? {} : { goal }) },
      };
    }),
  );
}

/** Milliseconds of processor time that some work takes in this process, with its threads. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
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
  await measure({
    ...{ suite: 'payments.js', count: pairedTests, rounds: pairs, goals: { own: '<= 1.1' } },
    what: `${pairedTests} tests, ${pairs} pairs`,
  });
  await measure({
    ...{ suite: 'payments.js', count: tests, what: `${tests} tests`, rounds: 2 },
    goals: { shared: '<= 0.34', 'drop-in': undefined },
  });
  await measure({
    ...{ suite: 'jettons.js', count: 1, what: `${transfers} jetton transfers`, rounds: 5 },
    // The recording of the last way that records is read below.
    goals: { own: '<= 1.1', 'drop-in': undefined, shared: undefined },
  });

  const name = 'jettons.js.tontests';
  const recording = (await project.recordings()).get(name);
  const records = recording?.records ?? [];
  const file = await readFile(path.join(project.folder, '.ton/tests', name), 'utf8');
  const beside = file
    .split('\n')
    .filter((line) => !line.startsWith('{"blob"'))
    .reduce((sum, line) => sum + line.length, 0);
  const emulator = await createSandboxEmulator();
  const replays: number[] = [];
  for (const record of records.slice(0, mostReplays)) {
    replays.push(await cpuOf(() => runRecord(recording!, record, emulator)));
  }

  const listed = Array.from({ length: 1_000 }, (_, index) => `it('test ${index}', async () => {});`);
  const listing = await cpuOf(() => {
    const [suite] = parseTestFile(`describe('all', () => {\n${listed.join('\n')}\n});\n`);
    if (suite?.children.length !== listed.length) {
      throw new Error('not all tests are listed');
    }
  });

  const began = performance.now();
  const covering = await cpuOf(async () => {
    const { status, stderr } = await runCommandLine(
      ['coverage', '--replays', `.ton/tests/${name}`, '--lcov', 'lcov.info'],
      {},
      project.folder,
    );
    if (status !== 0) {
      throw new Error(stderr);
    }
  });
  const elapsed = performance.now() - began;
  const all = `${records.length} records covered, as for ${coveredTransactions}`;
  const forAll = (ms: number): number => ((ms / records.length) * coveredTransactions) / 1000;

  report([
    {
      ...{ name: 'a record beside what is stored once', unit: 'KB' },
      ...{ ours: beside / records.length / 1024, goal: '<= 10 KB' },
    },
    {
      ...{ name: 'a record replayed with every step, after the first', unit: 'ms' },
      ...{ ours: median(replays.slice(1)), goal: '<= 10 ms' },
    },
    { ...{ name: '1,000 tests listed', unit: 'ms' }, ours: listing, goal: '<= 300 ms' },
    { name: all, unit: 's', ours: forAll(elapsed), goal: '<= 60 s' },
    { name: `${all}, processor time`, unit: 's', ours: forAll(covering), goal: '<= 120 s' },
  ]);
} finally {
  await project.remove();
}
process.exit(0);
