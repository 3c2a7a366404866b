import * as vscode from 'vscode';
import type { TraceRef, TransactionRef, TransactionRow } from '../../commandTargets';
import type { TraceServices } from './traceServices';
import { tracePageViewType } from '../../contributions';
import { afterStart } from '../ui/afterStart';
import { registerCommands } from '../ui/registerCommands';
import { registerChainLinks } from './registerChainLinks';
import type { Following } from './following';
import type { LiveTraces } from './liveTraces';
import type * as openTraceCommand from './openTraceCommand';
import type * as recentTracesCommand from './recentTracesCommand';
import type { TraceCompletion } from './traceCompletion';
import type * as traceDocuments from './traceDocuments';
import type { TracePagePanels } from './tracePagePanels';
import { TraceFilters } from './traceFilters';
import { transactionOf } from './transactionOf';
import { registerTracesView } from './registerTracesView';

/** What sending needs from the traces feature. */
export interface RegisteredTraces extends vscode.Disposable {
  following: () => Promise<Following>;
}

/** Finding, following, and reading traces. Commands are loaded on first use. */
export function registerTraces(services: TraceServices): RegisteredTraces {
  const { traces } = services;
  const filters = new TraceFilters();
  let completion: Promise<TraceCompletion> | undefined;
  let following: Promise<Following> | undefined;
  let pages: Promise<TracePagePanels> | undefined;
  const follower = (): Promise<Following> =>
    (following ??= import('./following').then((module) => new module.Following(services, traces)));
  const panels = (): Promise<TracePagePanels> =>
    (pages ??= Promise.all([import('./tracePagePanels'), lines()]).then(
      ([module, live]) => new module.TracePagePanels(services, live),
    ));
  /** Fetches a row's trace if it is not loaded. */
  const opened = async ({ key }: TraceRef): Promise<TraceRef> => {
    await traces.load(key);
    return { key };
  };
  const documents = (): Promise<typeof traceDocuments> => import('./traceDocuments');
  const opening = (): Promise<typeof openTraceCommand> => import('./openTraceCommand');
  const recent = (): Promise<typeof recentTracesCommand> => import('./recentTracesCommand');
  let live: Promise<LiveTraces> | undefined;
  const lines = (): Promise<LiveTraces> =>
    (live ??= import('./liveTraces').then((module) => new module.LiveTraces(services)));
  traces.loader = async (key) => (await lines()).load(key);
  traces.recent = async () => (await lines()).recent();
  traces.titleOf = async (hash) => (await lines()).titleOf(hash);
  const view = registerTracesView(services, lines, filters);
  const registered = vscode.Disposable.from(
    { dispose: () => void live?.then((one) => one.dispose()) },
    { dispose: () => void following?.then((one) => one.stop()) },
    { dispose: () => void pages?.then((one) => one.dispose()) },
    { dispose: () => void completion?.then((one) => one.dispose()) },
    vscode.window.registerWebviewPanelSerializer(tracePageViewType, {
      deserializeWebviewPanel: async (panel, state) => (await panels()).restore(panel, state),
    }),
    traces.onDidChange((trace) => {
      completion ??= import('./traceCompletion').then(
        (module) => new module.TraceCompletion(services, traces),
      );
      void completion.then((one) => one.look(trace));
    }),
    services.pins.onDidRename(() => void opening().then((module) => module.nameAgain(services, traces))),
    traces,
    filters,
    view,
    afterStart(() => registerChainLinks(services)),
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
      'tonWorkbench.moreTraces': async (after) => {
        if (after === undefined) {
          await (await recent()).moreTracesCommand(services, traces, filters);
          return;
        }
        // An empty key stands for lines that are known but not shown.
        await (await lines()).older(after.key);
        (await view.loaded()).showMore();
      },
      'tonWorkbench.filterTraces': async () =>
        (await import('./filterTracesCommand')).filterTracesCommand(traces, filters),
      'tonWorkbench.clearTraceFilter': () => filters.set({}),
      'tonWorkbench.followTrace': async (hash) =>
        (await import('./followCommand')).followCommand(services, await follower(), hash),
      'tonWorkbench.stopFollowing': async () => (await following)?.stop(),
      'tonWorkbench.showTrace': async (ref) => (await documents()).showTrace(services, traces, ref),
      'tonWorkbench.showTracePage': async (row, isPassing) =>
        (await panels()).open('node' in row ? transactionRef(row) : row, { isPassing }),
      'tonWorkbench.showTransaction': async (row) =>
        (await documents()).showTransaction(services, traces, 'node' in row ? transactionRef(row) : row),
      'tonWorkbench.compareTraces': async (ref, other) =>
        (await import('./compareTracesCommand')).compareTracesCommand(
          services,
          await lines(),
          [ref, other],
          (left, right) => void panels().then((pages) => pages.compare(left, right)),
        ),
      'tonWorkbench.saveTrace': async (ref) =>
        (await documents()).saveTrace(services, traces, await opened(ref)),
      'tonWorkbench.copyTrace': async (ref) =>
        (await documents()).copyTrace(traces, { ...ref, ...(await opened(ref)) }),
      'tonWorkbench.removeTrace': async ({ key }) => {
        (await lines()).remove(key);
        traces.remove(key);
      },
      'tonWorkbench.clearTraces': async () => {
        (await lines()).clear();
        traces.clear();
      },
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

function transactionRef({ trace, node }: TransactionRow): TransactionRef {
  return { key: trace.key, index: node.index };
}
