import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beginCell } from '@ton/core';
import type { Command } from 'commander';
import { createProgram, errorOf, keepNegativeNumbers } from '../../../src/cli/commandLine';
import { callControl } from '../../../src/toolkit/localnet/callControl';
import { lastError, runCommandLine, startCommandLine } from '../../support/commandLine';
import { startLocalnetCommand } from '../../support/localnetCommand';

const nowhere = 'http://127.0.0.1:9';
const boc = (value: number): string => beginCell().storeUint(value, 32).endCell().toBoc().toString('base64');

/** The codes and the message of a command line that is refused. */
async function refused(...args: string[]): Promise<string> {
  const run = await runCommandLine(args);
  assert.equal(run.status, 2, run.stderr);
  const { code, message } = lastError(run);
  return `${code}: ${message}`;
}

describe('cli: missing files', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ton-workbench-files-'));
    await writeFile(path.join(folder, 'secret'), 'secret');
    await mkdir(path.join(folder, 'sheet.toncall'));
  });
  after(() => rm(folder, { recursive: true }));

  it('are not mistaken for a BoC', async () => {
    assert.match(
      await refused('boc', 'nosuchfile'),
      /^boc-file-unreadable: The file "nosuchfile" does not exist\. .*te6cc…/,
    );
    assert.match(await refused('send', 'nosuchfile'), /^boc-file-unreadable: .* does not exist/);
    assert.match(await refused('boc', path.join(folder, 'no.boc')), /does not exist/);
    // What looks like a BoC is read as one, whatever is wrong with it.
    assert.match(await refused('boc', 'te6ccBroken'), /^boc-(?!file)/);
  });

  it('are distinguished from folders', async () => {
    const secret = ['--secret-file', path.join(folder, 'secret')];
    const commands: string[][] = [
      ['boc', folder],
      ['send', folder],
      ['boc', boc(1), '--abi', folder],
      ['run', path.join(folder, 'sheet.toncall')],
      ['run', 'alice', 'seqno', '--types', folder, '--network', nowhere],
      ['run', 'alice', 'seqno', '--api-key-file', folder, '--network', nowhere],
      ['localnet', '--port', '0', '--load', folder],
      ['webhook', 'listen', ...secret, '--orders', folder],
      ['webhook', 'listen', '--secret-file', folder],
      ['webhook', 'verify', folder],
    ];
    for (const command of commands) {
      assert.match(await refused(...command), /"[^"]+" is a folder, not a file\./, command.join(' '));
    }
  });
});

describe('cli: options that contradict each other', () => {
  /** Parses in this process: what is refused never begins. */
  const refusal = async (args: readonly string[]): Promise<string> => {
    try {
      await createProgram().parseAsync(keepNegativeNumbers(args), { from: 'user' });
    } catch (error) {
      return errorOf(error).message;
    }
    return assert.fail(`accepted: ${args.join(' ')}`);
  };

  it('are refused instead of being ignored', async () => {
    for (const [args, words] of [
      [
        ['localnet', '--manual', '--block-interval', '50'],
        /--block-interval.* cannot be used with .*--manual/,
      ],
      [['localnet', '--manual', '--block-delay', '50'], /--block-delay.* cannot be used with .*--manual/],
      [['localnet', '--block-interval', '50', '--block-delay', '5'], /--block-delay.*--block-interval/],
      [['localnet', '--block-interval', '9'], /at least 10 milliseconds/],
      [['localnet', '--fork-block', '5'], /--fork-block needs --fork/],
      [['localnet', '--allow-origin', 'https://app.example'], /--allow-origin needs --fork/],
      [['localnet', '--api-key-file', 'key'], /--api-key-file needs --fork/],
      [['boc', boc(1), '--code', '--compare', boc(2)], /--code.*--compare/],
      [['boc', boc(1), '--code', '--abi', 'x.json'], /--code.*--abi/],
      [['webhook', 'listen', '--forward-all'], /--forward-all needs --forward/],
    ] as const) {
      assert.match(await refusal(args), words, args.join(' '));
    }
  });

  it('say how much a wallet can start with, and repeat a negative number as given', async () => {
    assert.match(await refusal(['localnet', '--balance', '1000000000001']), /from 0 to 1000000000000ton/);
    assert.match(
      await refusal(['localnet', '--balance', '-5ton']),
      /argument '-5ton' is invalid\. Give an amount/,
    );
  });
});

describe('cli: boc --compare', () => {
  it('exits with 0 for equal BoCs and 1 for different ones, like diff', async () => {
    const equal = await runCommandLine(['boc', boc(1), '--compare', boc(1)]);
    assert.deepEqual([equal.status, equal.stderr], [0, '']);
    const other = await runCommandLine(['boc', boc(1), '--compare', boc(2), '--json']);
    assert.equal(other.status, 1);
    assert.equal((JSON.parse(other.stdout) as { equal: boolean }).equal, false);
    assert.equal(lastError(other).code, 'bocs-differ');
    assert.match((await runCommandLine(['boc', '--help'])).stdout, /exits with 0 if they are equal,\s+1 if/);
  });
});

describe('cli: the help of every command', () => {
  const all = (command: Command): Command[] => [command, ...command.commands.flatMap(all)];

  it('says what the command does and what each argument and option is', () => {
    const commands = all(createProgram()).slice(1);
    assert.ok(commands.length >= 11);
    for (const command of commands) {
      const name = `${command.parent?.name()} ${command.name()}`;
      assert.match(command.summary(), /^[a-z].{10,}[^.]$/, name);
      assert.match(command.description(), /^[A-Z][^]{20,}/, name);
      for (const { description, flags } of command.options) {
        assert.ok(description.length > 5, `${name} ${flags}`);
      }
      for (const argument of command.registeredArguments) {
        assert.ok(argument.description.length > 5 || argument.name() === 'parameters', argument.name());
      }
      assert.doesNotMatch(command.helpInformation(), /default: \[\]/, name);
    }
  });
});

describe('cli: a saved state of the local network and different wallets', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'ton-workbench-kept-'));
    const made = await startCommandLine(['localnet', '--port', '0', '--state', folder, '--accounts', '3']);
    made.child.kill('SIGTERM');
    assert.equal(await made.ended, 0);
  });
  after(() => rm(folder, { recursive: true }));

  it('continues if only another balance is requested', async () => {
    const again = await startCommandLine([
      ...['localnet', '--port', '0', '--state', folder, '--balance', '7', '--json'],
    ]);
    const { v2, accounts } = JSON.parse(again.firstLine) as { v2: string; accounts: unknown[] };
    assert.equal(accounts.length, 3);
    const { state } = await callControl(`${new URL(v2).origin}/control`, 'status', {});
    assert.equal(state, 'running');
    again.child.kill('SIGTERM');
    assert.equal(await again.ended, 0);
  });

  it('is not used as a network with more wallets: the error says what is saved, what was requested, and what to do', async () => {
    const words = await refused('localnet', '--port', '0', '--state', folder, '--accounts', '4');
    assert.match(
      words,
      /^localnet-wallets-mismatch: .*made with 3 wallets of 1000000 TON each\. You asked for 4 wallets, but it does not have dave \(0:[0-9a-f]{64}\)\. .*leave out --mnemonic and --accounts\..*another folder/,
    );
  });
});

describe('cli: a fork whose network is down', () => {
  it('says which network to check, and exits with the status for networks', async () => {
    const source = await startLocalnetCommand();
    const { origin } = source;
    const fork = await startLocalnetCommand('--fork', origin);
    try {
      const network = fork.origin;
      await source.stop();
      const stranger = `0:${'5a'.repeat(32)}`;
      for (const args of [
        ['run', stranger, 'seqno'],
        ['run', stranger, 'seqno', '--network', `${network}/api/v2`],
        ['api', 'v2', 'getAddressInformation', `address=${stranger}`],
        ['api', 'v3', 'accountStates', `address=${stranger}`],
        ['send', '--compose', `send ${stranger} 1ton from alice`],
      ]) {
        const run = await runCommandLine(args.includes('--network') ? args : [...args, '--network', network]);
        assert.equal(run.status, 3, run.stderr);
        const { code, message } = lastError(run);
        assert.equal(code, 'fork-read-failed');
        assert.match(
          message,
          new RegExp(`could not read from ${origin}: .*ECONNREFUSED.*running and reachable`),
        );
      }
    } finally {
      await source.stop();
      await fork.stop();
    }
  });
});

describe('cli: run with more arguments than a well-known get-method takes', () => {
  it('says so, and only then', async () => {
    const net = await startLocalnetCommand();
    try {
      const run = (...args: string[]): ReturnType<typeof runCommandLine> =>
        runCommandLine(['run', ...args, '--network', net.origin, '--json']);
      const extra = await run('alice', 'seqno', '5');
      assert.equal(extra.status, 0, extra.stderr);
      assert.match(extra.stderr, /seqno\(\).* of a wallet takes no arguments, not 1\. The extra values stay/);
      assert.equal((await run('alice', 'seqno')).stderr, '');
      assert.doesNotMatch((await run('alice', 'is_plugin_installed', '0', '1')).stderr, /takes/);
    } finally {
      await net.stop();
    }
  });
});
