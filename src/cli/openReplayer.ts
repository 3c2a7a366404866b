import type { Cell } from '@ton/core';
import type { DeployedCode } from '../toolkit/contracts/abi/contractDescription';
import type { Access } from '../toolkit/access/createAccess';
import { everyStep } from '../toolkit/execution/emulator/emulator';
import type { Emulator } from '../toolkit/execution/emulator/emulator';
import type { CoveredRun } from '../toolkit/replay/coveredRun';
import type { ReplayInputs } from '../toolkit/replay/replayInputs';
import type { ReplayReport } from '../toolkit/replay/replayReport';
import type { Replay } from '../toolkit/replay/runReplay';
import type { SourceMap } from '../toolkit/sourceMap/sourceMap';
import { localAccountNames, reachedAccountNames } from './reachedAccountNames';
import { openAccess } from './networkOptions';
import { networkHere } from './networkHere';
import type { NetworkOptions } from './networkOptions';
import { writeNote } from './output';
import { pathExists } from './writeWholeFile';
import { readGivenFile } from './readGivenFile';
import { stopSignal } from './runTests';
import { pathHere, surroundings } from './surroundings';

/** What a run of the command shares between its replays. */
export interface Replayer {
  /** @param what a hash, a link, a BoC that was sent, a file of one or of --save, a record of tests, or an account for its last transaction */
  inputs(what: string): Promise<GatheredInputs>;
  /** @param file of --save */
  open(file: string): Promise<GatheredInputs>;
  /** @param edits as given, `KEY=VALUE` */
  run(gathered: GatheredInputs, edits: readonly string[]): Promise<ReplayReport>;
  /** Runs a transaction again, and counts what it ran of its source. */
  cover(
    gathered: GatheredInputs,
    linesOf: (deployed: DeployedCode) => Promise<SourceMap | undefined>,
  ): Promise<CoveredRun>;
  /**
   * All transactions of a trace, in order of execution.
   * @param what a hash in it, or an account for the trace of its last transaction
   */
  trace(what: string): Promise<TracedTransaction[]>;
  /** Names of the network's accounts, by raw address. */
  names(): Promise<ReadonlyMap<string, string>>;
  /**
   * The hashes of an account's last transactions, the newest first.
   * @param account as given: an address, a domain, or a name
   */
  history(account: string, limit: number): Promise<string[]>;
}

/** A transaction of a trace. */
interface TracedTransaction {
  /** Lowercase hex. */
  hash: string;
  /** Raw address. */
  account: string;
}

/** Inputs of a replay, and the requests that they took. */
interface GatheredInputs {
  inputs: ReplayInputs;
  /** 0 for a file. */
  requests: number;
}

/** Opens what replays need: a network, which is asked only if they do, and an emulator. */
export async function openReplayer(options: NetworkOptions): Promise<Replayer> {
  const [
    { ReplaySource },
    { openReplayFile },
    { runReplay, replayRecording },
    { readReplayEdits },
    { createSandboxEmulator },
  ] = await Promise.all([
    import('../toolkit/replay/replaySource'),
    import('../toolkit/replay/replayFile'),
    import('../toolkit/replay/runReplay'),
    import('../toolkit/replay/replayInputs'),
    import('../toolkit/execution/emulator/createSandboxEmulator'),
  ]);
  const { network } = networkHere(options.network);
  const access = await openAccess(network, options);
  const source = new ReplaySource(access);
  const signal = stopSignal();
  let emulator: Emulator | undefined;
  return {
    inputs: async (what) => {
      const { openRecord } = await import('./openRecord');
      const opened = await openRecord(what);
      if (opened !== undefined) {
        const { recordInputs } = await import('../toolkit/testRuns/recordInputs');
        return { inputs: recordInputs(opened.recording, opened.execution()), requests: 0 };
      }
      let sent: string | undefined;
      if (await pathExists(pathHere(what))) {
        const content = await readReplayFile(what);
        const { sentHashIn } = await import('../toolkit/trace/sentHashIn');
        sent = sentHashIn(content);
        if (sent === undefined) {
          return { inputs: openReplayFile(content.toString('utf8')), requests: 0 };
        }
      }
      const { transactionHash } = await import('./transactionHash');
      const hash = sent ?? (await transactionHash(access, what, signal));
      const before = source.requests;
      const inputs = await source.gather(hash, {
        signal,
        confirm: async ({ earlier, requests }) => {
          writeNote(
            `${earlier} earlier transactions of the account must run first: about ${requests} more requests.`,
          );
          return Promise.resolve(true);
        },
      });
      return { inputs, requests: source.requests - before };
    },
    open: async (file) => {
      return { inputs: openReplayFile((await readReplayFile(file)).toString('utf8')), requests: 0 };
    },
    run: async ({ inputs, requests }, texts) => {
      const edits = await readReplayEdits(texts, inputs, {
        cell: readCell,
        body: (text) => readBody(access, inputs.account, text, signal),
        address: async (text) => {
          const { findAccount } = await import('../toolkit/accounts/findAccount');
          return findAccount(access, text, await reachedAccountNames(access), signal);
        },
      });
      emulator ??= await createSandboxEmulator();
      const replay = await runReplay(inputs, emulator, {
        edits,
        verbosity: everyStep,
        signal,
      });
      const recording = replayRecording(replay);
      const names = await namesHere(access, inputs, replay);
      return { inputs, replay, recording, edits: texts, requests, ...names };
    },
    cover: async ({ inputs }, linesOf) => {
      const { coverReplay } = await import('../toolkit/replay/coveredRun');
      emulator ??= await createSandboxEmulator();
      return coverReplay(inputs, emulator, linesOf, signal);
    },
    history: async (account, limit) => {
      const { findAccount } = await import('../toolkit/accounts/findAccount');
      const address = await findAccount(access, account, await reachedAccountNames(access), signal);
      const { transactions } = await access.v3.transactions({ account: [address], limit, sort: 'desc' });
      return (transactions ?? []).flatMap(({ hash }) => hash ?? []);
    },
    trace: async (what) => {
      const [{ transactionHash }, { findTrace }, { traceSourceOf }, { compareLt }] = await Promise.all([
        import('./transactionHash'),
        import('../toolkit/trace/findTrace'),
        import('../toolkit/access/traceSourceOf'),
        import('../toolkit/trace/traceKeys'),
      ]);
      const hash = await transactionHash(access, what, signal);
      const [model] = await findTrace(traceSourceOf(access), hash, { signal });
      return (model?.nodes ?? [])
        .map(({ transaction }) => transaction)
        .filter((transaction) => transaction?.hash != null && transaction.emulated !== true)
        .sort((one, other) => compareLt(one?.lt, other?.lt))
        .map((transaction) => ({ hash: transaction?.hash ?? '', account: transaction?.account ?? '' }));
    },
    names: () => namesOn(access),
  };
}

/** Names of the network's accounts, by raw address. */
async function namesOn({ network }: Access): Promise<ReadonlyMap<string, string>> {
  const { namesByAddress } = await import('../toolkit/accounts/findAccount');
  return namesByAddress(await localAccountNames(network));
}

/** The names of the account and of its exit codes; a file's account is not looked up. */
async function namesHere(
  access: Access,
  inputs: ReplayInputs,
  replay: Replay,
): Promise<Pick<ReplayReport, 'name' | 'exits'>> {
  const [{ replayedCode }, { compiledProject }, { describeContract }] = await Promise.all([
    import('../toolkit/replay/replayedCode'),
    import('./projectWith'),
    import('../toolkit/contracts/abi/contractDescription'),
  ]);
  const deployed = replayedCode(replay);
  const { codeHash } = deployed;
  const project =
    codeHash === undefined ? [] : await compiledProject(surroundings().folder, new Set([codeHash]));
  const exits = describeContract(deployed, project);
  const isOfNetwork = inputs.network === access.network.name;
  const given = isOfNetwork ? (await namesOn(access)).get(inputs.account) : undefined;
  return { name: given ?? exits.name, exits };
}

/** A body as a line of `send --compose` has it: a message by name, or a comment. */
async function readBody(
  access: Access,
  account: string,
  text: string,
  signal: AbortSignal,
): Promise<Cell | undefined> {
  if (!/^(?:comment\s|[\p{L}_][\w.]*\s*\{)/u.test(text)) {
    return undefined;
  }
  const [{ parseComposeLine }, { projectLayouts }, { projectAround }, { namesInText }] = await Promise.all([
    import('../toolkit/send/parseComposeLine'),
    import('../toolkit/contracts/layouts/projectLayouts'),
    import('./projectWith'),
    import('./reachedAccountNames'),
  ]);
  const accounts = await namesInText(access, text, await reachedAccountNames(access), signal);
  const [known] = [...accounts].find(([, address]) => address === account) ?? [];
  const to = known !== undefined && /^[\w-]+$/.test(known) ? known : account;
  const layouts = await projectLayouts(await projectAround(surroundings().folder));
  return parseComposeLine(`${to} 0ton ${text}`, { accounts, layouts, wallets: ['nobody'] }).body;
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

function readReplayFile(path: string): Promise<Buffer> {
  return readGivenFile({ path, code: 'file-unreadable' }, 'replayFile');
}
