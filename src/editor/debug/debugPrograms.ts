import * as vscode from 'vscode';
import type { ExecutionTarget, GetMethodRequest, RanGetMethod, ReplayRef } from '../../commandTargets';
import type { ContractDescription, DeployedCode } from '../../toolkit/contracts/abi/contractDescription';
import { shortAddress } from '../../toolkit/address/shortAddress';
import type { Network } from '../../toolkit/access/network';
import type { AccountNames } from '../../toolkit/debug/debugValue';
import type { DebugProgram, DebugRun, DebugThread } from '../../toolkit/debug/debugProgram';
import { methodRun } from '../../toolkit/debug/debugProgram';
import { replayRun } from '../../toolkit/debug/replayRun';
import { WorkbenchError, abortedError, toWorkbenchError } from '../../toolkit/base/errors';
import type { StorageLayout } from '../../toolkit/contracts/layouts/layoutSet';
import { projectStorage } from '../../toolkit/contracts/layouts/projectLayouts';
import { targetHash } from '../../toolkit/replay/replaySource';
import { replayedCode } from '../../toolkit/replay/replayedCode';
import { isLibraryFile } from '../../toolkit/sourceMap/sourceMap';
import { refusedInRun } from '../../toolkit/sourceMap/thrownAt';
import type { TraceNode } from '../../toolkit/trace/traceModel';
import { compareLt } from '../../toolkit/trace/traceKeys';
import { nodeRow } from '../../toolkit/trace/traceLine';
import { causeOf } from '../../toolkit/trace/verdict';
import { accountName } from '../project/accountName';
import { describeDeployed } from '../project/methodsOf';
import { linesNeedTrust } from '../project/noLinesReason';
import type { FoundTarget } from '../replay/findReplayTarget';
import { findReplayTarget, openInWindow } from '../replay/findReplayTarget';
import type { OpenReplay, ReplayServices } from '../replay/replays';
import { methodLines, replayLines, replaySubject } from '../replay/showReplay';
import type { OpenTrace } from '../traces/openTraces';
import { sheetLines } from '../traces/traceKnowledge';
import { withProgress } from '../ui/withProgress';

/** An execution in a debug session of this window. */
export interface TargetedThread extends DebugThread {
  /** What runs again with changes; undefined while it is not recorded. */
  again: () => ReplayRef | GetMethodRequest | undefined;
}

/** Of what the debugger asks. */
export const debugTitle = 'TON: Debug';

/** What a debug session is about, with its title. */
export interface TitledProgram {
  title: string;
  program: Omit<DebugProgram, 'threads' | 'open'> & {
    threads: readonly TargetedThread[];
    open?: ((hash: string) => TargetedThread | undefined) | undefined;
  };
}

/**
 * The executions that a row, page, hash, or answer stands for: all transactions of its trace, each recorded when the
 * session gets there, or one alone.
 *
 * @returns undefined if the user canceled
 * @throws WorkbenchError as `findReplayTarget`
 */
export async function debugProgramOf(
  services: ReplayServices,
  target: ExecutionTarget | undefined,
): Promise<TitledProgram | undefined> {
  if (typeof target === 'object' && 'method' in target) {
    return ofMethod(services, target);
  }
  const trace = await traceOf(services, target);
  if (trace !== undefined) {
    return ofTrace(services, trace.trace, trace.index);
  }
  const found = await findReplayTarget(services, debugTitle, target, { rehearsals: true });
  return found === undefined ? undefined : programOfTarget(services, found);
}

/**
 * A transaction of a network with the others of its trace; a saved replay, or one that is open, alone.
 *
 * @throws WorkbenchError those of connecting
 */
export async function programOfTarget(
  services: ReplayServices,
  found: FoundTarget,
  signal?: AbortSignal,
): Promise<TitledProgram> {
  if (!('network' in found)) {
    return alone(services, found);
  }
  const [{ findTrace }, { traceSourceOf }] = await Promise.all([
    import('../../toolkit/trace/findTrace'),
    import('../../toolkit/access/traceSourceOf'),
  ]);
  const { hash, network } = found;
  const [model] = await withProgress(
    `Looking for the trace on ${network.name}`,
    async (either) => {
      const access = await services.connections.open(network, either);
      return findTrace(traceSourceOf(access), hash, { signal: either });
    },
    signal,
  ).catch((error: unknown) => {
    if (toWorkbenchError(error).code === 'aborted') {
      throw error;
    }
    // Without its trace, the transaction is debugged alone.
    return [];
  });
  const nodes = inOrder(model?.nodes ?? []).filter(({ transaction }) => transaction?.emulated !== true);
  const first = nodes.findIndex((node) => node.hash === hash);
  if (first < 0) {
    return alone(services, found);
  }
  const nameOf = accountName(services, network);
  const threads = nodes.map((node, order) => {
    const account = node.account ?? '';
    const name = `${order + 1} ${nameOf(account) ?? shortAddress(account)}`;
    const thread = transactionThread(services, name, nameOf, () => ({ hash: node.hash ?? hash, network }));
    return { ...thread, hash: node.hash, account: node.account };
  });
  return {
    title: threads[first]?.name ?? hash.slice(0, 8),
    program: { ...programOf(threads, first, nameOf), ...beyond(services, network, nameOf) },
  };
}

/** What values can come from beyond a trace: earlier transactions of its accounts, and lines of call sheets. */
function beyond(
  services: ReplayServices,
  network: Network,
  nameOf: AccountNames,
): Required<Pick<TitledProgram['program'], 'open' | 'writtenIn'>> {
  return {
    open: (hash) =>
      transactionThread(services, `earlier transaction ${hash.slice(0, 8)}`, nameOf, () => ({
        hash,
        network,
      })),
    writtenIn: (hash) => sheetLines(services).find(hash),
  };
}

/** Transactions in order of execution. */
function inOrder(nodes: readonly TraceNode[]): TraceNode[] {
  return nodes
    .filter(({ hash }) => hash !== undefined)
    .sort((one, other) => compareLt(one.transaction?.lt, other.transaction?.lt));
}

/** A trace of the list, and the transaction in it that is meant. */
async function traceOf(
  { traces }: ReplayServices,
  target: Exclude<ExecutionTarget, RanGetMethod> | undefined,
): Promise<{ trace: OpenTrace; index: number | undefined } | undefined> {
  if (typeof target !== 'object' || 'replay' in target) {
    return undefined;
  }
  const [key, index] =
    'node' in target
      ? [target.trace.key, target.node.index]
      : [target.key, 'index' in target ? target.index : undefined];
  const trace = await traces.load(key);
  return trace === undefined ? undefined : { trace, index };
}

function ofTrace(services: ReplayServices, trace: OpenTrace, index: number | undefined): TitledProgram {
  const nodes = inOrder(trace.model.nodes);
  const { origin } = trace;
  const network = services.networks.list().find(({ name }) => 'network' in origin && name === origin.network);
  const nameOf = accountName(services, network);
  const meant = index === undefined ? interesting(trace, nodes) : trace.model.nodes[index];
  const threads = nodes.map((node, order) => {
    const { label } = nodeRow(node, trace.context);
    const ref = { key: trace.key, index: node.index };
    const thread = transactionThread(services, `${order + 1} ${label}`, nameOf, () =>
      findReplayTarget(services, '', ref, { rehearsals: true }),
    );
    return { ...thread, hash: node.hash, account: node.account };
  });
  if (threads.length === 0) {
    throw nothingError();
  }
  const first = Math.max(0, meant === undefined ? 0 : nodes.indexOf(meant));
  const around = network && beyond(services, network, nameOf);
  return {
    title: threads[first]?.name ?? 'trace',
    program: { ...programOf(threads, first, nameOf), ...around },
  };
}

/** Of a whole trace: what failed; else what the wallet has called. */
function interesting({ model }: OpenTrace, nodes: readonly TraceNode[]): TraceNode | undefined {
  return causeOf(model) ?? nodes[1] ?? nodes[0];
}

function alone(services: ReplayServices, found: FoundTarget): TitledProgram {
  const network = 'network' in found ? found.network : services.networks.current();
  const nameOf = accountName(services, network);
  const hash =
    'report' in found
      ? targetHash(found.report.inputs)
      : 'inputs' in found
        ? targetHash(found.inputs)
        : found.hash;
  const title = 'report' in found ? replaySubject(found.report) : hash.slice(0, 8);
  const thread = transactionThread(services, title, nameOf, () => found);
  return { title, program: programOf([thread], 0, nameOf) };
}

/** A transaction, gathered and recorded when the session gets there, with progress that can be canceled. */
export function transactionThread(
  services: ReplayServices,
  name: string,
  nameOf: AccountNames,
  find: () => FoundTarget | undefined | Promise<FoundTarget | undefined>,
): TargetedThread {
  let key: string | undefined;
  return {
    name,
    again: () => (key === undefined ? undefined : { replay: key }),
    load: async (signal) => {
      const found = await find();
      if (found === undefined) {
        throw abortedError();
      }
      const verb = { ing: 'Debugging', button: 'Debug' };
      const replay = await openInWindow(services, found, { verb, signal });
      key = replay.key;
      return recorded(services, replay, nameOf, signal);
    },
  };
}

function ofMethod(services: ReplayServices, call: RanGetMethod): TitledProgram {
  const nameOf = accountName(services);
  const title = `${call.method} on ${nameOf(call.address) ?? shortAddress(call.address)}`;
  const load = async (signal: AbortSignal): Promise<DebugRun> => {
    const execution = await withProgress(
      `Running ${call.method} step by step`,
      (either) => methodLines(services, call, either),
      signal,
    );
    const { description, storage } = await knowledgeOf(services, { codeHash: execution.inputs.codeHash });
    return methodRun(execution, { title, exits: description, storage });
  };
  const { network, address, method } = call;
  const again = (): GetMethodRequest => ({ network, address, method, beside: true });
  return { title, program: programOf([{ name: title, load, again }], 0, nameOf) };
}

export function programOf(
  threads: readonly TargetedThread[],
  first: number,
  accountName: AccountNames,
): TitledProgram['program'] {
  return { threads, first, pathOf, accountName };
}

/** What the workspace knows about a code. */
export async function knowledgeOf(
  { project }: Pick<ReplayServices, 'project'>,
  deployed: DeployedCode,
): Promise<{ description: ContractDescription; storage: StorageLayout | undefined }> {
  const description = await describeDeployed(project, deployed);
  return { description, storage: await projectStorage(await project.list(), description) };
}

async function recorded(
  services: ReplayServices,
  replay: OpenReplay,
  nameOf: AccountNames,
  signal: AbortSignal,
): Promise<DebugRun> {
  const [recording, lines, { description, storage }] = await Promise.all([
    services.replays.recording(replay, signal),
    replayLines(services, replay, signal),
    knowledgeOf(services, replayedCode(replay.report.replay)),
  ]);
  const untrusted = recording !== undefined && !vscode.workspace.isTrusted ? [linesNeedTrust] : [];
  const notes = lines === undefined ? untrusted : refusedInRun(lines);
  const { messages } = description;
  return replayRun({ ...replay.report, recording }, { lines, storage, messages, nameOf, notes });
}

function pathOf(file: string): string | undefined {
  return isLibraryFile(file) ? undefined : vscode.Uri.file(file).fsPath;
}

function nothingError(): WorkbenchError {
  return new WorkbenchError({
    code: 'replay-impossible',
    kind: 'input',
    message: 'This message has no transaction yet, so there is nothing to debug.',
    hint: 'Wait until it has arrived.',
  });
}
