import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import { resolveNetwork } from '../toolkit/access/resolveNetwork';
import { friendlyWallet } from '../toolkit/address/canonicalAddress';
import { WorkbenchError } from '../toolkit/base/errors';
import type { ForkOptions } from '../toolkit/localnet/fork/accessSource';
import type { Localnet, WalletsWish } from '../toolkit/localnet/localnet';
import type { LogLevel } from '../toolkit/base/log';
import { Redactor, createLog, logLevels } from '../toolkit/base/log';
import { numberWidths } from '../toolkit/base/numberWidths';
import { readUserText } from '../toolkit/base/readUserFile';
import { announceHere, explainTakenPort } from './localnetFolder';
import { addJsonOptions, ownNetworksFor, registerLocalnetStatusCommand } from './networkHere';
import { openAccess, requestsPerSecondOption } from './networkOptions';
import { writeJsonLine, writeNote, writeText } from './output';
import { parsePort } from './parsePort';
import { readGivenText } from './readGivenFile';
import { stopSignal } from './runTests';
import { keepRun, pathHere } from './surroundings';

/** `localnet`: runs the local network until it is stopped. */
export function registerLocalnetCommand(program: Command): void {
  const localnet = program.command('localnet');
  localnet
    .summary('run the local network')
    .description(
      'Runs a local network on 127.0.0.1 with ten funded wallets and the HTTP APIs of the public networks until you ' +
        'stop it (Ctrl+C). Other commands in this folder find it by .ton/local.json.',
    )
    .option('-p, --port <number>', 'port to listen on; 0 uses any free port', parsePort, 8081)
    .option('--state <folder>', 'keep the state in this folder (default: in memory)')
    .option('--load <file>', 'start with a state that control/dump wrote')
    .addOption(
      new Option('--block-delay <ms>', 'milliseconds from a message to its block')
        .argParser(parseMilliseconds)
        .default(20)
        .conflicts(['blockInterval', 'manual']),
    )
    .addOption(
      new Option('--block-interval <ms>', 'make a block at this interval instead')
        .argParser(parseInterval)
        .conflicts('manual'),
    )
    .option('--fork <network>', 'continue from another network (mainnet, testnet, or a URL)')
    .option('--fork-block <seqno>', 'from this masterchain block (default: the newest)', parseSeqno)
    .option(
      '--allow-origin <origin>',
      'let web pages of this origin use the fork; may be repeated',
      (origin: string, before: string[] = []) => [...before, origin],
    )
    .option('--api-key-file <file>', 'the API key for --fork (default: TON_API_KEY)')
    .addOption(requestsPerSecondOption())
    .option(
      '--mnemonic <words-or-file>',
      'your own wallets: 24 words, or a file with 24 per line; anyone who reaches the network can read them',
    )
    .option('--accounts <number>', 'number of wallets (default: 10, or the given ones)', parseCount)
    .option('--balance <coins>', 'balance of each wallet (default: 1000000ton)', parseCoins)
    .option('--classic-v2', 'serve v2 as the Python service (2.0) did')
    .option('--manual', 'make blocks only on request of the control API')
    .addOption(
      new Option('--log <level>', 'log to stderr; info shows what contracts print')
        .choices(logLevels)
        .default('warn'),
    );
  addJsonOptions(
    localnet,
    'print addresses and accounts as one JSON line',
    async () => (await import('./networkAnswers')).localnetAnswerSchema,
  ).action(async (options: LocalnetCommandOptions) => {
    await runLocalnet(options);
  });
  registerLocalnetStatusCommand(localnet);
}

interface LocalnetCommandOptions {
  port: number;
  state?: string;
  load?: string;
  blockDelay: number;
  blockInterval?: number;
  manual?: true;
  classicV2?: true;
  mnemonic?: string;
  accounts?: number;
  balance?: bigint;
  json?: true;
  log: LogLevel;
  fork?: string;
  forkBlock?: number;
  apiKeyFile?: string;
  allowOrigin?: string[];
  requestsPerSecond?: number;
}

/** Maximum initial balance of a wallet in nanocoins: far more than exists. */
const mostCoins = 1_000_000_000_000n * 10n ** 9n;

const warning =
  'The keys of these wallets are public. Their coins are worthless: never use them on a public network.';
const ownKeysWarning =
  'These wallets have your own keys, which anyone who reaches this network can read: use keys that hold nothing elsewhere.';

async function runLocalnet(options: LocalnetCommandOptions): Promise<void> {
  const { port, json, state, blockDelay, blockInterval, manual } = options;
  requireFork(options);
  const signal = stopSignal();
  const { startLocalnet } = await import('../toolkit/localnet/startLocalnet');
  const tell = keepRun((level: LogLevel, line: string) => {
    if (logLevels.indexOf(level) >= logLevels.indexOf(options.log)) {
      writeNote(line);
    }
  });
  const log = createLog(tell, new Redactor());
  const localnet = await startLocalnet({
    port,
    log,
    stateDirectory: state && pathHere(state),
    load: options.load === undefined ? undefined : await readDumpFile(options.load),
    fork: await forkOptions(options),
    wallets: walletsWish(options),
    allowedOrigins: options.allowOrigin,
    blockDelayMs: blockDelay,
    isClassicV2: options.classicV2,
    mode:
      manual === true
        ? { kind: 'manual' }
        : blockInterval === undefined
          ? undefined
          : { kind: 'interval', every: blockInterval },
  }).catch(async (error: unknown) => {
    throw await explainTakenPort(error, port);
  });
  let withdraw = (): void => undefined;
  try {
    withdraw = await announceHere(localnet);
    await announce(localnet, json === true, options.mnemonic === undefined ? warning : ownKeysWarning);
    await untilStopped(localnet, signal);
  } finally {
    withdraw();
    await localnet.close();
  }
}

/** Options that require `--fork` are rejected without it, not ignored. */
function requireFork({ fork, forkBlock, apiKeyFile, allowOrigin }: LocalnetCommandOptions): void {
  const given = Object.entries({
    '--fork-block': forkBlock,
    '--api-key-file': apiKeyFile,
    '--allow-origin': allowOrigin,
  }).find(([, value]) => value !== undefined);
  if (fork === undefined && given !== undefined) {
    throw new WorkbenchError({
      code: 'fork-network-missing',
      kind: 'input',
      message: `${given[0]} needs --fork.`,
      hint: 'Name the network too, for example --fork mainnet.',
    });
  }
}

/** The network to fork, read with this run's API key and proxies. */
async function forkOptions(options: LocalnetCommandOptions): Promise<ForkOptions | undefined> {
  const { fork, forkBlock: seqno } = options;
  return fork === undefined
    ? undefined
    : { access: await openAccess(resolveNetwork(fork, ownNetworksFor(fork)).network, options), seqno };
}

/** Resolves when told to stop; rejects if the network fails. */
function untilStopped(localnet: Localnet, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      resolve();
    }
    signal.addEventListener('abort', () => resolve(), { once: true });
    localnet.onStatus(({ state }) => {
      if (state === 'failed') {
        reject(
          new WorkbenchError({
            code: 'localnet-stopped',
            kind: 'failed',
            message: 'The local network broke down.',
            hint: 'The lines above say why; start it again.',
          }),
        );
      }
    });
  });
}

async function announce(localnet: Localnet, json: boolean, words: string): Promise<void> {
  const { v2, v3, accounts } = localnet;
  const { fork } = localnet.status();
  if (json) {
    const { localnetAnswer } = await import('./networkAnswers');
    writeJsonLine(localnetAnswer(localnet, fork));
    writeNote(words);
    return;
  }
  const width = Math.max(...accounts.map(({ name }) => name.length));
  writeText(
    [
      fork === undefined
        ? 'The local network is running. Press Ctrl+C to stop it.'
        : `A fork of ${fork.network} at block ${fork.seqno} is running. Press Ctrl+C to stop it; nothing is sent to ${fork.network}.`,
      `  v2  ${v2}`,
      `  v3  ${v3}`,
      '',
      ...accounts.map(
        ({ name, kind, address }) => `  ${name.padEnd(width)}  wallet ${kind}  ${friendlyWallet(address)}`,
      ),
      '',
      `${words} --json prints the keys.`,
    ].join('\n'),
  );
}

function walletsWish({
  mnemonic,
  accounts: count,
  balance,
}: LocalnetCommandOptions): WalletsWish | undefined {
  if (mnemonic === undefined && count === undefined && balance === undefined) {
    return undefined;
  }
  return { mnemonics: mnemonic === undefined ? [] : readMnemonics(mnemonic), count, balance };
}

/**
 * The file of `--load`, as text.
 * @throws WorkbenchError `localnet-dump-invalid` (input)
 */
export function readDumpFile(file: string): Promise<string> {
  const hint = 'Give a file that holds an answer of control/dump.';
  const given = { path: file, what: 'The --load file', code: 'localnet-dump-invalid', hint } as const;
  return readGivenText(given, 'stateDump');
}

/** Words as given, or the lines of a file; lines that begin with # are skipped. */
function readMnemonics(wordsOrFile: string): string[] {
  if (/\s/.test(wordsOrFile.trim())) {
    return [wordsOrFile];
  }
  try {
    return readUserText(pathHere(wordsOrFile), 'secretFile')
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#'));
  } catch (cause) {
    throw new WorkbenchError({
      code: 'localnet-accounts-invalid',
      kind: 'input',
      message: `--mnemonic ${JSON.stringify(wordsOrFile)} is neither 24 words nor a file that can be read.`,
      hint: 'Put the words in quotes, or name a file with 24 words on each line.',
      cause,
    });
  }
}

function parseCount(text: string): number {
  const value = Number(text);
  if (!/^\s*\d+$/.test(text) || value < 1 || value > 100) {
    throw new InvalidArgumentError('This is a number of wallets from 1 to 100.');
  }
  return value;
}

function parseCoins(text: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,40})(?:\.(\d{1,9}))?(?:ton)?$/i.exec(text.trim()) ?? [];
  const nanocoins = whole === undefined ? undefined : BigInt(whole + fraction.padEnd(9, '0'));
  if (nanocoins === undefined || nanocoins > mostCoins) {
    throw new InvalidArgumentError('Give an amount from 0 to 1000000000000ton, for example 1000ton or 0.5.');
  }
  return nanocoins;
}

/** A masterchain seqno. Throws InvalidArgumentError (usage) if it is none. */
export function parseSeqno(text: string): number {
  const value = Number(text);
  if (!/^\s*\d+$/.test(text) || value < 1 || value > numberWidths.seqno) {
    throw new InvalidArgumentError('A block is a masterchain seqno, a whole number from 1.');
  }
  return value;
}

function parseInterval(text: string): number {
  const value = parseMilliseconds(text);
  if (value < 10) {
    throw new InvalidArgumentError('Blocks are at least 10 milliseconds apart.');
  }
  return value;
}

function parseMilliseconds(text: string): number {
  const value = Number(text);
  if (!/^\s*\d+$/.test(text) || value > 3_600_000) {
    throw new InvalidArgumentError('This is a whole number of milliseconds, up to 3600000 (an hour).');
  }
  return value;
}
