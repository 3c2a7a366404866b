import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Address, beginCell } from '@ton/core';
import { shortAddress, wholeAddress } from '../../src/toolkit/address/shortAddress';
import { vaultSource } from '../support/vaultSource';
import { lastError, runCommandLine } from '../support/commandLine';
import type { CommandLineRun } from '../support/commandLine';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';

describe('names on the command line, in a folder with a source', () => {
  let localnet: LocalnetCommand;
  let folder: string;
  let bob: string;
  /** What each command printed about one message that fails, and one that does not. */
  const printed = new Map<string, string>();

  const run = async (...args: string[]): Promise<CommandLineRun> =>
    runCommandLine(args.concat(args[0] === 'boc' ? [] : ['--network', localnet.origin]), {}, folder);
  const passing = async (...args: string[]): Promise<CommandLineRun> => {
    const done = await run(...args);
    assert.equal(done.status, 0, `${args.join(' ')}\n${done.stdout}${done.stderr}`);
    return done;
  };
  const post = async (command: string, body: object): Promise<void> => {
    const answer = await fetch(`${localnet.origin}/control/${command}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(body),
    });
    assert.equal(answer.status, 200, await answer.text());
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-names-'));
    await writeFile(path.join(folder, 'vault.tolk'), vaultSource);
    localnet = await startLocalnetCommand();
    bob = localnet.ready.accounts.find(({ name }) => name === 'bob')!.address;
    await post('domain', { domain: 'shop.ton', wallet: 'bob' });
    const data = '{owner: shop.ton, limits: {daily: 5ton}, guardians: {bob: 3}}';
    const deployed = await passing('deploy', 'vault.tolk', '--data', data);
    printed.set('deploy', deployed.stderr);
    const drop = ['send', '--compose', 'Vault Drop {who: bob} 0.1ton from bob'];
    printed.set('send --dry-run', (await run(...drop, '--dry-run')).stdout);
    printed.set('send', (await run(...drop, '--anyway')).stdout);
    printed.set('trace', (await run('trace', 'Vault', '--limit', '1')).stdout);
    printed.set('trace --json', (await run('trace', 'Vault', '--limit', '1', '--json')).stdout);
    printed.set('account', (await passing('account', 'Vault')).stdout);
    printed.set('account --json', (await passing('account', 'Vault', '--json')).stdout);
    const sheet = path.join(folder, 'drop.toncall');
    await writeFile(sheet, 'send Vault Drop {who: shop.ton} 0.1ton from bob\nexpect exit 0\n');
    printed.set('run FILE.toncall', (await run('run', sheet)).stdout);
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await localnet.stop();
  });

  for (const [what, word, commands] of [
    ['a message', /\bDrop\b/, ['send --dry-run', 'send', 'trace', 'trace --json', 'account']],
    [
      'an account',
      /\bVault\b/,
      ['send --dry-run', 'send', 'trace', 'trace --json', 'account', 'account --json'],
    ],
    [
      'an exit code',
      /ERR_NOT_ALLOWED/,
      ['send --dry-run', 'send', 'trace', 'trace --json', 'run FILE.toncall'],
    ],
    ['a get-method', /\bdaily\b/, ['account', 'account --json']],
  ] as const) {
    for (const command of commands) {
      it(`${command} shows ${what} by its name in the source`, () => {
        assert.match(printed.get(command)!, word);
      });
    }
  }

  it('boc shows a message of the project by its name', async () => {
    const body = beginCell().storeUint(0x12, 32).storeAddress(Address.parseRaw(bob)).endCell();
    const { stdout } = await passing('boc', body.toBoc().toString('hex'));
    assert.match(stdout, /\bDrop\b/);
    assert.match(stdout, /\bwho\b/);
  });

  it('account finds a domain, and names the account that has it', async () => {
    const { stdout } = await passing('account', 'shop.ton');
    assert.match(stdout, /\bbob\b/);
    assert.match(stdout, /domain +shop\.ton/);
    const json = JSON.parse((await passing('account', 'SHOP.ton', '--json')).stdout) as object;
    assert.equal((json as { domain: string }).domain, 'shop.ton');
  });

  it('a domain is accepted wherever an address is expected', async () => {
    assert.match((await passing('run', 'Vault', 'weightOf', 'shop.ton')).stdout, /\b3\b/);
    assert.match((await passing('run', 'Vault', 'weightOf', 'addr', 'shop.ton')).stdout, /\b3\b/);
    assert.match((await passing('run', 'shop.ton', 'seqno')).stdout, /seqno/);
    assert.match((await passing('trace', 'shop.ton', '--limit', '1')).stdout, /bob/);
    const states = await passing('api', 'v3', 'accountStates', 'address=shop.ton', '--json');
    assert.match(states.stdout.toLowerCase(), new RegExp(bob.slice(2)));
    const sheet = path.join(folder, 'domain.toncall');
    await writeFile(
      sheet,
      '@shop = addr shop.ton\n\nVault weightOf(shop.ton)\nexpect 0 == 3\n\nVault weightOf(@shop)\nexpect 0 == 3\n\n' +
        'shop.ton seqno()\nexpect exit 0\n\nsend shop.ton 0.1ton from alice\nexpect exit 0\n',
    );
    assert.match((await passing('run', sheet)).stdout, /4 passed, 0 failed/);
  });

  it('what is sent to a domain says which address that is', async () => {
    const sent = await passing('send', '--compose', 'shop.ton 0.1ton comment "see other.ton" from alice');
    assert.match(sent.stderr, new RegExp(`^shop\\.ton is ${wholeAddress(bob)}\\.$`, 'm'));
    assert.doesNotMatch(sent.stderr, /other\.ton is/);
    assert.match(printed.get('deploy')!, new RegExp(`^shop\\.ton is ${wholeAddress(bob)}\\.$`, 'm'));
  });

  it('a domain that names no account is an error that says so', async () => {
    for (const args of [
      ['account', 'nobody.ton'],
      ['trace', 'nobody.ton'],
      ['run', 'nobody.ton', 'seqno'],
      ['run', 'Vault', 'weightOf', 'nobody.ton'],
      ['send', '--compose', 'nobody.ton 1ton from alice'],
      ['api', 'v3', 'accountStates', 'address=nobody.ton'],
    ]) {
      const failed = await run(...args, '--json');
      assert.equal(failed.status, 2, failed.stdout + failed.stderr);
      assert.match(lastError(failed).message, /nobody\.ton/, args.join(' '));
    }
  });

  it('a domain is shown where nothing better is known', async () => {
    const nameless = `0:${'7d'.repeat(32)}`;
    await post('domain', { domain: 'nameless.ton', wallet: nameless });
    await passing('send', '--compose', `${nameless} 0.1ton no-bounce from alice`);
    const { stdout } = await passing('trace', nameless, '--limit', '1');
    assert.match(stdout, /nameless\.ton/);
    assert.ok(!stdout.split('\n')[0]!.includes(shortAddress(nameless)));
  });
});
