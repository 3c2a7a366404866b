// Takes more than 20 s: mutants of a contract, and half of them once more with all tests, by Mocha.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { makeTestedFolder, ownPackages, putFiles, removeFolder } from '../support/testedFolder';

const source = `struct (0x00000001) Limit { amount: uint32 }
struct (0x00000002) Double { amount: uint32 }
struct (0x00000003) Sum { one: uint32  other: uint32 }
struct (0x00000004) Gate { open: bool }
type Wish = Limit | Double | Sum | Gate

fun keep(value: int) { contract.setData(beginCell().storeUint(value, 64).endCell()); }

fun onInternalMessage(in: InMessage) {
  match (val m = lazy Wish.fromSlice(in.body)) {
    Limit => {
      assert (m.amount <= 100) throw 101;
      keep(m.amount);
    }
    Double => { keep(m.amount * 2); }
    Sum => { keep(m.one + m.other); }
    Gate => {
      if (m.open) { keep(1); } else { keep(2); }
    }
    else => { throw 0xFFFF }
  }
}
get fun value(): int { return contract.getData().beginParse().loadUint(64); }
`;

/** The limit itself is not tried, and the sum only with nothing. */
const tests = `const assert = require('node:assert');
const { readFileSync } = require('node:fs');
const { beginCell, Cell, contractAddress, toNano } = require('@ton/core');
const { Blockchain } = require('@ton/sandbox');
const { runTolkCompiler } = require('@ton/tolk-js');
describe('Desk', () => {
  let code, chain, alice, desk;
  before(async () => {
    const made = await runTolkCompiler({ entrypointFileName: 'contracts/desk.tolk', fsReadCallback: (f) => readFileSync(f, 'utf8') });
    code = Cell.fromBase64(made.codeBoc64);
  });
  const send = (body) => alice.send({ to: desk, value: toNano(1), body });
  const wish = (op, ...parts) => parts.reduce((b, [v, n]) => b.storeUint(v, n), beginCell().storeUint(op, 32)).endCell();
  const value = async () => (await chain.runGetMethod(desk, 'value')).stackReader.readNumber();
  beforeEach(async () => {
    chain = await Blockchain.create();
    alice = await chain.treasury('alice');
    const init = { code, data: beginCell().storeUint(0, 64).endCell() };
    desk = contractAddress(0, init);
    await alice.send({ to: desk, value: toNano(1), init, bounce: false, body: wish(1, [1, 32]) });
  });
  it('keeps within the limit', async () => { await send(wish(1, [7, 32])); assert.equal(await value(), 7); });
  it('refuses more', async () => {
    const { transactions } = await send(wish(1, [500, 32]));
    assert.equal(transactions[1].description.computePhase.exitCode, 101);
  });
  for (const n of [1, 2, 3]) {
    it('doubles ' + n, async () => { await send(wish(2, [n, 32])); assert.equal(await value(), 2 * n); });
  }
  it('adds nothing', async () => { await send(wish(3, [5, 32], [0, 32])); assert.equal(await value(), 5); });
  it('opens', async () => { await send(wish(4, [1, 1])); assert.equal(await value(), 1); });
  it('stays shut', async () => { await send(wish(4, [0, 1])); assert.equal(await value(), 2); });
});
`;

interface Mutant {
  verdict: string;
  file: string;
  line: number;
  column: number;
  change: string;
  length: number;
  replacement: string;
  isChangedLine: boolean;
  isUnseen: boolean;
  test: { file: string; name: string };
}

interface Answer {
  score: number;
  killed: number;
  survived: number;
  testRuns: number;
  allRuns: number;
  stoppedBy: string | null;
  mutants: Mutant[];
}

describe('test --mutate', () => {
  let folder: string;
  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(['test', ...args], { TON_CACHE_FOLDER: path.join(folder, 'cache') }, folder);

  before(async () => {
    folder = await makeTestedFolder({
      contract: { name: 'desk', source },
      packages: {
        mocha: ownPackages,
        '@ton/sandbox': ownPackages,
        '@ton/core': ownPackages,
        '@ton/tolk-js': ownPackages,
      },
      files: {
        'package.json': JSON.stringify({
          private: true,
          scripts: { test: 'mocha --timeout 600000 "tests/*.spec.js"' },
        }),
        'tests/desk.spec.js': tests,
      },
    });
  });
  after(() => removeFolder(folder));

  it('judges mutants as all tests would, in a fifth of the runs, below the score asked for, and changes no file', async () => {
    const { status, stdout, stderr } = await run(
      ...['--mutate', '--json', '--mutants', '12', '--minutes', '600', '--min-score', '100'],
      ...['--progress', '--only', 'contracts/desk.tolk'],
    );
    assert.equal(lastError({ status, stdout, stderr }).code, 'mutants-survived');
    const told = stdout.trimEnd().split('\n');
    const answer = JSON.parse(told.pop() ?? '') as Answer;
    const progress = told.map(
      (line) => JSON.parse(line) as { judged: number; survived: number; left: number },
    );
    assert.deepEqual(
      progress.map(({ judged, left }) => [judged, judged + left]),
      Array.from({ length: 12 }, (_, index) => [index + 1, 12]),
    );
    assert.equal(progress.at(-1)?.survived, answer.survived);
    assert.equal(answer.mutants.length, 12);
    assert.equal(answer.stoppedBy, 'mutants');
    assert.ok(answer.testRuns * 5 <= answer.allRuns, `${answer.testRuns} of ${answer.allRuns}`);
    const file = path.join(folder, 'contracts/desk.tolk');
    assert.equal(await readFile(file, 'utf8'), source);
    const lines = source.split('\n');
    // Each survivor, and each third one: a run of all tests takes seconds.
    const tried = answer.mutants.filter(({ verdict }, index) => verdict === 'survived' || index % 3 === 0);
    for (const { verdict, line, column, length, replacement, change } of tried) {
      const offset = lines.slice(0, line - 1).join('\n').length + (line === 1 ? 0 : 1) + column - 1;
      const mutant = source.slice(0, offset) + replacement + source.slice(offset + length);
      await putFiles(folder, { 'contracts/desk.tolk': mutant });
      const all = JSON.parse((await run('--json')).stdout) as { failed: number };
      assert.equal(all.failed > 0 ? 'killed' : 'survived', verdict, `line ${line}: ${change}`);
    }
    const sum = answer.mutants.find(({ change }) => change === '+ becomes -');
    assert.deepEqual(
      [sum?.verdict, sum?.line, sum?.test.name],
      ['survived', 16, 'Desk adds nothing'],
      JSON.stringify(answer.mutants),
    );
  });
});
