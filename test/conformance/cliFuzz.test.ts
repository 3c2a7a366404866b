import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pace } from '../../scripts/lib/pace.mjs';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import type { FaultyContract } from '../support/faultyContracts';
import { faultyContracts, mended } from '../support/faultyContracts';
import { linkCompilers } from '../support/linkCompilers';

interface Answer {
  seed: number;
  runs: number;
  targets: string[];
  stoppedBy: string | null;
  finding: {
    fault: { kind: string; code?: number; phase?: string; line?: number };
    run: number;
    lines: { text: string; exitCode: number | null }[];
  } | null;
}

/** One of many in which each of the faults is found. */
const seed = '19';

describe('random messages to a contract', () => {
  let folder: string;
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);
  const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
  const fuzz = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(
      ['fuzz', ...args, '--seconds', String(60 * pace)],
      { TON_CACHE_FOLDER: path.join(folder, 'cache') },
      folder,
    );
  const answer = async (...args: string[]): Promise<{ status: number | null; found: Answer }> => {
    const { status, stdout, stderr } = await fuzz(...args, '--json');
    assert.notEqual(stdout, '', stderr);
    return { status, found: JSON.parse(stdout) as Answer };
  };

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'tonwb-fuzz-'));
    await linkCompilers(folder);
    for (const [index, contract] of faultyContracts.entries()) {
      for (const kind of ['faulty', 'mended']) {
        await mkdir(path.join(folder, `${kind}${index}`));
        const file = `contract${index}.${contract.language}`;
        await write(`${kind}${index}/${file}`, kind === 'mended' ? mended(contract) : contract.faulty);
        await write(
          `${kind}${index}/a.toncall`,
          `### ${contract.name}\n${contract.sheet.replace('FILE', file)}\n`,
        );
      }
    }
  });
  after(() => rm(folder, { recursive: true }));

  const linesOf = ({ finding }: Answer): string[] => finding?.lines.map(({ text }) => text) ?? [];
  const checkLines = (found: Answer, { lines }: FaultyContract): void => {
    const texts = linesOf(found);
    assert.equal(texts.length, lines.length, texts.join('\n'));
    lines.forEach((line, index) => assert.match(texts[index] ?? '', line));
  };

  for (const [index, contract] of faultyContracts.entries()) {
    it(`find that ${contract.name}, and shorten what leads to it`, async () => {
      const { status, found } = await answer(`faulty${index}/a.toncall`, '--seed', seed);
      assert.equal(status, 1);
      const { kind, code, phase } = found.finding?.fault ?? {};
      assert.deepEqual(contract.fault.kind === 'exit' ? { kind, code, phase } : { kind }, contract.fault);
      checkLines(found, contract);
    });

    it(`find nothing once it is mended that ${contract.name}`, async () => {
      const { status, found } = await answer(`mended${index}/a.toncall`, '--seed', seed, '--runs', '25');
      assert.equal(status, 0);
      assert.deepEqual([found.finding, found.runs, found.stoppedBy], [null, 25, null]);
    });
  }

  it('are the same for the same seed, and are kept as a sheet that fails until the fault is mended', async () => {
    const first = await fuzz('faulty1/a.toncall', '--seed', '7', '--keep', 'faulty1/kept.toncall');
    assert.equal(first.status, 1);
    assert.match(first.stdout, /^✗ found in run \d+, \d+ → 2 lines, seed 7\n/);
    assert.match(first.stdout, /faulty1\/a\.toncall:2 Bank isSolvent\(\) is false, expected true\.\n/);
    assert.equal(lastError(first).code, 'fuzz-fault');
    const again = await fuzz('faulty1/a.toncall', '--seed', '7');
    assert.equal(again.stdout, first.stdout);
    const kept = await read('faulty1/kept.toncall');
    const [, , paysIn, takesOut, expects] = kept.split('\n');
    assert.match(`${paysIn}\n${takesOut}\n${expects}`, /^send .* PayIn .*\nsend .* TakeOut .*\nexpect Bank /);
    const failing = await fuzz('faulty1/kept.toncall');
    assert.deepEqual([failing.status, lastError(failing).code], [1, 'fuzz-unprepared']);
    await write('mended1/kept.toncall', kept.replace(/(TakeOut.*)/, '$1\nexpect fails'));
    const passing = await fuzz('mended1/kept.toncall', '--runs', '5');
    assert.equal(passing.status, 0, passing.stderr);
  });

  it('of a bare source, down to one message or method, with a replay of what failed', async () => {
    const { found } = await answer('faulty0/contract0.tolk', 'Take', '--keep', 'faulty0/kept.toncall');
    assert.deepEqual(found.targets, ['Contract0 Take']);
    assert.deepEqual(linesOf(found), ['send Contract0 Take {by: 1} 0.1ton from alice']);
    assert.match(await read('faulty0/kept.toncall'), /\nexpect exit != 5\n$/);
    const replayed = await runCommandLine(['replay', 'faulty0/kept.tonreplay', '--json'], {}, folder);
    assert.match(replayed.stdout, /"verdict":"exact"/);
    const method = await answer('faulty0/contract0.tolk', 'left', '--runs', '3');
    assert.deepEqual([method.status, method.found.targets], [0, ['Contract0 left()']]);
    const accepted = await answer('faulty0/contract0.tolk', '--accept', '5', '--runs', '5');
    assert.equal(accepted.status, 0);
  });

  it('end in words where there is nothing to send to', async () => {
    const unknown = await fuzz('faulty0/a.toncall', 'Nothing');
    assert.deepEqual([unknown.status, lastError(unknown).code], [2, 'fuzz-target-unknown']);
    assert.match(lastError(unknown).message, /There are: Stock Fill, Stock Take, Stock left\(\)\./);
    await write('faulty0/none.toncall', '### none\nalice seqno()\n');
    const none = await fuzz('faulty0/none.toncall');
    assert.deepEqual([none.status, lastError(none).code], [2, 'fuzz-nothing-deployed']);
    const elsewhere = await fuzz('faulty0/a.toncall', '--keep', 'kept.toncall');
    assert.deepEqual([elsewhere.status, lastError(elsewhere).code], [2, 'usage']);
  });
});
