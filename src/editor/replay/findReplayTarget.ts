import * as vscode from 'vscode';
import type { ReplayTarget, TransactionRef } from '../../commandTargets';
import { documentScheme } from '../../contributions';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError, abortedError } from '../../toolkit/base/errors';
import { inputReason } from '../../toolkit/base/text';
import type { ReplayEdits } from '../../toolkit/replay/replayEdits';
import type { ReplayCost } from '../../toolkit/replay/replaySource';
import type { Replay } from '../../toolkit/replay/runReplay';
import { isEmulation } from '../../toolkit/trace/isEmulated';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { counted } from '../../toolkit/trace/figures';
import { nodeRow } from '../../toolkit/trace/traceLine';
import { causeOf } from '../../toolkit/trace/verdict';
import { accountNameOn } from '../project/accountName';
import { networkOfText } from '../networks/addNetwork';
import { describeDeployed } from '../project/methodsOf';
import type { OpenTrace } from '../traces/openTraces';
import { transactionOf } from '../traces/openTraces';
import { askText } from '../ui/askText';
import { withProgress } from '../ui/withProgress';
import type { GatheredInputs, OpenReplay, ReplayServices, ReplayWords } from './replays';

/** A transaction of a network, one of a rehearsal, or a replay that is open already. */
export type FoundTarget = { hash: string; network: Network } | GatheredInputs | OpenReplay;

/**
 * The transaction that a row, page, or hash stands for. Without one, the active document decides, or the user is asked.
 *
 * @param rehearsals whether transactions that were only rehearsed will do
 * @returns undefined if the user canceled
 * @throws WorkbenchError `replay-impossible`, `command-argument-missing`
 */
export async function findReplayTarget(
  services: ReplayServices,
  title: string,
  given: ReplayTarget | undefined,
  { rehearsals = false }: { rehearsals?: boolean } = {},
): Promise<FoundTarget | undefined> {
  const target = given ?? targetOfEditor();
  if (typeof target === 'object' && 'replay' in target) {
    const open = services.replays.find(target.replay);
    if (open === undefined) {
      throw goneError('This replay belonged to an earlier session.');
    }
    return open;
  }
  if (typeof target === 'object') {
    return 'node' in target
      ? ofTrace(services, title, target.trace.key, target.node.index, rehearsals)
      : ofTrace(services, title, target.key, (target as Partial<TransactionRef>).index, rehearsals);
  }
  const text = typeof target === 'string' ? target : await askHash(services, title);
  const network = text === undefined ? undefined : await networkOfText(services, text);
  return text === undefined || network === undefined ? undefined : { hash: await hashOf(text), network };
}

/** What the active document shows: a transaction, a trace, or a replay. */
export function targetOfEditor(): Exclude<ReplayTarget, string> | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (uri?.scheme !== documentScheme) {
    return undefined;
  }
  const [, kind, name = ''] = uri.path.split('/');
  return kind === 'replay' || kind === 'steps'
    ? { replay: name }
    : kind === 'trace'
      ? { key: decodeURIComponent(name) }
      : transactionOf(uri);
}

async function ofTrace(
  services: ReplayServices,
  title: string,
  key: string,
  index: number | undefined,
  rehearsals: boolean,
): Promise<FoundTarget | undefined> {
  const trace = await services.traces.load(key);
  if (trace === undefined) {
    throw goneError('This trace is no longer in the list.');
  }
  const isRehearsal = trace.status === 'rehearsal';
  const isTest = trace.status === 'test';
  if (!isTest && !(isRehearsal && rehearsals) && (isRehearsal || isEmulation(trace.model))) {
    throw impossibleError(
      'This message was only rehearsed: nothing has happened that could be replayed.',
      'Send it first, or rehearse it again with other values.',
    );
  }
  const node = index === undefined ? await chooseNode(trace, title) : trace.model.nodes[index];
  if (node === undefined) {
    return undefined;
  }
  if (node.hash === undefined) {
    throw impossibleError('This message has no transaction yet.', 'Wait until it has arrived.');
  }
  if (isRehearsal || isTest) {
    const inputs = trace.inputsOf?.(node.hash);
    if (inputs === undefined) {
      throw goneError(`This ${trace.status} belonged to an earlier session.`);
    }
    return isTest ? { inputs, requests: 0 } : { inputs, requests: 0, isRehearsal };
  }
  const { origin } = trace;
  const named = 'network' in origin ? services.networks.list() : [];
  const network = named.find(({ name }) => 'network' in origin && name === origin.network);
  return { hash: node.hash, network: network ?? services.networks.current() };
}

/** The transaction of a trace: the one that failed comes first. */
async function chooseNode(trace: OpenTrace, title: string): Promise<TraceNode | undefined> {
  const { model, context } = trace;
  const nodes = model.nodes.filter(({ hash }) => hash !== undefined);
  if (nodes.length < 2) {
    return nodes[0] ?? model.nodes[0];
  }
  const cause = causeOf(model);
  const ordered = cause?.hash === undefined ? nodes : [cause, ...nodes.filter((node) => node !== cause)];
  const items = ordered.map((node) => {
    const { label, description } = nodeRow(node, context);
    const icon =
      node.outcome === 'failed' ? '$(error)' : node.outcome === 'ok' ? '$(pass)' : '$(circle-outline)';
    return { label: `${icon} ${label}`, description, node };
  });
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: 'Choose the transaction',
    matchOnDescription: true,
  });
  return picked?.node;
}

async function hashOf(text: string): Promise<string> {
  const { parseTraceQuery } = await import('../../toolkit/trace/parseTraceQuery');
  const query = parseTraceQuery(text);
  if (query.kind === 'hash') {
    return query.hash;
  }
  throw impossibleError(
    'This is an account, which has many transactions.',
    'Give the hash of one of them; "TON: Show Recent Traces…" lists them.',
  );
}

async function askHash(services: ReplayServices, title: string): Promise<string | undefined> {
  const { parseTraceQuery } = await import('../../toolkit/trace/parseTraceQuery');
  const problem = (text: string): string | undefined => {
    try {
      const { kind } = parseTraceQuery(text);
      return kind === 'hash' ? undefined : 'This is an account. Enter the hash of one of its transactions.';
    } catch (error) {
      return inputReason(error);
    }
  };
  const copied = (await vscode.env.clipboard.readText()).trim();
  const isUseful = copied !== '' && copied.length < 300 && problem(copied) === undefined;
  const answer = await askText({
    title: `${title} on ${services.networks.current().name}`,
    prompt:
      'The hash of a transaction or of the message that caused it, an explorer link, or the BoC that was sent',
    placeholder: 'Hash, link',
    ...(isUseful ? { value: copied } : {}),
    validate: (text) => (text.trim() === '' ? 'Enter a hash or a link.' : problem(text)),
  });
  return typeof answer === 'string' ? answer.trim() : undefined;
}

function impossibleError(message: string, hint: string): WorkbenchError {
  return new WorkbenchError({ code: 'replay-impossible', kind: 'input', message, hint });
}

function goneError(message: string): WorkbenchError {
  return new WorkbenchError({
    code: 'command-argument-missing',
    kind: 'input',
    message,
    hint: 'Replay the transaction again from its row or by its hash.',
  });
}

/** Changes as text and as data. */
export interface Changes {
  texts: readonly string[];
  edits: ReplayEdits;
}

/** What a transaction is run again for, and what ends that besides the user's canceling. */
interface RunWay {
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
