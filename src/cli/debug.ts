import { createServer } from 'node:net';
import path from 'node:path';
import type { Command } from 'commander';
import type { DebugProgram, DebugRun } from '../toolkit/debug/debugProgram';
import type { ReplayReport } from '../toolkit/replay/replayText';
import { addNetworkOptions } from './network';
import type { NetworkOptions } from './network';
import { openReplayer, readTextFile } from './openReplayer';
import type { Replayer } from './openReplayer';
import { writeJsonLine, writeText } from './output';
import { stopSignal } from './stopSignal';

interface DebugOptions extends NetworkOptions {
  json?: true;
  dap?: string;
  source?: string;
}

/** `debug HASH|FILE --dap PORT`: serves a debug session for an editor. */
export function registerDebugCommand(program: Command): void {
  const command = program
    .command('debug')
    .summary('serve a debugger for the transactions of a trace, for an editor to connect to')
    .description(
      'Replays the transactions of the trace that a transaction belongs to, and serves them to one client of the ' +
        'Debug Adapter Protocol on 127.0.0.1: forward and backward, with the sources of the project around the ' +
        'working folder. Ends with the session.',
    )
    .argument('<what>', 'the hash of a transaction or of the message that caused it, or a saved replay')
    .requiredOption('--dap <port>', 'the port to serve on; 0 for any free one')
    .option('--json', 'print {"port":N} as one JSON line')
    .option(
      '--source <file>',
      "the source of the code; FunC and Tact are compiled by their project's compiler only if named here",
    );
  addNetworkOptions(command).action(async (what: string, options: DebugOptions) => {
    await debug(what, options);
  });
}

async function debug(what: string, options: DebugOptions): Promise<void> {
  const port = await readPort(options.dap ?? '');
  const replayer = await openReplayer(options);
  const program = await openProgram(replayer, what, options);
  const { TonDebugSession } = await import('../toolkit/debug/tonDebugSession');
  const server = createServer({ noDelay: true });
  const signal = stopSignal();
  const ended = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('connection', (socket) => {
      // One session: further clients are refused.
      server.close();
      socket.once('close', resolve);
      socket.on('error', () => socket.destroy());
      signal.addEventListener('abort', () => socket.destroy(), { once: true });
      const session = new TonDebugSession(
        () => Promise.resolve(program),
        () => socket.end(),
      );
      session.setRunAsServer(true);
      session.start(socket, socket);
    });
    signal.addEventListener('abort', () => server.close(() => resolve()), { once: true });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const chosen = typeof address === 'object' && address !== null ? address.port : port;
  if (options.json === true) {
    writeJsonLine({ port: chosen });
  } else {
    writeText(`Debug adapter on 127.0.0.1:${chosen}. It ends with its session.`);
  }
  await ended;
}

async function readPort(text: string): Promise<number> {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : -1;
  if (port < 0 || port > 65_535) {
    const { WorkbenchError } = await import('../toolkit/errors');
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message: `--dap ${JSON.stringify(text)} is not a port.`,
      hint: 'Give a number up to 65535; 0 chooses a free one.',
    });
  }
  return port;
}

/** The transactions of the trace, each replayed when the session gets there; a saved replay alone. */
async function openProgram(replayer: Replayer, what: string, options: DebugOptions): Promise<DebugProgram> {
  const first = await replayer.inputs(what);
  const { inputs } = first;
  const [{ targetHash }, { shortAddress }] = await Promise.all([
    import('../toolkit/replay/targetHash'),
    import('../toolkit/address/shortAddress'),
  ]);
  const hash = targetHash(inputs);
  const isFile = (await readTextFile(what)) !== undefined;
  const names = await replayer.names();
  const nameOf = (address: string): string | undefined => names.get(address);
  const transactions = isFile ? [] : await replayer.trace(hash);
  const all = transactions.some((one) => one.hash === hash)
    ? transactions
    : [{ hash, account: inputs.account }];
  return {
    threads: all.map((one, index) => ({
      name: `${index + 1} ${nameOf(one.account) ?? shortAddress(one.account)}`,
      load: async () => {
        const gathered = one.hash === hash ? first : await replayer.inputs(one.hash);
        return runOf(await replayer.run(gathered, []), options.source, nameOf);
      },
    })),
    first: all.findIndex((one) => one.hash === hash),
    pathOf: (file) => (file.startsWith('@') ? undefined : path.resolve(file)),
    accountName: nameOf,
  };
}

async function runOf(
  report: ReplayReport,
  source: string | undefined,
  nameOf: (address: string) => string | undefined,
): Promise<DebugRun> {
  const [{ replayRun }, { replayedCode }, { linesHere }, { storageHere }] = await Promise.all([
    import('../toolkit/debug/replayRun'),
    import('../toolkit/replay/replayedCode'),
    import('./linesHere'),
    import('./storageHere'),
  ]);
  const { recording, replay } = report;
  const deployed = replayedCode(replay);
  const { steps: lines, notes } =
    recording === undefined ? { notes: [] } : await linesHere(recording, deployed, source);
  const { storage, messages } = await storageHere(deployed);
  return replayRun(report, { lines, notes, storage, messages, nameOf });
}
