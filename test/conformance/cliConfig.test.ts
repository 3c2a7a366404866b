import assert from 'node:assert/strict';
import path from 'node:path';
import { beginCell } from '@ton/core';
import { runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetHere } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { referenceFolder } from '../support/referenceFolder';

const block = path.join(referenceFolder, 'blocks/shard-4168601.boc');

describe('the configuration of a network on the command line', () => {
  let localnet: LocalnetCommand;
  let other: LocalnetCommand;

  const run = (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(['config', ...args, '--network', localnet.origin]);

  before(async () => {
    [localnet, other] = await Promise.all([startLocalnetHere(), startLocalnetHere()]);
    const version = beginCell().storeUint(0xc4, 8).storeUint(11, 32).storeUint(0x1ee, 64).endCell();
    const changed = await fetch(`${other.origin}/control/config`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ param: 8, value: version.toBoc().toString('base64') }),
    });
    assert.equal(changed.status, 200, await changed.text());
  });
  after(async () => {
    await Promise.all([localnet.stop(), other.stop()]);
  });

  it('shows every parameter with what it decides, and one of them with all its fields', async () => {
    const all = await run();
    assert.equal(all.status, 0, all.stderr);
    assert.match(all.stdout, /^20 {2}Masterchain gas: Prices and limits of gas in the masterchain\.$/m);
    const { stdout } = await run('--param', '25');
    assert.match(stdout, /^25 {2}Basechain forwarding/m);
    assert.match(stdout, /lump_price +0\.\d+ TON\n +bit_price +\d+ \([\d.]+ nanocoins\)/);
    assert.doesNotMatch(stdout, /Masterchain gas/);
    // Hundreds of entries, none left out.
    const suspended = await run('--param', '44');
    assert.ok(suspended.stdout.split('\n').length > 170, suspended.stdout);
    assert.doesNotMatch(suspended.stdout, /more entries/);
    const json = JSON.parse((await run('--param', '8', '--json')).stdout) as {
      parameters: { title: string; content: { name: string; fields: { value: string }[] } }[];
    };
    assert.deepEqual(
      json.parameters.map(({ title, content }) => [title, content.name, content.fields[0]?.value]),
      [['Version', '8', '12']],
    );
  });

  it('shows what differs from another network, and from another block', async () => {
    const { stdout, status, stderr } = await run('--against', other.origin);
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^8 {2}Version: [^\n]*\n {2}version {2}12 → 11$/m);
    assert.equal(stdout.match(/ → /g)?.length, 1, stdout);
    const same = await run('--against', '1');
    assert.match(same.stdout, /as of block 1: no difference\./);
    const json = JSON.parse((await run('--against', other.origin, '--json')).stdout) as {
      equal: boolean;
      differences: { id: number; fields: unknown[] }[];
    };
    assert.equal(json.equal, false);
    assert.deepEqual(json.differences[0]?.fields, [{ path: 'version', left: '12', right: '11' }]);
  });

  it('refuses what it cannot show, with a next step', async () => {
    for (const [args, status, code] of [
      [['--param', '99'], 2, 'config-parameter-missing'],
      [['--param', 'gas'], 2, 'usage'],
      [['--seqno', '0'], 2, 'usage'],
      [['--seqno', '4000000'], 2, 'block-unknown'],
      [['--against', '0'], 2, 'usage'],
      [['--against', 'nowhere'], 2, 'network-unknown'],
    ] as const) {
      const done = await run(...args);
      assert.deepEqual([done.status, (JSON.parse(done.stderr) as { code: string }).code], [status, code]);
    }
  });

  it('reads a block with the place of each field, and any cell as a given type', async () => {
    const shown = await runCommandLine(['boc', block]);
    assert.match(shown.stdout, /^ {6}seq_no +4168601 {2}#1\[80\.\.112\]$/m);
    const json = JSON.parse((await runCommandLine(['boc', block, '--json'])).stdout) as {
      decoded: null;
      structure: { type: string; isWhole: boolean; isCertain: boolean };
    };
    const { type, isWhole, isCertain } = json.structure;
    assert.deepEqual([json.decoded, type, isWhole, isCertain], [null, 'Block', true, true]);
    const times = beginCell()
      .storeUint(65536, 32)
      .storeUint(32768, 32)
      .storeUint(8192, 32)
      .storeUint(32768, 32);
    const boc = times.endCell().toBoc().toString('base64');
    const plain = await runCommandLine(['boc', boc]);
    assert.doesNotMatch(plain.stdout, /stake_held_for/);
    const asked = await runCommandLine(['boc', boc, '--as', 'ConfigParam15']);
    assert.match(asked.stdout, /validators_elected_for +65536 s \(18 h 12 min 16 s\) {2}#0\[0\.\.32\]/);
    assert.equal(asked.status, 0);
    const other = await runCommandLine(['boc', boc, '--as', 'ConfigParam20']);
    assert.deepEqual(
      [other.status, (JSON.parse(other.stderr) as { code: string }).code],
      [1, 'boc-type-differs'],
      other.stdout,
    );
    const wrong = await runCommandLine(['boc', boc, '--as', 'Blok']);
    assert.match(wrong.stderr, /struct-unknown.*Did you mean Block\?/);
    assert.equal(wrong.status, 2);
  });
});
