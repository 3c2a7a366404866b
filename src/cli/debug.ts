import type { Command } from 'commander';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import type { DebugProgram, DebugRun } from '../toolkit/debug/debugProgram';
import type { ReplayReport } from '../toolkit/replay/replayReport';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions } from './networkOptions';
import { addJsonOptions, addSourceOption, replayedWords, takesLinks } from './networkHere';
import type { Replayer } from './openReplayer';
import { openReplayer } from './openReplayer';
import { writeJsonLine, writeText } from './output';
import { parsePort } from './parsePort';
import { stopSignal } from './runTests';
import { parseStep } from './stepOption';
import { keepRun, pathHere } from './surroundings';

interface DebugOptions extends NetworkOptions {
  json?: true;
  dap?: number;
  why?: string | true;
  step?: number;
  source?: string;
  call?: true;
}

/**
 * `debug HASH|FILE --dap PORT`, `debug --call ACCOUNT METHOD [ARG…] --dap PORT`: serves a debug session for an editor.
 * `debug HASH|FILE --why [EXPR]` tells where values come from.
 */
export function registerDebugCommand(program: Command): void {
  const command = program
    .command('debug')
    .summary('serve a debugger for an editor to connect to, or show where a value comes from')
    .usage(
      '[options] --dap <port> <what>\n       ton-workbench debug [options] --dap <port> --call <account> <method> [args...]' +
        '\n       ton-workbench debug <what> --why [expression]',
    )
    .description(
      'Replays the transactions of a trace and serves them, forward and backward, to one client of the Debug Adapter ' +
        'Protocol on 127.0.0.1. The source is found in the project around the working folder by the hash of the ' +
        'code. With --call, a get-method runs on the newest block. Ends with the session.',
    )
    .argument('<what>', `${replayedWords}; with --call, the account whose get-method runs`)
    .argument('[method]', 'with --call: name of the get-method, or its number')
    .argument('[args...]', 'with --call: the arguments, as stack text')
    .option('--call', 'debug a get-method')
    .option('--dap <port>', 'the port to serve on; 0 for any free one', parsePort)
    .option(
      '--why [expression]',
      'show where the values come from that an expression names, such as amount, c4.total, or tx.balance; without one, the operands of what failed',
    )
    .option('--step <n>', 'the step at which the debugger begins, or --why reads its expression', parseStep);
  addJsonOptions(command, 'print {"port":N} as one JSON line; with --why, the answer', async () =>
    (await import('./replayAnswers')).debugAnswersSchema(),
  );
  takesLinks(addNetworkOptions(addSourceOption(command))).action(
    async (what: string, method: string | undefined, args: string[], options: DebugOptions) => {
      const { why, dap } = options;
      if ((why === undefined) === (dap === undefined)) {
        const { WorkbenchError } = await import('../toolkit/base/errors');
        throw new WorkbenchError({
          code: 'usage',
          kind: 'input',
          message: 'debug takes either --dap or --why.',
          hint: 'Write debug HASH --dap 0 for a debugger, or debug HASH --why amount for where a value comes from.',
        });
      }
      const program = await openNamed(what, method, args, options);
      if (why === undefined) {
        await debug(program, { ...options, dap: dap ?? 0 });
      } else {
        const { whyValue } = await import('./whyValue');
        await whyValue(program, { why, step: options.step, ...(options.json && { json: true }) });
      }
    },
  );
}

/**
 * What a debugger steps through: the transactions of a trace, a test's record, or with a method a get-method.
 *
 * @throws WorkbenchError `usage` if the words do not fit, and what opening throws
 */
export async function openNamed(
  what: string,
  method: string | undefined,
  args: readonly string[],
  options: Omit<DebugOptions, 'dap' | 'json'>,
): Promise<DebugProgram> {
  if ((options.call === true) !== (method !== undefined)) {
    const { WorkbenchError } = await import('../toolkit/base/errors');
    throw new WorkbenchError({
      code: 'usage',
      kind: 'input',
      message:
        method === undefined
          ? 'The name of the get-method is missing.'
          : 'debug takes one hash, account, or saved replay; only a get-method has more words.',
      hint: 'Write debug --call ACCOUNT METHOD [ARG…] --dap PORT, or debug HASH|FILE --dap PORT.',
    });
  }
  if (method === undefined) {
    const { openRecord } = await import('./openRecord');
    const opened = await openRecord(what);
    if (opened !== undefined) {
      const { openTestProgram } = await import('./openTestProgram');
      return openTestProgram(opened, options.source);
    }
    return openProgram(await openReplayer(options), what, options);
  }
  const { openCallProgram } = await import('./openCallProgram');
  return openCallProgram({ account: what, method, args }, options);
}

async function debug(program: DebugProgram, options: DebugOptions & { dap: number }): Promise<void> {
  const { TonDebugSession } = await import('../toolkit/debug/tonDebugSession');
  const server = createServer({ noDelay: true });
  const port = await listen(server, options.dap);
  if (options.json === true) {
    writeJsonLine({ port });
  } else {
    writeText(`Debug adapter on 127.0.0.1:${port}. It ends with its session.`);
  }
  const socket = await firstClient(server);
  if (socket !== undefined) {
    const here = {
      ...program,
      firstStep: options.step,
      threads: program.threads.map((one) => ({ ...one, load: keepRun(one.load) })),
      pathOf: keepRun(program.pathOf),
    };
    const session = new TonDebugSession(
      () => Promise.resolve(here),
      () => socket.end(),
    );
    session.setRunAsServer(true);
    session.start(socket, socket);
    await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  }
}

/**
 * @returns the port
 * @throws WorkbenchError `port-in-use`, `port-not-allowed`, `listen-failed` (input)
 */
async function listen(server: Server, port: number): Promise<number> {
  const { listenError } = await import('../toolkit/base/isListening');
  await new Promise<void>((resolve, reject) => {
    server
      .once('error', (error) => reject(listenError(port, error)))
      .listen({ port, host: '127.0.0.1' }, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** The client of the session: further ones are refused. Undefined if the command is stopped before one comes. */
async function firstClient(server: Server): Promise<Socket | undefined> {
  const signal = stopSignal();
  const socket = await new Promise<Socket | undefined>((resolve) => {
    server.once('connection', resolve);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  server.close();
  socket?.on('error', () => socket.destroy());
  signal.addEventListener('abort', () => socket?.destroy(), { once: true });
  return socket;
}

/** The transactions of the trace, each replayed when the session gets there; a saved replay alone. */
async function openProgram(
  replayer: Replayer,
  what: string,
  options: Pick<DebugOptions, 'source'>,
): Promise<DebugProgram> {
  const first = await replayer.inputs(what);
  const { inputs } = first;
  const [{ targetHash }, { isLibraryFile }, { shortAddress }] = await Promise.all([
    import('../toolkit/replay/replaySource'),
    import('../toolkit/sourceMap/sourceMap'),
    import('../toolkit/address/shortAddress'),
  ]);
  const hash = targetHash(inputs);
  const names = await replayer.names();
  const nameOf = (address: string): string | undefined => names.get(address);
  const isFile = first.requests === 0;
  const transactions = isFile ? [] : await replayer.trace(hash);
  const all = transactions.some((one) => one.hash === hash)
    ? transactions
    : [{ hash, account: inputs.account }];
  return {
    threads: all.map((one, index) => ({
      ...{ name: `${index + 1} ${nameOf(one.account) ?? shortAddress(one.account)}`, hash: one.hash },
      ...(isFile && { what }),
      ...(one.account === '' ? {} : { account: one.account }),
      load: async () => {
        const gathered = one.hash === hash ? first : await replayer.inputs(one.hash);
        return runOf(await replayer.run(gathered, []), options.source, nameOf);
      },
    })),
    open: (other) =>
      isFile
        ? undefined
        : {
            name: `earlier transaction ${other.slice(0, 8)}`,
            load: async () =>
              runOf(await replayer.run(await replayer.inputs(other), []), options.source, nameOf),
          },
    first: all.findIndex((one) => one.hash === hash),
    pathOf: (file) => (isLibraryFile(file) ? undefined : pathHere(file)),
    accountName: nameOf,
  };
}

async function runOf(
  report: ReplayReport,
  source: string | undefined,
  nameOf: (address: string) => string | undefined,
): Promise<DebugRun> {
  const [{ replayRun }, { replayedCode }, { linesHere, storageHere }] = await Promise.all([
    import('../toolkit/debug/replayRun'),
    import('../toolkit/replay/replayedCode'),
    import('./linesHere'),
  ]);
  const { recording, replay } = report;
  const deployed = replayedCode(replay);
  const { steps: lines, notes } =
    recording === undefined ? { notes: [] } : await linesHere(recording, deployed, source);
  const { name: contract, storage, messages } = await storageHere(deployed);
  return replayRun(report, { lines, notes, storage, messages, contract, nameOf });
}
