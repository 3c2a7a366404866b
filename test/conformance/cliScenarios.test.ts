import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { root } from '../../scripts/lib/root.mjs';
import { lastError, runCommandLine, startCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { readXml } from '../support/readXml';
import type { XmlElement } from '../support/readXml';

/** The suites in a report, as a CI service reads them. */
const suitesIn = async (file: string): Promise<XmlElement[]> => {
  const { name, children } = readXml(await readFile(file, 'utf8'));
  assert.equal(name, 'testsuites');
  return children;
};

const shelf = `
const ERR_FULL = 501
struct Limits { perTransfer: coins; day: coins }
struct Info { count: uint32; isOpen: bool; limits: Limits; guardians: map<address, uint32> }
struct Storage { owner: address; count: uint32; guardians: map<address, uint32> }
struct (0x00000021) Put { who: address; weight: uint32 }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return }
  val put = Put.fromSlice(in.body);
  var kept = Storage.fromCell(contract.getData());
  assert (put.weight < 100) throw ERR_FULL;
  kept.count += 1;
  kept.guardians.set(put.who, put.weight);
  contract.setData(kept.toCell());
}
get fun canPut(who: address, weight: uint32): bool { return weight < 100; }
get fun info(): Info {
  val kept = Storage.fromCell(contract.getData());
  return Info { count: kept.count, isOpen: true, limits: Limits { perTransfer: ton("1"), day: ton("2.5") }, guardians: kept.guardians };
}
`;

describe('scenarios of call sheets against a real local network', () => {
  let localnet: LocalnetCommand;
  let origin: string;
  let folder: string;

  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(['run', ...args, '--network', origin], {}, folder);
  const sheet = async (text: string): Promise<string> => {
    const file = path.join(folder, 'sheet.toncall');
    await writeFile(file, text);
    return file;
  };
  const block = async (): Promise<number> => {
    const answer = await fetch(`${origin}/control/status?wait=5`);
    return ((await answer.json()) as { seqno: number }).seqno;
  };

  before(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'tonwb-scenario-'));
    await mkdir(path.join(folder, 'contracts'));
    await writeFile(path.join(folder, 'contracts/shelf.tolk'), shelf);
    localnet = await startLocalnetCommand();
    origin = localnet.origin;
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await localnet.stop();
  });

  it('runs the example scenario from scratch, leaves nothing behind, and reports for CI', async () => {
    const before = await block();
    const report = path.join(folder, 'report.xml');
    const file = path.join(root, 'examples/scenario.toncall');
    for (let time = 0; time < 2; time++) {
      const done = await run(file, '--junit', report);
      assert.equal(done.status, 0, done.stdout + done.stderr);
      assert.match(done.stdout, /ERROR_NOT_OWNER/);
      assert.match(done.stdout, /\nsteps: \d+ passed, 0 failed\nscenarios: 4 passed, 0 failed\n$/);
      assert.equal(await block(), before);
    }
    const [suite] = await suitesIn(report);
    assert.ok(suite);
    const { tests, failures, errors, skipped, name, timestamp } = suite.attributes;
    assert.deepEqual(
      { tests, failures, errors, skipped, name },
      { tests: '4', failures: '0', errors: '0', skipped: '0', name: file },
    );
    assert.match(timestamp ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    assert.deepEqual(
      suite.children.map((one) => [one.attributes.name, Number(one.attributes.time) > 0]),
      [
        ['a new counter is empty', true],
        ['anyone may add to it', true],
        ['only its owner may reset it', true],
        ['an unknown message is refused', true],
      ],
    );
  });

  it('skips the steps of a contract whose deployment failed, and says which line that was', async () => {
    const file = await sheet(`### first things first
deploy contracts/none.tolk {owner: alice} as Mine
send Mine Put {who: bob, weight: 5} 0.1ton from alice
Mine info()
expect alice seqno() >= 0

### with nothing else
expect Mine info().count == 1
`);
    const report = path.join(folder, 'skipped.xml');
    const { status, stdout, stderr } = await run(file, '--junit', report);
    assert.equal(status, 2, stderr);
    const lines = stdout.split('\n').filter((line) => !line.startsWith('      '));
    assert.deepEqual(lines, [
      'first things first',
      `  ✗ deploy contracts/none.tolk {owner: alice} as Mine  ${file}:2`,
      `  - send Mine Put {who: bob, weight: 5} 0.1ton from alice  ${file}:3`,
      `  - Mine info()  ${file}:4`,
      `- with nothing else  ${file}:8`,
      '    Skipped: Mine is not deployed, because line 2 failed.',
      'steps: 0 passed, 1 failed, 3 skipped',
      'scenarios: 0 passed, 1 failed, 1 skipped',
      '',
    ]);
    assert.doesNotMatch(stdout, /No account is called|neither an address/);
    const [suite] = await suitesIn(report);
    assert.deepEqual([suite?.attributes.errors, suite?.attributes.skipped], ['1', '1']);
  });

  it('checks answers by the names and units in the source, nested values and map entries included', async () => {
    const file = await sheet(`@restore
### all of it
deploy contracts/shelf.tolk {owner: alice, count: 0, guardians: {}} as Shelf
send Shelf Put {who: bob, weight: 5} 0.1ton from alice
@count = Shelf info().count
@day = Shelf info().limits.day
Shelf info()
expect count == 1
expect count == @count
expect isOpen == true
expect limits.day == @day
expect Shelf info().limits.perTransfer == 1ton
expect Shelf info().limits.day > 2ton
expect Shelf info().guardians[bob] == 5
expect Shelf info().guardians[alice] == null
expect 1 == true
send Shelf Put {who: bob, weight: @count} 0.1ton from bob
expect Shelf info().guardians[bob] == @count
send Shelf Put {who: bob, weight: 100} 0.1ton
expect exit ERR_FULL
expect exit 501
`);
    const done = await run(file);
    assert.equal(done.status, 0, done.stdout + done.stderr);
    assert.match(done.stdout, /exit 501 ERR_FULL/);
  });

  it('says by name what is not met, and what the value is', async () => {
    const file = await sheet(`@restore
deploy contracts/shelf.tolk {owner: alice, count: 0, guardians: {}} as Shelf
### wrong
Shelf info()
expect count == 3
expect isOpen == false
expect limits.day < 1ton
expect guardians[bob] == 1
### silent failure
send Shelf Put {who: bob, weight: 100} 0.1ton
### other failure
send Shelf Put {who: bob, weight: 100} 0.1ton
expect exit ERR_EMPTY
### no failure
send Shelf Put {who: bob, weight: 1} 0.1ton
expect fails
`);
    const report = path.join(folder, 'failed.xml');
    const done = await run(file, '--json', '--junit', report);
    assert.deepEqual([done.status, lastError(done).code], [1, 'expectation-failed'], done.stderr);
    const failures = done.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { failures: string[] }).failures);
    assert.deepEqual(failures[1], [
      'count is 0, expected 3.',
      'isOpen is true, expected false.',
      'limits.day is 2.5ton, expected less than 1ton.',
      'guardians[bob] is null, expected 1.',
    ]);
    assert.match(failures[2]?.[0] ?? '', / refused .*: ERR_FULL, \d+/);
    assert.match(
      failures[3]?.[0] ?? '',
      /^exit is 501 \(ERR_FULL\), expected ERR_EMPTY\. The contract has no such exit code/,
    );
    assert.deepEqual(failures[4], ['It succeeded, but was expected to fail.']);
    const suites = await suitesIn(report);
    assert.equal(suites[0]?.attributes.failures, '4');
    const [wrong] = suites[0]?.children.filter((one) => one.attributes.name === 'wrong') ?? [];
    assert.equal(wrong?.children[0]?.attributes.message, 'count is 0, expected 3.');
    assert.match(wrong?.children[0]?.text ?? '', /isOpen is true/);
  });

  it('checks names, accounts, types, and data of every step before the first message leaves', async () => {
    const deploy = 'deploy contracts/shelf.tolk {owner: alice, count: 0, guardians: {}} as Shelf';
    const wrong: [line: string, why: RegExp][] = [
      ['nosuch foo()', /No account is called “?nosuch|nosuch/],
      ['expect nosuch seqno() == 0', /nosuch/],
      ['send bob 0.1ton from judas', /judas/],
      ['send Shelf Put {who: bob, weight: "much"} 0.1ton', /A number is missing for uint32/],
      ['send Shelf Putt {who: bob, weight: 5} 0.1ton', /Putt/],
      ['send bob 0.1tons', /“tons” is not a unit/],
      ['alice seqno({a: 1})', /{a: 1}|argument/],
      ['Shelf canPut("bob", 1)', /bob/],
      ['Shelf info()\nexpect cuont == 1', /The answer of info has no “cuont”\. Did you mean count\?/],
      ['Shelf info()\nexpect isOpen == 5', /isOpen|5/],
      ['deploy contracts/shelf.tolk {owner: alice} as Second', /count/],
    ];
    for (const [line, why] of wrong) {
      const before = await block();
      const file = await sheet(`send bob 0.1ton from judy\n\n### later\n${deploy}\n${line}\n`);
      const done = await run(file);
      assert.equal(await block(), before, `${line} is told before anything is sent`);
      assert.deepEqual([done.status, done.stdout], [2, ''], `${line}: ${done.stderr}`);
      const { message } = lastError(done);
      assert.match(message, why, `${line}: ${message}`);
    }
    for (const [network, code] of [
      ['mainnet', 'compose-local-only'],
      ['elsewhere', 'network-unknown'],
    ]) {
      const before = await block();
      const file = await sheet(
        `@network ${origin}\nsend bob 0.1ton from judy\n\n### later\n@network ${network}\nsend bob 0.1ton from judy\n`,
      );
      const done = await runCommandLine(['run', file], {}, folder);
      assert.deepEqual([done.status, lastError(done).code], [2, code], done.stderr);
      assert.equal(await block(), before);
    }
  });

  it('restores the state after each scenario, even if a step cannot run', async () => {
    const before = await block();
    const file = await sheet(`### one
@restore
deploy contracts/shelf.tolk {owner: alice, count: 0, guardians: {}} as Shelf
deploy contracts/none.tolk as Other
### two
expect Shelf info().count == 0
`);
    const done = await run(file);
    assert.equal(done.status, 2, done.stdout);
    assert.equal(await block(), before);
    assert.match(done.stdout, /✗ expect Shelf info\(\)\.count|✗ two/);
  });

  it('restores the state when it is stopped during a step, and lets no other sheet in before that', async () => {
    const control = async (command: string, parameters: object = {}): Promise<void> => {
      const answer = await fetch(`${origin}/control/${command}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(parameters),
      });
      assert.equal(answer.status, 200, await answer.text());
    };
    const before = await block();
    const file = await sheet('@restore\nsend bob 0.1ton from alice\nexpect exit 0\n');
    const stuck = path.join(folder, 'stuck.toncall');
    await writeFile(stuck, '@restore\nalice seqno()\nsend bob 0.1ton from alice\nsend bob 1ton from alice\n');
    await control('mode', { mode: 'manual' });
    try {
      const stopped = await startCommandLine(['run', stuck, '--network', origin]);
      for (let pending = 0; pending === 0;) {
        const answer = await fetch(`${origin}/control/status`);
        ({ pending } = (await answer.json()) as { pending: number });
      }
      const refused = await run(file);
      assert.deepEqual([refused.status, lastError(refused).code], [1, 'call-sheet-busy'], refused.stderr);
      stopped.child.kill('SIGINT');
      assert.notEqual(await stopped.ended, 0);
      const status = (await (await fetch(`${origin}/control/status`)).json()) as Record<string, unknown>;
      assert.deepEqual([status['seqno'], status['pending']], [before, 0]);
    } finally {
      await control('mode', { mode: 'automatic' });
    }
    const after = await run(file);
    assert.equal(after.status, 0, after.stdout + after.stderr);
    assert.equal(await block(), before);
  });

  it('sends nothing to a network that is not local', async () => {
    const file = await sheet('send alice 0.1ton from bob\n');
    const done = await runCommandLine(['run', file, '--network', 'https://network.invalid'], {}, folder);
    assert.deepEqual([done.status, lastError(done).code], [2, 'compose-local-only'], done.stderr);
  });

  it('runs several sheets, and refuses a report that cannot be written before running anything', async () => {
    const one = await sheet('alice seqno()\n');
    const other = path.join(folder, 'other.toncall');
    await writeFile(other, '### broken\nalice seqno(\n');
    const report = path.join(folder, 'several.xml');
    const done = await run(one, other, '--junit', report);
    assert.deepEqual([done.status, lastError(done).code], [2, 'call-sheet-invalid']);
    const suites = await suitesIn(report);
    assert.deepEqual(
      suites.map(({ attributes: { name, tests, errors } }) => [path.basename(name ?? ''), tests, errors]),
      [
        ['sheet.toncall', '1', '0'],
        ['other.toncall', '1', '1'],
      ],
    );
    for (const bad of [path.join(folder, 'no/such/report.xml'), folder]) {
      const refused = await run(one, '--junit', bad);
      assert.deepEqual(
        [refused.status, lastError(refused).code, refused.stdout],
        [2, 'report-unwritable', ''],
      );
    }
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.tmp')),
      [],
    );
  });
});
