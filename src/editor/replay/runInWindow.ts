import * as vscode from 'vscode';
import { abortedError } from '../../toolkit/errors';
import type { Replay } from '../../toolkit/replay/runReplay';
import type { ReplayEdits } from '../../toolkit/replay/editReplay';
import type { ReplayCost } from '../../toolkit/replay/replaySource';
import { counted } from '../../toolkit/trace/figures';
import { accountNameOn } from '../accounts/knownAccounts';
import { describeDeployed } from '../project/describeDeployed';
import { withProgress } from '../ui/withProgress';
import type { FoundTarget } from './findReplayTarget';
import type { ReplayServices } from './replayServices';
import type { GatheredInputs, OpenReplay, ReplayWords } from './replays';

/** Changes as text and as data. */
export interface Changes {
  texts: readonly string[];
  edits: ReplayEdits;
}

/** What a transaction is run again for, and what ends that besides the user's canceling. */
export interface RunWay {
  verb: { ing: string; button: string };
  signal?: AbortSignal | undefined;
}

const replaying: RunWay = { verb: { ing: 'Replaying', button: 'Replay' } };

/**
 * The inputs of a transaction: those of an open replay, else gathered from the network, with its requests counted in
 * the progress notification.
 *
 * @throws WorkbenchError as `ReplaySource.gather`
 */
export async function gatherInWindow(
  services: ReplayServices,
  target: FoundTarget,
  { verb, signal }: RunWay = replaying,
): Promise<GatheredInputs> {
  if ('report' in target) {
    return target.report;
  }
  if ('inputs' in target) {
    return target;
  }
  const { hash, network } = target;
  return withProgress(
    `${verb.ing} a transaction of ${network.name}`,
    async (either, report) => {
      const access = await services.connections.open(network, either);
      return services.replays.gather(access, hash, {
        signal: either,
        confirm: (cost) => confirmCost(cost, network.name, verb.button),
        onRequest: (requests) => report(counted(requests, 'request')),
      });
    },
    signal,
  );
}

/**
 * Runs a transaction again in the emulator's thread.
 *
 * @throws WorkbenchError as `runReplay`
 */
export async function runInWindow(
  services: ReplayServices,
  gathered: GatheredInputs,
  { texts, edits }: Changes = { texts: [], edits: {} },
  signal?: AbortSignal,
): Promise<OpenReplay> {
  const what = counted(gathered.inputs.earlier.length + 1, 'transaction');
  return withProgress(
    `Running ${what} again`,
    (either) =>
      services.replays.run(gathered, (replay) => wordsOf(services, gathered, replay), {
        texts,
        edits,
        signal: either,
      }),
    signal,
  );
}

/**
 * The replay of a target: the one that is open already, else what happened, run again.
 *
 * @throws WorkbenchError as {@link gatherInWindow} and {@link runInWindow}
 */
export async function openInWindow(
  services: ReplayServices,
  target: FoundTarget,
  way?: RunWay,
): Promise<OpenReplay> {
  return 'report' in target
    ? target
    : runInWindow(services, await gatherInWindow(services, target, way), undefined, way?.signal);
}

/**
 * The same without asking or showing anything, for an answer that nobody waits for.
 *
 * @throws WorkbenchError as {@link openInWindow}; `aborted` if many transactions must run first
 */
export async function openQuietly(services: ReplayServices, target: FoundTarget): Promise<OpenReplay> {
  if ('report' in target) {
    return target;
  }
  const { signal } = new AbortController();
  const gathered =
    'inputs' in target
      ? target
      : await services.replays.gather(await services.connections.to(target.network), target.hash, {
          signal,
          confirm: () => Promise.reject(abortedError()),
          onRequest: () => undefined,
        });
  return services.replays.run(gathered, (replay) => wordsOf(services, gathered, replay), { signal });
}

/** The names of the account and of its exit codes. */
async function wordsOf(
  services: ReplayServices,
  { inputs }: GatheredInputs,
  replay: Replay,
): Promise<ReplayWords> {
  const [{ replayedCode }, { messageOf }] = await Promise.all([
    import('../../toolkit/replay/replayedCode'),
    import('../../toolkit/gas/gasKeys'),
  ]);
  const { project } = services;
  const deployed = replayedCode(replay);
  await project.findSource(deployed);
  const exits = await describeDeployed(project, deployed);
  const given = accountNameOn(services, inputs.network)(inputs.account);
  const message = messageOf(replay.replayed, exits.messages);
  return { name: given ?? exits.name, exits, contract: exits.name, message };
}

async function confirmCost(
  { earlier, requests }: ReplayCost,
  network: string,
  button: string,
): Promise<boolean> {
  const question = `${counted(earlier, 'earlier transaction')} of this account must run first.`;
  const detail = `That takes about ${counted(requests, 'more request')} to ${network}.`;
  const isWanted =
    (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
  if (!isWanted) {
    throw abortedError();
  }
  return true;
}
