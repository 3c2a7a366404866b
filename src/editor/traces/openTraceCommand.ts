import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/base/errors';
import { fileName, inputReason } from '../../toolkit/base/text';
import type { TraceModel } from '../../toolkit/trace/traceModel';
import type { TraceContext } from '../../toolkit/trace/traceContext';
import type { TraceWordSources } from '../../toolkit/workflows/describeTrace';
import { accountsByName } from '../project/accountName';
import { domainLookUp } from '../project/domainLookUp';
import { networkOfText } from '../networks/addNetwork';
import { projectWords } from '../project/projectWords';
import type { Services } from '../project/services';
import { askText } from '../ui/askText';
import { readWorkspaceText } from '../ui/readWorkspaceFile';
import { afterAnswers } from '../ui/registerCommands';
import { withProgress } from '../ui/withProgress';
import type { OpenTrace, OpenTraces, TraceOrigin } from './openTraces';
import { originText } from './openTraces';
import { traceKnowledge } from './traceKnowledge';

/** Number of an account's traces listed at once. */
const accountPage = 20;

/**
 * TON: Open Trace…: by account, transaction or message hash, trace id, explorer link, or the BoC that was sent, on the
 * network that a link names, else on the current one.
 */
export async function openTraceCommand(
  services: Services,
  traces: OpenTraces,
  given?: string,
): Promise<void> {
  const query = given ?? (await askQuery(services));
  const network = query === undefined ? undefined : await networkOfText(services, query);
  if (query === undefined || network === undefined) {
    return;
  }
  await afterAnswers([query], () => openOn(services, traces, network, query));
}

async function openOn(
  services: Services,
  traces: OpenTraces,
  network: Network,
  query: string,
): Promise<void> {
  try {
    await listTraces(traces, await findForList(services, network, query));
  } catch (error) {
    if (!WorkbenchError.is(error, 'trace-not-found')) {
      throw error;
    }
    const switched = await offerAfterNothing(services, traces, error, network.name);
    if (switched !== undefined) {
      await openOn(services, traces, switched, query);
    }
  }
}

/**
 * Finds the traces for a hash, an account, or an explorer link, in the form that the list shows; starts the
 * local network.
 * @throws WorkbenchError `trace-not-found`, and the network's errors
 */
export async function findForList(services: Services, network: Network, query: string): Promise<OpenTrace[]> {
  const access = await withProgress(`Connecting to ${network.name}`, (signal) =>
    services.connections.open(network, signal),
  );
  return findOn(services, access, query);
}

function findOn(services: Services, access: Access, query: string): Promise<OpenTrace[]> {
  const network = access.network.name;
  return withProgress(`Looking for traces on ${network}`, async (signal) => {
    const { openTrace } = await import('../../toolkit/workflows/openTrace');
    const from = { access, text: query, limit: accountPage, names: accountsByName(services, access.network) };
    // Jetton metadata arrives later, at low priority: see TraceCompletion.
    const { value } = await openTrace({ from, words: wordsOf(services), signal }).next();
    const found = value?.type === 'found' ? value.contexts : [];
    return found.map((context) => listedTrace(context, { network }));
  });
}

/**
 * Not found: usually it is on another network, or mistyped.
 * @returns the network that was switched to, to look there
 */
async function offerAfterNothing(
  services: Services,
  traces: OpenTraces,
  { message, hint = '' }: WorkbenchError,
  network: string,
): Promise<Network | undefined> {
  const next = await vscode.window.showWarningMessage(
    `${network}: ${message} ${hint}`.trim(),
    'Switch Network…',
    'Open Another…',
  );
  if (next === 'Open Another…') {
    await openTraceCommand(services, traces);
  } else if (next !== undefined) {
    await runCommand(vscode.commands, 'tonWorkbench.switchNetwork');
  }
  const current = services.networks.current();
  return next === 'Switch Network…' && current.name !== network ? current : undefined;
}

/** TON: Open Trace File…: a saved trace, or a saved answer of the indexed API. */
export async function openTraceFileCommand(services: Services, traces: OpenTraces): Promise<void> {
  const opened = await readTraceFile(services);
  if (opened !== undefined) {
    await listTraces(traces, opened);
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
  const text = await readWorkspaceText(file, 'serviceAnswer');
  const name = fileName(file.path);
  return Promise.all(openTraces(text).map((model) => describeForList(services, model, { file: name })));
}

/** Lists the traces, newest first, and shows the page of the only or first one. */
export async function openModels(
  services: Services,
  traces: OpenTraces,
  models: readonly TraceModel[],
  origin: TraceOrigin,
): Promise<void> {
  const opened = await Promise.all(models.map((model) => describeForList(services, model, origin)));
  await listTraces(traces, opened);
}

async function listTraces(traces: OpenTraces, opened: readonly OpenTrace[]): Promise<void> {
  traces.add(opened);
  const [first] = opened;
  if (first !== undefined) {
    await runCommand(vscode.commands, 'tonWorkbench.showTracePage', { key: first.key }, true);
  }
}

/** A trace model with what this window knows about it. */
export async function describeForList(
  services: Services,
  model: TraceModel,
  origin: TraceOrigin,
): Promise<OpenTrace> {
  const { describeTrace } = await import('../../toolkit/workflows/describeTrace');
  return listedTrace(await describeTrace(model, wordsOf(services)), origin);
}

/** Updates the account names in the listed traces of the current network. */
export async function nameAgain(services: Services, traces: OpenTraces): Promise<void> {
  const { TraceContext } = await import('../../toolkit/trace/traceContext');
  const { name } = services.networks.current();
  const words = traceKnowledge(services);
  const listed = traces.list().filter(({ origin }) => 'network' in origin && origin.network === name);
  for (const trace of listed) {
    const knowledge = { ...trace.context.knowledge, ...words };
    traces.add([{ ...trace, context: new TraceContext(trace.model, knowledge) }]);
  }
}

function listedTrace(context: TraceContext, origin: TraceOrigin): OpenTrace {
  const { model } = context;
  const key = `${originText(origin)}/${model.source.external_hash ?? model.id ?? model.nodes[0]?.hash ?? 'unknown'}`;
  return { key, origin, model, context, status: 'complete' };
}

/** This window's names of accounts, and the workspace contracts' names of messages and exit codes. */
function wordsOf(services: Services): TraceWordSources {
  return { ...traceKnowledge(services), ...projectWords(services.project) };
}

async function askQuery(services: Services): Promise<string | undefined> {
  const { name } = services.networks.current();
  await withProgress(`Connecting to ${name}`, (signal) => services.connections.current(signal));
  const { parseTraceQuery } = await import('../../toolkit/trace/parseTraceQuery');
  const problem = (text: string): string | undefined => {
    try {
      parseTraceQuery(text, accountsByName(services));
      return undefined;
    } catch (error) {
      return inputReason(error);
    }
  };
  const copied = (await vscode.env.clipboard.readText()).trim();
  const useful = copied !== '' && copied.length < 300 && problem(copied) === undefined;
  const answer = await askText({
    title: `TON: Open Trace on ${name}`,
    prompt:
      'A hash of a transaction or message, a trace ID, an account, an explorer link, or the BoC that was sent',
    placeholder: 'Hash, account, link',
    ...(useful ? { value: copied } : {}),
    validate: (text) => (text.trim() === '' ? 'Enter a hash, an account, or a link.' : problem(text)),
    lookUp: domainLookUp(services),
  });
  return typeof answer === 'string' ? answer.trim() : undefined;
}
