import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/errors';
import type { LayoutSet } from '../../toolkit/layouts/cellLayout';
import type { TraceKnowledge } from '../../toolkit/trace/traceContext';
import type { TraceModel } from '../../toolkit/trace/traceModel';
import { accountsByName } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { askText } from '../ui/askText';
import { inputReason } from '../ui/inputReason';
import { withProgress } from '../ui/withProgress';
import { originText } from './openTraces';
import type { OpenTrace, OpenTraces, TraceOrigin } from './openTraces';
import { showTrace } from './traceDocuments';
import { traceKnowledge } from './traceKnowledge';

/** Traces of an account that are listed at once. */
const accountPage = 20;

/** TON: Open Trace…: by account, transaction or message hash, trace id or explorer link, on the current network. */
export async function openTraceCommand(
  services: Services,
  traces: OpenTraces,
  given?: string,
): Promise<void> {
  const network = services.networks.current().name;
  const access = await withProgress(`Connecting to ${network}`, (signal) =>
    services.connections.current(signal),
  );
  const query = given ?? (await askQuery(services, network));
  if (query === undefined) {
    return;
  }
  const models = await withProgress(`Looking for traces on ${network}`, async (signal) => {
    const { findTrace } = await import('../../toolkit/trace/findTrace');
    const { traceSourceOf } = await import('../../toolkit/access/traceSourceOf');
    const options = { signal, limit: accountPage, names: accountsByName(services) };
    return findTrace(traceSourceOf(access), query, options).catch((error: unknown) => {
      if (WorkbenchError.is(error) && error.code === 'trace-not-found') {
        return error;
      }
      throw error;
    });
  });
  if (models instanceof Error) {
    await offerAfterNothing(services, traces, `${models.message} ${models.hint ?? ''}`.trim(), network);
  } else {
    await openModels(services, traces, models, { network });
  }
}

/** Nothing was found: most often it is on another network, or mistyped. */
async function offerAfterNothing(
  services: Services,
  traces: OpenTraces,
  message: string,
  network: string,
): Promise<void> {
  const next = await vscode.window.showWarningMessage(
    `${network}: ${message}`,
    'Switch Network…',
    'Open Another…',
  );
  if (next === 'Switch Network…') {
    await runCommand(vscode.commands, 'tonWorkbench.switchNetwork');
  } else if (next === 'Open Another…') {
    await openTraceCommand(services, traces);
  }
}

/** TON: Open Trace File…: a saved trace, or a saved answer of the indexed API. */
export async function openTraceFileCommand(services: Services, traces: OpenTraces): Promise<void> {
  const opened = await readTraceFile(services);
  if (opened !== undefined) {
    await listTraces(services, traces, opened);
  }
}

/** Asks for a file and reads the traces in it. */
export async function readTraceFile(services: Services): Promise<OpenTrace[] | undefined> {
  const [file] =
    (await vscode.window.showOpenDialog({
      title: 'Open Trace File',
      filters: { 'Trace (JSON)': ['json'], 'All files': ['*'] },
    })) ?? [];
  if (file === undefined) {
    return undefined;
  }
  const { openTraces } = await import('../../toolkit/trace/traceFile');
  const text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8');
  const name = file.path.split('/').at(-1) ?? 'file';
  return Promise.all(openTraces(text).map((model) => openTrace(services, model, { file: name })));
}

/** Lists the traces, newest first, and shows the document of the only or first one. */
export async function openModels(
  services: Services,
  traces: OpenTraces,
  models: readonly TraceModel[],
  origin: TraceOrigin,
): Promise<void> {
  const opened = await Promise.all(models.map((model) => openTrace(services, model, origin)));
  await listTraces(services, traces, opened);
}

async function listTraces(
  services: Services,
  traces: OpenTraces,
  opened: readonly OpenTrace[],
): Promise<void> {
  traces.add(opened);
  const [first] = opened;
  if (first !== undefined) {
    await showTrace(services, traces, { key: first.key });
  }
}

/** A model with what this window knows around it. */
export async function openTrace(
  services: Services,
  model: TraceModel,
  origin: TraceOrigin,
): Promise<OpenTrace> {
  const { TraceContext, codesOf } = await import('../../toolkit/trace/traceContext');
  const knowledge = { ...traceKnowledge(services), ...(await ownWords(services, model, codesOf)) };
  const context = new TraceContext(model, knowledge);
  const key = `${originText(origin)}/${model.source.external_hash ?? model.id ?? model.nodes[0]?.hash ?? 'unknown'}`;
  return { key, origin, model, context, status: 'complete' };
}

/** What the workspace's contracts call their messages and exit codes; its files are read only where it takes them. */
async function ownWords(
  services: Services,
  model: TraceModel,
  codesOf: (model: TraceModel) => Map<string, string>,
): Promise<Pick<TraceKnowledge, 'errorName' | 'messageName' | 'decodeBody'>> {
  const { project } = services;
  const [{ failedNodes }, { hasUnnamedMessages }] = await Promise.all([
    import('../../toolkit/trace/verdict'),
    import('../../toolkit/trace/hasUnnamedMessages'),
  ]);
  const isFailed = failedNodes(model).length > 0;
  const isUnnamed = hasUnnamedMessages(model);
  if (!isFailed && !isUnnamed) {
    return {};
  }
  const [{ errorNames }, { abiBodies }, { sourceNames }, contracts, layouts] = await Promise.all([
    import('../../toolkit/abi/errorNames'),
    import('../../toolkit/trace/abiBodies'),
    import('../../toolkit/trace/sourceNames'),
    project.list(),
    isUnnamed ? layoutsOf(services) : [],
  ]);
  const codes = codesOf(model);
  const chosen = (hash: string): string | undefined => project.chosen(hash);
  return {
    errorName: errorNames(codes, contracts, chosen),
    messageName: sourceNames({ project: contracts, codes, chosen }),
    decodeBody: abiBodies({ layouts, project: contracts, codes, chosen }),
  };
}

/** Milliseconds that the workspace's layouts are believed: a list of traces reads them once. */
const layoutsKeptMs = 5000;
const keptLayouts = new WeakMap<object, { until: number; sets: Promise<LayoutSet[]> }>();

async function layoutsOf(services: Services): Promise<LayoutSet[]> {
  const kept = keptLayouts.get(services);
  if (kept !== undefined && kept.until >= Date.now()) {
    return kept.sets;
  }
  const { workspaceLayouts } = await import('../cells/workspaceLayouts');
  const sets = workspaceLayouts(services.log);
  keptLayouts.set(services, { until: Date.now() + layoutsKeptMs, sets });
  return sets;
}

async function askQuery(services: Services, network: string): Promise<string | undefined> {
  const { parseTraceQuery } = await import('../../toolkit/trace/parseTraceQuery');
  const accounts = accountsByName(services);
  const problem = (text: string): string | undefined => {
    try {
      parseTraceQuery(text, accounts);
      return undefined;
    } catch (error) {
      return inputReason(error);
    }
  };
  const copied = (await vscode.env.clipboard.readText()).trim();
  const useful = copied !== '' && copied.length < 300 && problem(copied) === undefined;
  const answer = await askText({
    title: `TON: Open Trace on ${network}`,
    prompt: 'A transaction or message hash, a trace ID, an account, or an explorer link',
    placeholder: 'Hash, account, link',
    ...(useful ? { value: copied } : {}),
    validate: (text) => (text.trim() === '' ? 'Enter a hash, an account, or a link.' : problem(text)),
  });
  return typeof answer === 'string' ? answer.trim() : undefined;
}
