import { pickySource } from '../support/pickySource';
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Address, Cell, contractAddress, loadStateInit } from '@ton/core';
import { vaultSource } from '../support/vaultSource';
import { lastError, runCommandLine, startCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';

const counter = `
import "numbers"
fun onInternalMessage(in: InMessage) {}
get fun total(): int {
  return contract.getData().beginParse().loadUint(32) + seven();
}
get fun owned(by: address): bool { return true; }
`;

interface Deployed {
  name: string;
  address: string;
  codeHash: string;
  stateInit: string;
  isDeployed: boolean;
}

describe('deploy, account, networks and names against a real local network', () => {
  let localnet: LocalnetCommand;
  let origin: string;
  let folder: string;
  let source: string;

  const run = (...args: string[]): Promise<CommandLineRun> => runCommandLine([...args, '--network', origin]);
  const lines = ({ stdout }: CommandLineRun): unknown[] =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-deploy-'));
    source = path.join(folder, 'counter.tolk');
    await writeFile(source, counter);
    await writeFile(path.join(folder, 'numbers.tolk'), 'fun seven(): int { return 7; }\n');
    localnet = await startLocalnetCommand();
    origin = localnet.origin;
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await localnet.stop();
  });

  it('deploy --dry-run compiles, shows the future address, and sends nothing', async () => {
    const done = await run('deploy', source, '--data', 'b(u32 35)', '--dry-run', '--json');
    assert.equal(done.status, 0, done.stderr);
    const [plan, ...more] = lines(done) as [Deployed & { send: { sent: boolean; accepted: boolean } }];
    assert.deepEqual(more, [], 'one document');
    const { send: rehearsed } = plan;
    const init = loadStateInit(Cell.fromBase64(plan.stateInit).beginParse());
    assert.equal(plan.address, contractAddress(0, init).toRawString());
    assert.equal(init.code?.hash().toString('hex'), plan.codeHash);
    assert.deepEqual([plan.name, plan.isDeployed], ['Counter', false]);
    assert.deepEqual([rehearsed.accepted, rehearsed.sent], [true, false]);
    assert.equal((await run('run', plan.address, 'total')).status, 1);
    assert.deepEqual((await readdir(folder)).sort(), ['counter.tolk', 'numbers.tolk'], 'nothing was written');
  });

  it('deploy sends from a wallet, names the contract, and does it once', async () => {
    const done = await run('deploy', source, '--data', 'b(u32 35)', '--from', 'bob', '--json');
    assert.equal(done.status, 0, done.stderr);
    const [deployed, ...more] = lines(done) as [
      Deployed & { send: { sent: boolean; trace: { failed: number } } },
    ];
    assert.deepEqual(more, [], 'one document');
    const { send: sent } = deployed;
    assert.deepEqual([deployed.name, deployed.isDeployed], ['Counter', true]);
    assert.deepEqual([sent.sent, sent.trace.failed], [true, 0]);
    const again = await run('deploy', source, '--data', 'b(u32 35)');
    assert.equal(again.status, 0, again.stderr);
    assert.match(again.stdout, /^Counter is already deployed; nothing was sent\./);
    assert.doesNotMatch(again.stderr, /was not given/);
    const other = await run('deploy', source, '--data', 'b(u32 35)', '--name', 'Second');
    assert.match(other.stdout, /^Counter is already deployed; nothing was sent\./);
    assert.match(other.stderr, /The name Second was not given: .* it is called Counter there/);
    const told = await run('deploy', source, '--data', 'b(u32 35)', '--name', 'Second', '--json');
    const [there, ...none] = lines(told) as [Deployed & { send: null }];
    assert.deepEqual([there.name, there.isDeployed, there.send, none], ['Counter', true, null, []]);
  });

  it('run sends a struct that may be null, and the variant of a union, to a contract compiled by deploy', async () => {
    const shapes = path.join(folder, 'shapes.tolk');
    await writeFile(
      shapes,
      `struct Point { x: int64; y: int64 }
struct Line { start: Point; end: Point }
fun onInternalMessage(in: InMessage) {}
get fun far(line: Line?): int { match (line) { Line => { return line.end.x } null => { return -1 } } }
get fun first(shape: Point | Line): Point | null { match (shape) { Point => { return shape } Line => { return null } } }
`,
    );
    const done = await run('deploy', shapes, '--json');
    assert.equal(done.status, 0, done.stderr);
    for (const [method, text, value] of [
      ['far', '{start: {x: 1, y: 2}, end: {x: 3, y: 4}}', '3'],
      ['far', 'null', '-1'],
      ['first', 'Point {x: 1, y: 2}', { x: '1', y: '2' }],
      ['first', 'Line {start: {x: 1, y: 2}, end: {x: 3, y: 4}}', null],
    ] as const) {
      const called = await runCommandLine(
        ['run', 'Shapes', method, text, '--network', origin, '--json'],
        {},
        folder,
      );
      assert.equal(called.status, 0, called.stderr);
      const { typed } = JSON.parse(called.stdout) as { typed: { value: unknown } };
      assert.deepEqual(typed.value, value, text);
    }
  });

  it('deploy gives the first message a body; a refused one deploys all the same, and is told as such', async () => {
    const picky = path.join(folder, 'picky.tolk');
    await writeFile(picky, pickySource);
    const deploy = (level: number, ...more: string[]): Promise<CommandLineRun> =>
      run('deploy', picky, '--data', `{level: ${level}}`, ...more, '--json');
    const levelOf = async (name: string): Promise<unknown> => {
      const answer = await run('run', name, 'level', '--json');
      return (JSON.parse(answer.stdout) as { stack: unknown }).stack;
    };
    for (const [name, message, status] of [
      ['Typed', 'Init {level: 8}', 0],
      ['Cell', 'b(u32 0x55, u8 8)', 0],
      ['Bodies', 'body b(u32 0x55, u8 8)', 0],
      ['Refused', 'Init {level: 100}', 1],
    ] as const) {
      const done = await deploy(name.length, '--name', name, '--message', message);
      assert.equal(done.status, status, done.stderr);
      assert.equal((lines(done)[0] as Deployed).name, name, 'it keeps its name');
      assert.equal((lines(done)[0] as Deployed).isDeployed, true);
      assert.match(JSON.stringify(await levelOf(name)), status === 0 ? /"8"/ : /"7"/);
      if (status === 1) {
        assert.equal(lastError(done).code, 'trace-failed');
        assert.match(lastError(done).message, /^Refused is deployed, and it refused its first message: .*77/);
      }
    }
    // A rehearsal ends as sending would.
    const rehearsed = await deploy(20, '--dry-run');
    assert.equal(rehearsed.status, 0, rehearsed.stderr);
    assert.match(rehearsed.stderr, /Picky would be deployed, and would refuse the empty message: .*65535/);
    const { isDeployed, send } = lines(rehearsed)[0] as Deployed & { send: { sent: boolean } };
    assert.deepEqual([isDeployed, send.sent], [false, false]);
    const refused = await deploy(20, '--dry-run', '--message', 'Init {level: 100}');
    assert.deepEqual([refused.status, lastError(refused).code], [1, 'trace-failed']);
    assert.match(
      lastError(refused).message,
      /^Picky would be deployed, and would refuse its first message: /,
    );
    const lost = await deploy(20, '--dry-run', '--value', '1');
    assert.deepEqual([lost.status, lastError(lost).code], [1, 'contract-not-deployed']);
    const empty = await deploy(20);
    assert.equal(empty.status, 0, empty.stderr);
    assert.match(empty.stderr, /Picky is deployed, and it refused the empty message: .*exit code 65535/);
    assert.match(JSON.stringify(await levelOf('Picky')), /"20"/);
    const wrong = await deploy(21, '--message', 'Unit {level: 8}');
    assert.deepEqual([wrong.status, lastError(wrong).code], [2, 'argument-invalid']);
    assert.match(lastError(wrong).message, /^--message "Unit {level: 8}": No message is called “Unit”/);
    const poor = await deploy(22, '--value', '1');
    assert.equal(lastError(poor).code, 'contract-not-deployed');
    assert.match(lastError(poor).message, /Nothing was sent/);
    const { send: unsent } = lines(poor)[0] as { send: { sent: boolean } };
    assert.equal(unsent.sent, false);
    const anyway = await deploy(22, '--value', '1', '--anyway');
    assert.equal(lastError(anyway).code, 'contract-not-deployed');
    assert.equal((lines(anyway)[0] as { send: { sent: boolean } }).send.sent, true);
  });

  it('deploy says which option is wrong, not a position in a line that the user never typed', async () => {
    for (const [option, given, said] of [
      ['--value', '1tonn', /^--value "1tonn": “tonn” is not a unit/],
      ['--from', 'alic', /^--from "alic": No wallet here is called “alic”/],
    ] as const) {
      const wrong = await run('deploy', source, '--data', 'b(u32 37)', option, given);
      assert.deepEqual([wrong.status, lastError(wrong).code], [2, 'argument-invalid']);
      assert.match(lastError(wrong).message, said);
    }
  });

  it('deploy finishes its work even if nobody reads all of its output, as before | head -1', async () => {
    const deploying = await startCommandLine([
      'deploy',
      source,
      '--data',
      'b(u32 36)',
      '--name',
      'Unread',
      '--network',
      origin,
    ]);
    deploying.child.stdout?.destroy();
    assert.equal(await deploying.ended, 0);
    const called = await run('run', 'Unread', 'total', '--json');
    assert.equal(called.status, 0, called.stderr);
  });

  it('localnet status tells an editor terminal where its network is, and which accounts it has', async () => {
    const terminal = { TON_LOCAL_V2: `${origin}/api/v2`, TON_LOCAL_V3: `${origin}/api/v3` };
    const done = await runCommandLine(['localnet', 'status', '--json'], terminal);
    assert.equal(done.status, 0, done.stderr);
    const [status] = lines(done) as [
      { v2: string; v3: string; seqno: number; fork: null; contracts: { name: string }[]; wallets: object[] },
    ];
    assert.deepEqual([status.v2, status.v3], [terminal.TON_LOCAL_V2, terminal.TON_LOCAL_V3]);
    assert.deepEqual([status.fork, status.wallets.length, status.seqno > 0], [null, 10, true]);
    assert.ok(status.contracts.some(({ name }) => name === 'Counter'));
    const { stdout } = await runCommandLine(['localnet', 'status'], terminal);
    assert.match(stdout, /^The local network is running: block \d+, \d+ transactions\.\n {2}v2 {2}http/);
    assert.match(stdout, /^ {2}alice +wallet v5r1 {2}UQ[\w-]{46}$/m);
    const nobody = await runCommandLine(['localnet', 'status'], {
      TON_LOCAL_V2: 'http://127.0.0.1:9/api/v2',
    });
    assert.deepEqual([nobody.status, lastError(nobody).code], [3, 'localnet-unreachable']);
  });

  it('accepts a name wherever an address is expected', async () => {
    for (const name of ['Counter', '@Counter']) {
      const called = await run('run', name, 'total', '--json');
      assert.equal(called.status, 0, called.stderr);
      assert.equal((JSON.parse(called.stdout) as { stack: { value: string }[] }).stack[0]?.value, '42');
    }
    const composed = await run('send', '--compose', 'Counter 0.1ton from alice', '--json');
    assert.equal(composed.status, 0, composed.stderr);
    const traced = await run('trace', 'Counter', '--limit', '1');
    assert.match(traced.stdout, /Counter/);
    const asked = await run('api', 'v3', 'accountStates', 'address=Counter', '--json');
    assert.equal(asked.status, 0, asked.stderr);
    const sheet = path.join(folder, 'counter.toncall');
    await writeFile(sheet, 'Counter total()\nexpect 0 == 42\n\n@Counter owned(@bob)\nexpect 0 == true\n');
    const ran = await run('run', sheet);
    assert.equal(ran.status, 0, ran.stdout + ran.stderr);
    assert.match(ran.stdout, /2 passed, 0 failed/);
  });

  it('answers a typo with the name that was probably meant', async () => {
    for (const args of [
      ['run', 'alcie', 'seqno'],
      ['account', '@alcie'],
      ['trace', 'alcie'],
      ['api', 'v3', 'accountStates', 'address=alcie'],
    ]) {
      const done = await run(...args);
      const error = lastError(done);
      assert.deepEqual([done.status, error.code], [2, 'account-unknown'], args.join(' '));
      assert.match(error.message, /No account is called “alcie”\. Did you mean alice\?/);
    }
  });

  it('a call sheet whose contract is not deployed says so', async () => {
    const nowhere = new Address(0, Buffer.alloc(32, 0x77)).toString();
    const sheet = path.join(folder, 'absent.toncall');
    await writeFile(sheet, `@game = ${nowhere}\n\ngame owned(bob)\n`);
    const done = await run('run', sheet);
    const error = lastError(done);
    assert.deepEqual([done.status, error.code], [1, 'contract-missing']);
    assert.match(error.message, /There is no contract at 0:7777.*\(game\).*Deploy it first/);
  });

  it('deploy says where the source does not compile, which data is missing, and that a file is not a contract', async () => {
    const broken = path.join(folder, 'broken.tolk');
    await writeFile(broken, 'fun onInternalMessage(in: InMessage) {}\nget fun x(): int { return y; }\n');
    const compiled = await run('deploy', broken);
    assert.deepEqual([compiled.status, lastError(compiled).code], [2, 'compile-failed']);
    assert.match(lastError(compiled).message, /broken\.tolk does not compile: line 2/);
    const missing = await run('deploy', path.join(folder, 'none.tolk'));
    assert.deepEqual([missing.status, lastError(missing).code], [2, 'file-unreadable']);
    const junk = path.join(folder, 'junk.boc');
    await writeFile(junk, 'nothing');
    assert.equal(lastError(await run('deploy', junk)).code, 'build-unreadable');
    assert.equal(lastError(await run('deploy', source, '--data', '7')).code, 'not-one-cell');
  });

  it('account shows state, balance, interfaces, and the newest traces', async () => {
    const shown = await run('account', 'Counter');
    assert.equal(shown.status, 0, shown.stderr);
    assert.match(shown.stdout, /^Counter, active on /);
    assert.match(shown.stdout, /newest traces\n {2}✓ /);
    const done = await run('account', 'alice', '--limit', '2', '--json');
    const account = JSON.parse(done.stdout) as {
      name: string;
      state: string;
      balance: string;
      wallet: { type: string; seqno: number };
      methods: { name: string | null }[];
      traces: { traceId: string }[];
    };
    assert.deepEqual([account.name, account.state], ['alice', 'active']);
    // How many messages alice has sent depends on the tests before this one.
    assert.ok(account.wallet.seqno >= 1, String(account.wallet.seqno));
    assert.ok(BigInt(account.balance) > 0n);
    assert.ok(account.methods.some(({ name }) => name === 'seqno'));
    assert.ok(account.traces.length > 0 && account.traces.length <= 2);
    assert.equal((await run('account', 'alice', '--limit', 'many')).status, 2);
  });

  it('networks says which APIs answer and which networks they belong to', async () => {
    const done = await runCommandLine(['networks', origin, 'http://127.0.0.1:1', '--json']);
    assert.equal(done.status, 0, done.stderr);
    const [local, nobody] = lines(done) as {
      identity: string | null;
      apis: { api: string; answers: boolean; version: string | null; error?: { code: string } }[];
    }[];
    assert.equal(local?.identity, 'other');
    assert.deepEqual(
      local?.apis.map(({ api, answers }) => [api, answers]),
      [
        ['v2', true],
        ['v3', true],
      ],
    );
    assert.ok(local?.apis.every(({ version }) => version !== null));
    assert.equal(nobody?.identity, null);
    assert.ok(nobody?.apis.every(({ answers, error }) => !answers && error?.code === 'unreachable'));
    const dead = await runCommandLine(['networks', 'http://127.0.0.1:1', '--json']);
    assert.deepEqual([dead.status, lastError(dead).code], [3, 'unreachable']);
    assert.equal(lines(dead).length, 1, 'it is printed all the same');
    const text = await runCommandLine(['networks', origin]);
    assert.match(text.stdout, /^✓ .*, on this machine\n {2}v2 {2}http.* block \d+, version /);
  });

  it('deploys from the storage fields, and sends a message by name, in a folder with nothing but a source', async () => {
    const own = await mkdtemp(path.join(tmpdir(), 'tonwb-vault-'));
    const here = (...args: string[]): Promise<CommandLineRun> =>
      runCommandLine([...args, '--network', origin], {}, own);
    await writeFile(path.join(own, 'vault.tolk'), vaultSource);
    const bare = await here('deploy', 'vault.tolk', '--json');
    assert.notEqual(bare.status, 0);
    assert.match(
      lastError(bare).message,
      /Vault needs initial data: owner: address, limits: Cell<Limits>, guardians: map<address, uint32>/,
    );
    const wrong = await here(
      'deploy',
      'vault.tolk',
      '--data',
      '{owner: alice, limit: {daily: 5ton}}',
      '--json',
    );
    assert.match(lastError(wrong).message, /Storage has no field “limit”/);
    const none = await here(
      'deploy',
      'vault.tolk',
      '--data',
      '{owner: none, limits: {daily: 5ton}, guardians: {}}',
    );
    assert.match(lastError(none).message, /owner takes an address, and none is not one/i);
    const data = '{owner: alice, limits: {daily: 5ton}, guardians: {bob: 3}}';
    const tiny = await here('deploy', 'vault.tolk', '--data', data, '--value', '1', '--json');
    assert.equal(lastError(tiny).code, 'contract-not-deployed');
    const done = await here('deploy', 'vault.tolk', '--data', data, '--json');
    assert.equal(done.status, 0, done.stderr);
    const valueOf = async (...call: string[]): Promise<unknown> => {
      const answer = await here('run', 'Vault', ...call, '--json');
      assert.equal(answer.status, 0, answer.stderr);
      return JSON.parse(answer.stdout);
    };
    assert.match(JSON.stringify(await valueOf('weightOf', 'bob')), /"3"/);
    assert.match(JSON.stringify(await valueOf('daily')), /5000000000/);
    const sent = await here(
      'send',
      '--compose',
      'Vault AddGuardian {who: alice, weight: 5} 0.1ton from alice',
      '--json',
    );
    assert.equal(sent.status, 0, sent.stderr);
    assert.match(JSON.stringify(await valueOf('weightOf', 'alice')), /"5"/);
    const misspelled = await here('send', '--compose', 'Vault AddGuardia {who: alice} 0.1ton', '--json');
    assert.match(lastError(misspelled).message, /no message is called “AddGuardia”/i);
    const trace = await here('trace', 'Vault');
    assert.match(trace.stdout, /AddGuardian/);
    const failing = await here('send', '--compose', 'Vault Drop {who: bob} 0.1ton from bob', '--dry-run');
    assert.match(failing.stdout, /Vault would refuse Drop: ERR_NOT_ALLOWED, 777/);
    assert.deepEqual([failing.status, lastError(failing).code], [1, 'trace-failed']);
    const report = await here('account', 'Vault', '--json');
    assert.match(report.stdout, /"name":"weightOf"/);
    await writeFile(path.join(own, 'other.tolk'), vaultSource);
    const unclear = await here('send', '--compose', 'bob Drop {who: bob} 0.1ton', '--json');
    assert.match(lastError(unclear).message, /several contracts have a message Drop/i);
    const named = await here('send', '--compose', 'bob vault.Drop {who: bob} 0.1ton', '--dry-run', '--json');
    assert.equal(named.status, 0, named.stderr);
    await rm(own, { recursive: true });
  });
});
