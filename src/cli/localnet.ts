import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { Localnet } from '../toolkit/localnet/localnet';
import { WorkbenchError } from '../toolkit/errors';
import { stopSignal, writeJsonLine, writeNote, writeText } from './output';

/** `localnet`: runs the local network until it is stopped. */
export function registerLocalnet(program: Command): void {
  program
    .command('localnet')
    .summary('run the local network')
    .description(
      'Runs the local network on 127.0.0.1 with ten funded wallets, until it is stopped (Ctrl+C).\n' +
        'It serves the same HTTP APIs as the public networks.',
    )
    .option('-p, --port <number>', 'port to listen on; 0 takes a free one', parsePort, 8081)
    .option('--json', 'print addresses and accounts as one JSON line when ready')
    .action(async (options: LocalnetCommandOptions) => {
      await runLocalnet(options);
    });
}

interface LocalnetCommandOptions {
  port: number;
  json?: true;
}

const warning =
  'The keys of these wallets are public. Their coins are worthless: never use them on a public network.';

async function runLocalnet({ port, json }: LocalnetCommandOptions): Promise<void> {
  const signal = stopSignal();
  const { startLocalnet } = await import('../toolkit/localnet/startLocalnet');
  const { createLog, Redactor } = await import('../toolkit/log');
  const log = createLog((level, line) => {
    if (level === 'warn' || level === 'error') {
      writeNote(line);
    }
  }, new Redactor());
  const localnet = await startLocalnet({ port, log });
  try {
    announce(localnet, json === true);
    await untilStopped(localnet, signal);
  } finally {
    await localnet.close();
  }
}

/** Resolves when told to stop; rejects when the network breaks down by itself. */
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

function announce(localnet: Localnet, json: boolean): void {
  const { v2, v3, accounts } = localnet;
  if (json) {
    writeJsonLine({
      v2,
      v3,
      accounts: accounts.map(({ name, address, kind, mnemonic, publicKey, secretKey }) => ({
        name,
        address,
        kind,
        mnemonic,
        publicKey,
        secretKey,
      })),
    });
    writeNote(warning);
    return;
  }
  const width = Math.max(...accounts.map(({ name }) => name.length));
  writeText(
    [
      'The local network runs. Ctrl+C stops it.',
      `  v2  ${v2}`,
      `  v3  ${v3}`,
      '',
      ...accounts.map(({ name, kind, address }) => `  ${name.padEnd(width)}  wallet ${kind}  ${address}`),
      '',
      `${warning} --json prints the keys.`,
    ].join('\n'),
  );
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\s*\d+$/.test(text) || port > 65535) {
    throw new InvalidArgumentError('A port is a number from 0 to 65535.');
  }
  return port;
}
