import assert from 'node:assert/strict';
import { beginCell, Cell } from '@ton/core';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callControl } from '../../src/toolkit/localnet/callControl';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetHere } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';

/** Keeps a dictionary, which each message makes larger by an entry. */
const shelf = `
struct Storage { owner: address; weights: map<address, uint32> }
struct (0x00000021) Put { who: address; weight: uint32 }
type Incoming = Put
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return }
  val put = Put.fromSlice(in.body);
  assert (put.weight < 100) throw 501;
  var kept = Storage.fromCell(contract.getData());
  kept.weights.set(put.who, put.weight);
  contract.setData(kept.toCell());
}
`;

interface Size {
  cells: number;
  bits: number;
  yearly: string;
}
interface Forecast extends Size {
  time: number;
  owed: string;
  debt: string;
  freezesFrom: number | null;
  after: Size | null;
}

describe('account --forecast against a real local network', () => {
  let localnet: LocalnetCommand;
  let folder: string;
  /** Large, and with little: it is frozen within years. */
  const large = `0:${'5a'.repeat(32)}`;
  const balance = 1_000_000n;

  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine([...args, '--network', localnet.origin], {}, folder);
  const account = async (...args: string[]): Promise<{ forecast: Forecast | null; state: string }> => {
    const { status, stdout, stderr } = await run('account', ...args, '--limit', '0', '--json');
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout) as { forecast: Forecast | null; state: string };
  };
  const forecastOf = async (...args: string[]): Promise<Forecast> =>
    (await account(...args, '--forecast')).forecast ?? assert.fail();

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-forecast-'));
    await mkdir(path.join(folder, 'contracts'));
    await writeFile(path.join(folder, 'contracts/shelf.tolk'), shelf);
    localnet = await startLocalnetHere();
    const data = '{owner: alice, weights: {}}';
    const deployed = await run('deploy', 'contracts/shelf.tolk', '--data', data, '--name', 'Shelf');
    assert.equal(deployed.status, 0, deployed.stdout + deployed.stderr);
    let cell = Cell.EMPTY;
    for (let number = 0; number < 250; number++) {
      cell = beginCell().storeUint(number, 1000).storeRef(cell).endCell();
    }
    const boc = cell.toBoc().toString('base64');
    await control('setAccount', { address: large, balance: balance.toString(), code: boc, data: boc });
  });
  after(async () => {
    await localnet?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const control: (...args: ControlArguments) => Promise<unknown> = (name, parameters) =>
    callControl(`${localnet.origin}/control`, name, parameters as never);
  type ControlArguments = [name: 'setAccount' | 'time' | 'sendAs' | 'restore' | 'status', parameters: object];

  it('tells what it costs, and nothing about it without the option', async () => {
    const { stdout, status } = await run('account', large, '--forecast');
    assert.equal(status, 0);
    const [, section = ''] = stdout.split('\nstorage fees\n');
    assert.match(section, /^ {2}owes +0(?:\.\d+)? TON, its balance covers that$/m);
    assert.match(section, /^ {2}a year costs +0\.0\d+ TON {2}\(252 cells, [\d ]+ bits\)$/m);
    assert.match(section, /^ {2}is frozen +from 20\d\d-.* UTC, with a debt of more than 0\.1 TON$/m);
    assert.match(
      section,
      /^ {2}is deleted +not before 2106, when block times end; from 20\d\d-.* UTC at the earliest, if frozen later$/m,
    );
    assert.doesNotMatch((await run('account', large)).stdout, /storage fees/);
    assert.equal((await account(large)).forecast, null);
  });

  it('is what happens on the local network after its time is moved', async () => {
    const { seqno } = (await control('status', {})) as { seqno: number };
    const { freezesFrom, time } = await forecastOf(large);
    assert.ok(freezesFrom !== null && freezesFrom > time);
    const touch = (): Promise<unknown> =>
      control('sendAs', { from: localnet.rawOf('bob'), to: large, value: '0', bounce: true });
    // The network's clock does not stand still.
    await control('time', { at: freezesFrom - 600 });
    const before = await forecastOf(large);
    await touch();
    const after = await account(large, '--forecast');
    assert.equal(after.state, 'active');
    const more = BigInt(after.forecast!.debt) - (BigInt(before.owed) - balance);
    assert.ok(more >= 0n && more < 1000n, `${more}`);
    await control('restore', { seqno });
    await control('time', { at: freezesFrom });
    await touch();
    const frozen = await run('account', large, '--unfrozen-for', '1d');
    assert.equal(frozen.status, 1);
    assert.match(lastError(frozen).message, / is frozen\.$/);
    await control('restore', { seqno });
    await control('time', { at: time });
  });

  it('checks for CI how long an account lasts', async () => {
    const { freezesFrom, time } = await forecastOf(large);
    const left = freezesFrom! - time;
    assert.equal((await run('account', large, '--unfrozen-for', `${left - 600}s`)).status, 0);
    const tooSoon = await run('account', large, '--unfrozen-for', `${left}s`);
    assert.equal(tooSoon.status, 1);
    assert.equal(lastError(tooSoon).code, 'frozen-too-soon');
    assert.match(tooSoon.stdout, /storage fees/);
    const absent = await run('account', `0:${'77'.repeat(32)}`, '--unfrozen-for', '1y');
    assert.equal(absent.status, 1);
    assert.match(absent.stdout, /It does not exist, so it owes nothing\./);
    assert.equal((await run('account', `-1:${'33'.repeat(32)}`, '--unfrozen-for', '1y')).status, 0);
    for (const wrong of ['1w', '300y']) {
      const { status } = await run('account', 'alice', '--unfrozen-for', wrong);
      assert.equal(status, 2, wrong);
    }
  });

  it('measures what one more entry of a dictionary costs', async () => {
    const put = (weight: number): string => `send Shelf 0.05ton Put {who: bob, weight: ${weight}} from alice`;
    const { after, ...now } = await forecastOf('Shelf', '--after', put(3));
    assert.equal(after!.cells, now.cells + 1);
    assert.ok(after!.bits > now.bits && BigInt(after!.yearly) > BigInt(now.yearly));
    // Nothing was sent; once it is, it costs what was forecast.
    assert.equal((await forecastOf('Shelf')).cells, now.cells);
    const sent = await run('send', '--compose', put(3).replace('send ', ''));
    assert.equal(sent.status, 0, sent.stderr);
    const { cells, bits, yearly } = await forecastOf('Shelf');
    assert.deepEqual({ cells, bits, yearly }, after);
    const { stdout } = await run('account', 'Shelf', '--after', put(4));
    assert.match(stdout, /After the message, a year costs 0\.\d+ TON \(0\): 5 cells, [\d ]+ bits\./);
    const other = await run('account', 'Shelf', '--after', 'send carol 1ton from bob');
    assert.match(other.stdout, /The message does not reach this account/);
    const refused = await run('account', 'Shelf', '--after', put(100));
    assert.equal(refused.status, 1);
    assert.match(lastError(refused).message, /exit code 501/);
  });
});
