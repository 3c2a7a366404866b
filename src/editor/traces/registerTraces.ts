import * as vscode from 'vscode';
import { documentScheme } from '../../contributions';
import type { TraceRef, TraceRow } from '../../commandArguments';
import type { TraceServices } from './traceServices';
import { registerCommands } from '../ui/registerCommands';
import { registerChainLinks } from './registerChainLinks';
import type { Following } from './following';
import type * as openTraceCommand from './openTraceCommand';
import type * as recentTracesCommand from './recentTracesCommand';
import type { TraceCompletion } from './traceCompletion';
import type * as traceDocuments from './traceDocuments';
import type { TraceGraphPanels } from './traceGraphPanels';
import { TraceFilters } from './traceFilters';
import { registerTracesView } from './registerTracesView';

/** What sending needs from the traces. */
export interface RegisteredTraces extends vscode.Disposable {
  following: () => Promise<Following>;
}

/** Finding, following, and reading traces. Commands are loaded on first use. */
export function registerTraces(services: TraceServices): RegisteredTraces {
  const { traces } = services;
  const filters = new TraceFilters();
  let completion: Promise<TraceCompletion> | undefined;
  let following: Promise<Following> | undefined;
  let graphs: Promise<TraceGraphPanels> | undefined;
  const follower = (): Promise<Following> =>
    (following ??= import('./following').then((module) => new module.Following(services, traces)));
  const panels = (): Promise<TraceGraphPanels> =>
    (graphs ??= import('./traceGraphPanels').then((module) => new module.TraceGraphPanels(services, traces)));
  const documents = (): Promise<typeof traceDocuments> => import('./traceDocuments');
  const opening = (): Promise<typeof openTraceCommand> => import('./openTraceCommand');
  const recent = (): Promise<typeof recentTracesCommand> => import('./recentTracesCommand');
  const registered = vscode.Disposable.from(
    { dispose: () => void following?.then((one) => one.stop()) },
    { dispose: () => void graphs?.then((one) => one.dispose()) },
    { dispose: () => void completion?.then((one) => one.dispose()) },
    traces.onDidChange((trace) => {
      completion ??= import('./traceCompletion').then(
        (module) => new module.TraceCompletion(services, traces),
      );
      void completion.then((one) => one.look(trace));
    }),
    services.pins.onDidRename(() => void opening().then((module) => module.nameAgain(services, traces))),
    traces,
    filters,
    registerTracesView(traces, filters),
    registerChainLinks(services),
    vscode.window.onDidChangeActiveTextEditor((editor) => {
      const transaction = editor === undefined ? undefined : transactionOf(editor.document.uri);
      if (transaction !== undefined) {
        traces.select({ ...transaction, in: 'document' });
      }
    }),
    registerCommands(services.log, {
      'tonWorkbench.openTrace': async (query) => (await opening()).openTraceCommand(services, traces, query),
      'tonWorkbench.openTraceFile': async () => (await opening()).openTraceFileCommand(services, traces),
      'tonWorkbench.openAnswerTraces': async (answer) =>
        (await import('./openAnswerTracesCommand')).openAnswerTracesCommand(services, traces, answer),
      'tonWorkbench.recentTraces': async (item) =>
        (await recent()).recentTracesCommand(services, traces, filters, item),
      'tonWorkbench.moreTraces': async () => (await recent()).moreTracesCommand(services, traces, filters),
      'tonWorkbench.filterTraces': async () =>
        (await import('./filterTracesCommand')).filterTracesCommand(traces, filters),
      'tonWorkbench.clearTraceFilter': () => filters.set({}),
      'tonWorkbench.followTrace': async (hash) =>
        (await import('./followCommand')).followCommand(services, await follower(), hash),
      'tonWorkbench.stopFollowing': async () => (await following)?.stop(),
      'tonWorkbench.showTrace': async (ref) => (await documents()).showTrace(services, traces, ref),
      'tonWorkbench.showTraceGraph': async (ref) => (await panels()).open(refOf(ref)),
      'tonWorkbench.showTransaction': async (ref) =>
        (await documents()).showTransaction(services, traces, ref),
      'tonWorkbench.compareTraces': async (ref) =>
        (await import('./compareTracesCommand')).compareTracesCommand(services, traces, ref && refOf(ref)),
      'tonWorkbench.saveTrace': async (ref) => (await documents()).saveTrace(services, traces, refOf(ref)),
      'tonWorkbench.copyTrace': async (ref) => (await documents()).copyTrace(traces, ref),
      'tonWorkbench.removeTrace': (item) => traces.remove(refOf(item).key),
      'tonWorkbench.clearTraces': () => traces.clear(),
      'tonWorkbench.openAccount': async (account) =>
        (await import('./openAccountCommand')).openAccountCommand(services, account),
    }),
  );
  return {
    following: follower,
    dispose: () => {
      registered.dispose();
    },
  };
}

/** The transaction that this document shows; see traceDocuments. */
function transactionOf({ scheme, path }: vscode.Uri): { key: string; index: number } | undefined {
  const [, kind, name = ''] = path.split('/');
  if (scheme !== documentScheme || kind !== 'transaction') {
    return undefined;
  }
  const words = decodeURIComponent(name);
  const space = words.lastIndexOf(' ');
  return { key: words.slice(0, space), index: Number(words.slice(space + 1)) };
}

/** A lens passes a reference, the view its row. */
function refOf(given: TraceRef | TraceRow): TraceRef {
  return 'key' in given ? given : { key: given.trace.key };
}
