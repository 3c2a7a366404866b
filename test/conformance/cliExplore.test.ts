import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pace } from '../../scripts/lib/pace.mjs';
import type { TracePage } from '../../src/toolkit/trace/page/tracePage';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import {
  oracleSource,
  racingContracts,
  racingScenario,
  repaired,
  wallSource,
} from '../support/racingContracts';
import type { RacingContract } from '../support/racingContracts';

/** Seconds of processor time in which a race must be found, compiling included. */
const patience = 10;

interface Answer {
  title: string;
  explored: { orders: number; covered: string; isWhole: boolean; stoppedBy: string | null } | null;
  fault: { kind: string; line: number; code?: number; failures?: string[] } | null;
  order: string | null;
  deliveries: { number: number; name: string; exitCode: number | null }[];
}

describe('exploring the orders of concurrent messages of a call sheet', () => {
  let folder: string;
  const write = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);
  const explore = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(['explore', ...args], { TON_CACHE_FOLDER: path.join(folder, 'cache') }, folder);
  const answers = async (...args: string[]): Promise<{ status: number | null; found: Answer[] }> => {
    const { status, stdout, stderr } = await explore(...args, '--json');
    const found = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Answer);
    assert.notEqual(found.length, 0, stderr);
    return { status, found };
  };

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'tonwb-explore-'));
    await mkdir(path.join(folder, 'other'));
    // Two contracts of a project that have the same messages would be told apart by their names.
    for (const [kind, sourceOf] of [
      ['racing', ({ racing }: RacingContract) => racing],
      ['repaired', repaired],
    ] as const) {
      await mkdir(path.join(folder, kind));
      await write(`${kind}/wall.tolk`, wallSource);
      await write(`${kind}/oracle.tolk`, oracleSource);
      for (const [index, contract] of racingContracts.entries()) {
        await write(`${kind}/pot${index}.tolk`, sourceOf(contract));
        await write(`${kind}/${index}.toncall`, racingScenario(contract, index));
      }
    }
  });
  after(() => rm(folder, { recursive: true }));

  for (const [index, { name }] of racingContracts.entries()) {
    it(`finds that ${name}`, async () => {
      const began = process.cpuUsage();
      const { status, found } = await answers(`racing/${index}.toncall`);
      const { user, system } = process.cpuUsage(began);
      assert.ok(user + system < patience * pace * 1e6, `${(user + system) / 1e6} s`);
      assert.equal(status, 1);
      assert.match(found[0]?.fault?.kind ?? '', /^(?:expect|exit)$/);
      assert.match(found[0]?.order ?? '', /^\d+(?:\.\d+)+$/);
      assert.equal(found[0]?.explored?.isWhole, false);
    });
  }

  it('finds nothing once they are repaired', async () => {
    const sheet = racingContracts.map((one, index) =>
      racingScenario(one, index).replaceAll('Pot', `Pot${index}`),
    );
    await write('repaired/all.toncall', sheet.join('\n'));
    const { status, found } = await answers('repaired/all.toncall');
    assert.equal(status, 0);
    assert.deepEqual(
      found.map(({ title, fault, explored }) => [title, fault, explored?.isWhole]),
      racingContracts.map(({ name }) => [name, null, true]),
    );
    assert.ok(found.every(({ explored }) => Number(explored?.covered) > 1));
  });

  it('keeps the order that it found in a sheet, which repeats it and cannot be run in another', async () => {
    const first = await explore(
      'racing/0.toncall',
      ...['--keep', 'racing/kept.toncall', '--html', 'order.html'],
    );
    assert.equal(first.status, 1);
    assert.match(first.stdout, /^✗ a bounce overwrites a deposit {2}found in order \d+, \d+ states\n/);
    assert.match(first.stdout, /racing\/0\.toncall:6 Pot total\(\) is 10, expected 17\./);
    assert.match(first.stdout, / alice → Pot +Pay +0\.2 TON +exit 0 +sends 3\n/);
    assert.match(first.stdout, / Pot → Wall .* exit 600 ERROR_REFUSED +sends 4\n/);
    const order = /--order ([\d.]+)\./.exec(lastError(first).message)?.[1];
    assert.ok(order);
    assert.match(
      await readFile(path.join(folder, 'racing/kept.toncall'), 'utf8'),
      new RegExp(`^@concurrent ${order.replaceAll('.', '[.]')}$`, 'm'),
    );
    const html = await readFile(path.join(folder, 'order.html'), 'utf8');
    const { page } = JSON.parse(
      /<script type="application\/json" id="page">(.+)<\/script>/.exec(html)?.[1] ?? '',
    ) as {
      page: TracePage;
    };
    assert.equal(page.verdict.text, 'racing/0.toncall:6 Pot total() is 10, expected 17.');
    assert.deepEqual(page.problems, []);
    assert.deepEqual([page.kind, page.picture], ['test', 'sequence']);
    // Below what the wallets did, the deliveries stand in their order, by logical time.
    const deliveries = [...page.nodes].sort((a, b) => Number(BigInt(a.lt) - BigInt(b.lt))).slice(2);
    assert.deepEqual(
      deliveries.map(({ account, message, result }) => [page.accounts[account]?.name, message, result]),
      (await answers('racing/kept.toncall')).found[0]?.deliveries.map(({ name, exitCode }, index) => [
        ['Pot', 'Pot', 'Wall', 'Pot'][index],
        name,
        exitCode === 600 ? 'exit 600 ERROR_REFUSED' : `exit ${exitCode}`,
      ]),
    );
    const again = await answers('racing/kept.toncall');
    assert.deepEqual([again.status, again.found[0]?.order, again.found[0]?.explored], [1, order, null]);
    const given = await answers('racing/0.toncall', '--order', order);
    assert.deepEqual(given.found[0]?.deliveries, again.found[0]?.deliveries);
    const good = await explore('racing/0.toncall', '--order', '1.3.4.2');
    assert.equal(good.status, 0, good.stderr);
    const impossible = await explore('racing/0.toncall', '--order', '3.1');
    assert.deepEqual([impossible.status, lastError(impossible).code], [2, 'order-invalid']);
    const elsewhere = await explore('racing/0.toncall', '--keep', 'kept.toncall');
    assert.deepEqual([elsewhere.status, lastError(elsewhere).code], [2, 'usage']);
  });

  it('ends at an exit code that the source does not name, unless the sheet or the command accepts it', async () => {
    await write(
      'other/limit.tolk',
      `struct Storage { left: uint8 }
struct (0x00000001) Use { by: uint8 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  var s = Storage.fromCell(contract.getData());
  s.left -= Use.fromSlice(in.body).by;
  contract.setData(s.toCell());
}
`,
    );
    const sheet = (end: string): string =>
      `### limit\n@concurrent\ndeploy limit.tolk {left: 5} as Limit\nsend Limit Use {by: 3} 0.1ton from alice\nsend Limit Use {by: 4} 0.1ton from bob\n${end}`;
    await write('other/limit.toncall', sheet(''));
    const { status, found } = await answers('other/limit.toncall');
    assert.equal(status, 1);
    assert.deepEqual([found[0]?.fault?.kind, found[0]?.fault?.code, found[0]?.fault?.line], ['exit', 5, 5]);
    assert.match(
      (await explore('other/limit.toncall')).stdout,
      /Limit ends with exit code 5 \(value out of range\), which its source does not name\./,
    );
    assert.equal((await answers('other/limit.toncall', '--accept', '5')).status, 0);
    await write('other/limit.toncall', sheet('expect exit 5\n'));
    const expected = await answers('other/limit.toncall');
    // In the other order alice is the one who fails.
    assert.deepEqual([expected.found[0]?.fault?.kind, expected.found[0]?.fault?.line], ['exit', 4]);
  });

  it('says how far it came, and what the sheet lacks', async () => {
    const bounded = await explore('repaired/4.toncall', '--orders', '1');
    assert.equal(bounded.status, 0, bounded.stderr);
    assert.match(bounded.stdout, /1 order run, [\d.]+ % of the space, .*stopped by --orders\n/);
    await write('other/plain.toncall', '### nothing\nsend bob 1ton from alice\n');
    const plain = await explore('other/plain.toncall');
    assert.deepEqual([plain.status, lastError(plain).code], [2, 'concurrent-missing']);
    await write('other/one.toncall', '### one\n@concurrent\nsend bob 1ton from alice\n');
    const one = await explore('other/one.toncall');
    assert.deepEqual([one.status, lastError(one).code], [2, 'call-sheet-invalid']);
    await write(
      'other/unprepared.toncall',
      '### no\n@concurrent\nalice seqno()\nexpect 0 == 7\nsend bob 1ton\nsend bob 2ton from bob\n',
    );
    const unprepared = await explore('other/unprepared.toncall');
    assert.deepEqual([unprepared.status, lastError(unprepared).code], [1, 'concurrent-unprepared']);
  });
});
