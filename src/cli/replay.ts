import type { Cell } from '@ton/core';
import type { Command } from 'commander';
import type { Access } from '../toolkit/access/createAccess';
import type { Emulator, Verbosity } from '../toolkit/emulator/emulator';
import type { ReplayInputs } from '../toolkit/replay/replayInputs';
import type { ReplayReport } from '../toolkit/replay/replayText';
import type { Replay } from '../toolkit/replay/runReplay';
import { fileError } from './fileError';
import { localAccountNames, reachedAccountNames } from './localAccounts';
import { addNetworkOptions, openAccess } from './network';
import { networkHere } from './networkHere';
import type { NetworkOptions } from './network';
import { exitStatusOf, writeJsonLine, writeNote, writeText } from './output';
import { whenRead } from './outputStreams';
import { stopSignal } from './stopSignal';

interface ReplayOptions extends NetworkOptions {
  json?: true;
  edit?: string[];
  save?: string;
  steps?: true;
  list?: string;
  shard?: string;
}

/** `replay HASH|FILE`: runs a transaction again, and says how well the result agrees. */
export function registerReplayCommand(program: Command): void {
  const command = program
    .command('replay')
    .summary('run a transaction again, as it was or with changes')
    .description(
      'Runs a transaction of the chain again on the state that it ran on, and says how well the result agrees: ' +
        'exact (the equal cell), exact state, same computation, or diverged. Exits with 0 if it is exact or the ' +
        'state is, else 1. With --edit it shows what the changes would have changed; nothing is ever sent.',
    )
    .argument(
      '[what]',
      'the hash of a transaction or of the message that caused it, or a file that --save wrote (*.tonreplay)',
    )
    .option('--json', 'print the result as one JSON line')
    .option(
      '--edit <key=value>',
      'change something: body, value, sender, time, balance, code, data, config.N, signature=ignored; may be repeated',
      (edit: string, before: string[] | undefined) => [...(before ?? []), edit],
    )
    .option('--save <file>', 'write everything that the transaction depended on to a file (*.tonreplay)')
    .option('--steps', 'list every step of the VM: gas left, gas used, instruction, stack')
    .option('--list <file>', 'replay all the hashes in a file, one per line; prints one JSON line each')
    .option('--shard <k/n>', 'with --list: only every nth hash, starting at the kth, to share the work');
  addNetworkOptions(command).action(async (what: string | undefined, options: ReplayOptions) => {
    if (options.list === undefined) {
      await replayOne(what, options);
    } else {
      await replayList(options.list, options);
    }
  });
}

async function replayOne(what: string | undefined, options: ReplayOptions): Promise<void> {
  if (what === undefined) {
    throw await usageError(
      'There is nothing to replay.',
      'Give the hash of a transaction, or a saved replay.',
    );
  }
  const replayer = await openReplayer(options);
  const { inputs, requests } = await replayer.inputs(what);
  if (options.save !== undefined) {
    await save(options.save, inputs);
  }
  const verbosity = options.steps === true ? 'full_location_stack_verbose' : undefined;
  const report = await replayer.run(inputs, requests, options.edit ?? [], verbosity);
  const [{ replayText }, { replayJson }] = await Promise.all([
    import('../toolkit/replay/replayText'),
    import('../toolkit/replay/replayJson'),
  ]);
  if (options.json === true) {
    writeJsonLine(replayJson(report));
  } else {
    writeText(replayText(report));
  }
  if (options.steps === true) {
    await writeSteps(report);
  }
  await failUnlessExact([report]);
}

async function replayList(file: string, options: ReplayOptions): Promise<void> {
  if (options.edit !== undefined || options.save !== undefined || options.steps !== undefined) {
    throw await usageError('--edit, --save, and --steps are for one transaction, not for a list.');
  }
  const hashes = await readHashes(file, options.shard);
  const replayer = await openReplayer(options);
  const [{ replayJson }, { toWorkbenchError }] = await Promise.all([
    import('../toolkit/replay/replayJson'),
    import('../toolkit/errors'),
  ]);
  let worst = 0;
  const reports: ReplayReport[] = [];
  for (const hash of hashes) {
    try {
      const { inputs, requests } = await replayer.inputs(hash);
      const report = await replayer.run(inputs, requests, []);
      reports.push(report);
      writeJsonLine(replayJson(report));
    } catch (thrown) {
      const error = toWorkbenchError(thrown);
      if (error.code === 'aborted') {
        throw error;
      }
      worst = Math.max(worst, exitStatusOf(error.kind));
      writeJsonLine({ hash, verdict: null, error: { code: error.code, message: error.message } });
    }
  }
  await failUnlessExact(reports);
  if (worst > 0) {
    throw await failedError('Not every transaction could be replayed.');
  }
}

async function writeSteps({ replay }: ReplayReport): Promise<void> {
  const [{ replayRecording }, { stepsText }] = await Promise.all([
    import('../toolkit/replay/replayRecording'),
    import('../toolkit/recording/stepsText'),
  ]);
  const recording = replayRecording(replay);
  if (recording === undefined) {
    writeText('\nNo code ran, so there are no steps.');
    return;
  }
  writeText('');
  const signal = stopSignal();
  for (const line of stepsText(recording)) {
    writeText(line);
    await whenRead(signal);
  }
}

/** What a run of the command shares between its replays. */
interface Replayer {
  inputs(what: string): Promise<{ inputs: ReplayInputs; requests: number }>;
  run(
    inputs: ReplayInputs,
    requests: number,
    edits: readonly string[],
    verbosity?: Verbosity,
  ): Promise<ReplayReport>;
}

async function openReplayer(options: ReplayOptions): Promise<Replayer> {
  const [
    { ReplaySource },
    { openReplayFile },
    { runReplay },
    { readReplayEdits },
    { createSandboxEmulator },
  ] = await Promise.all([
    import('../toolkit/replay/replaySource'),
    import('../toolkit/replay/replayFile'),
    import('../toolkit/replay/runReplay'),
    import('../toolkit/replay/readReplayEdits'),
    import('../toolkit/emulator/createSandboxEmulator'),
  ]);
  const { network } = networkHere(options.network);
  const access = await openAccess(network, options);
  const source = new ReplaySource(access);
  const signal = stopSignal();
  let emulator: Emulator | undefined;
  return {
    inputs: async (what) => {
      const saved = await readText(what);
      if (saved !== undefined) {
        return { inputs: openReplayFile(saved), requests: 0 };
      }
      const { parseHashInput } = await import('../toolkit/address/hash');
      const before = source.requests;
      const inputs = await source.gather(parseHashInput(what), {
        signal,
        confirm: async ({ earlier, requests }) => {
          writeNote(
            `${earlier} earlier transactions of the account run first: about ${requests} more requests.`,
          );
          return Promise.resolve(true);
        },
      });
      return { inputs, requests: source.requests - before };
    },
    run: async (inputs, requests, texts, verbosity) => {
      const edits = await readReplayEdits(texts, inputs, {
        cell: readCell,
        address: async (text) => {
          const { findAccount } = await import('../toolkit/accounts/findAccount');
          return findAccount(access, text, await reachedAccountNames(access), signal);
        },
      });
      emulator ??= await createSandboxEmulator();
      const replay = await runReplay(inputs, emulator, { edits, verbosity, signal });
      return { inputs, replay, edits: texts, requests, ...(await namesHere(access, inputs, replay)) };
    },
  };
}

/** The names of the account and of its exit codes; a file's account is not looked up. */
async function namesHere(
  access: Access,
  inputs: ReplayInputs,
  replay: Replay,
): Promise<Pick<ReplayReport, 'name' | 'exits'>> {
  const [{ replayedCode }, { compiledProject }, { describeContract }] = await Promise.all([
    import('../toolkit/replay/replayedCode'),
    import('./readProjectOf'),
    import('../toolkit/abi/describeContract'),
  ]);
  const deployed = replayedCode(replay);
  const { codeHash } = deployed;
  const project = codeHash === undefined ? [] : await compiledProject(process.cwd(), new Set([codeHash]));
  const exits = describeContract(deployed, project);
  const isOfNetwork = inputs.network === access.network.name;
  const accounts = isOfNetwork ? await localAccountNames(access.network) : new Map<string, string>();
  const given = [...accounts].find(([, address]) => address === inputs.account)?.[0];
  return { name: given ?? exits.name, exits };
}

/** A cell as stack text, a BoC, or a file. */
async function readCell(text: string): Promise<Cell> {
  const [{ parseOneCell }, { readBocArgument }, { toCoreCell }] = await Promise.all([
    import('../toolkit/stack/parseOneCell'),
    import('./readBocArgument'),
    import('../toolkit/cell/toCoreCell'),
  ]);
  if (/^(?:b\(|cell\b)/.test(text)) {
    return parseOneCell(text);
  }
  const boc = await readBocArgument(text);
  return toCoreCell(boc, boc.roots[0]!);
}

/** Undefined if there is no such file. */
async function readText(file: string): Promise<string | undefined> {
  const { readFile } = await import('node:fs/promises');
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' || cause.code === 'ENAMETOOLONG') {
      return undefined;
    }
    throw fileError({ path: file, code: 'file-unreadable' }, cause);
  });
}

async function readHashes(file: string, shard: string | undefined): Promise<string[]> {
  const text = await readText(file);
  if (text === undefined) {
    throw fileError({ path: file, code: 'file-unreadable' }, Object.assign(new Error(), { code: 'ENOENT' }));
  }
  const [, k = '1', n = '1'] = /^(\d{1,6})\/(\d{1,6})$/.exec(shard ?? '1/1') ?? [, '0', '0'];
  const [part, parts] = [Number(k), Number(n)];
  if (part < 1 || part > parts) {
    throw await usageError(`--shard ${JSON.stringify(shard)} is not a part such as 3/16.`);
  }
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .filter((_, index) => index % parts === part - 1);
}

async function save(file: string, inputs: ReplayInputs): Promise<void> {
  const [{ replayFileText }, { writeWholeFile }] = await Promise.all([
    import('../toolkit/replay/replayFile'),
    import('./writeWholeFile'),
  ]);
  await writeWholeFile('replay', file, replayFileText(inputs));
}

/** Edited runs have no verdict, so they do not fail. */
async function failUnlessExact(reports: readonly ReplayReport[]): Promise<void> {
  const isExact = ({ replay: { verdict }, edits }: ReplayReport): boolean =>
    edits.length > 0 || verdict === 'exact' || verdict === 'exact-state';
  if (!reports.every(isExact)) {
    throw await failedError('The replay does not agree with what happened.');
  }
}

async function failedError(message: string): Promise<Error> {
  const { WorkbenchError } = await import('../toolkit/errors');
  return new WorkbenchError({ code: 'replay-diverged', kind: 'failed', message });
}

async function usageError(message: string, hint?: string): Promise<Error> {
  const { WorkbenchError } = await import('../toolkit/errors');
  return new WorkbenchError({ code: 'usage', kind: 'input', message, hint });
}
