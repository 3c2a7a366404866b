import * as vscode from 'vscode';
import type { CommandId } from '../../commandArguments';
import type { TraceRef, TransactionRef, TransactionRow } from '../../commandTargets';
import { setContextKey } from '../../contextKeys';
import { documentScheme, readSetting, tracePageViewType } from '../../contributions';
import type { ChainForm } from '../../toolkit/trace/chainForms';
import { findForms } from '../../toolkit/trace/chainForms';
import type { Services } from '../project/services';
import { afterStart } from '../ui/afterStart';
import { LazyTree, registerCommands } from '../ui/registerCommands';
import type { Following } from './following';
import type { LiveTraces, TraceServices } from './liveTraces';
import type { TraceCompletion } from './traceCompletion';
import type { TraceElement } from './traceElementItem';
import { TraceFilters } from './traceFilters';
import type { TracePagePanels } from './tracePagePanels';
import type { TracesView } from './tracesView';
import { transactionOf } from './openTraces';
import type * as openTraceCommand from './openTraceCommand';
import type * as recentTracesCommand from './recentTracesCommand';
import type * as traceDocuments from './traceDocuments';

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

/** The view "Traces", and its code once it is loaded. */
interface RegisteredTracesView extends vscode.Disposable {
  loaded: () => Promise<TracesView>;
}

/**
 * The view "Traces". Its code is loaded when the view is first visible, or when there is something to show.
 */
function registerTracesView(
  services: TraceServices,
  live: () => Promise<LiveTraces>,
  filters: TraceFilters,
): RegisteredTracesView {
  const { traces, localNetwork } = services;
  const tree = new LazyTree<TraceElement>('traces', services.log, { showCollapseAll: true });
  const { view } = tree;
  let made: Promise<TracesView> | undefined;
  const load = (): Promise<TracesView> =>
    (made ??= Promise.all([import('./tracesView'), live()]).then(
      ([module, lines]) => new module.TracesView(services, tree, lines, filters),
    ));
  const loadIf = (isWanted: boolean): void => {
    if (isWanted && made === undefined) {
      void load();
    }
  };
  const subscription = vscode.Disposable.from(
    tree,
    view.onDidChangeVisibility(({ visible }) => loadIf(visible)),
    traces.onDidChange(() => {
      loadIf(true);
      setContextKey(vscode.commands, 'tonWorkbench.tracesShown', traces.list().length > 0);
    }),
    localNetwork.onDidChange(() => loadIf(localNetwork.state().kind === 'running')),
    { dispose: () => void made?.then((one) => one.dispose()) },
  );
  loadIf(view.visible);
  return { loaded: load, dispose: () => void subscription.dispose() };
}

const targets: Record<ChainForm, { command: CommandId; tooltip: string }> = {
  address: { command: 'tonWorkbench.openAccount', tooltip: 'Open this account' },
  hash: { command: 'tonWorkbench.openTrace', tooltip: 'Open this trace' },
};

/** Longer documents get no links: nobody reads that far, and the editor would stall. */
const longest = 2_000_000;

/** Project files likely to contain addresses and hashes. */
const files: vscode.DocumentSelector = ['file', 'vscode-remote', 'untitled'].flatMap((scheme) => [
  {
    scheme,
    pattern: '**/*.{ts,tsx,mts,js,jsx,mjs,tolk,fc,func,tact,json,jsonc,md,yaml,yml,toml,env,txt,toncall}',
  },
  { scheme, pattern: '**/.env*' },
]);

/** Turns addresses and hashes into links: in our documents and, unless turned off, in the user's files. */
function registerChainLinks(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerDocumentLinkProvider(
      { scheme: documentScheme },
      {
        provideDocumentLinks: (document) => linksOf(document, formsIn(document)),
      },
    ),
    vscode.languages.registerDocumentLinkProvider(files, {
      // Hashes become links only in our documents: elsewhere a hover first says what a click sends, and
      // where.
      provideDocumentLinks: (document) => (isOn() ? linksOf(document, ['address']) : []),
    }),
    vscode.languages.registerHoverProvider(files, {
      provideHover: async (document, position, token) =>
        isOn() ? (await import('./chainHover')).chainHover(services, document, position, token) : undefined,
    }),
    vscode.languages.registerHoverProvider(
      { scheme: documentScheme },
      {
        provideHover: async (document, position, token) =>
          (await import('./chainHover')).chainHover(services, document, position, token, formsIn(document)),
      },
    ),
  );
}

/** What to look for in one of our documents. Hashes of cells are not transaction hashes. */
function formsIn({ uri }: vscode.TextDocument): readonly ChainForm[] {
  return /^\/boc[-/]/.test(uri.path) ? ['address'] : ['address', 'hash'];
}

function isOn(): boolean {
  return readSetting(vscode.workspace, 'tonWorkbench.chainLinks');
}

function linksOf(document: vscode.TextDocument, forms: readonly ChainForm[]): vscode.DocumentLink[] {
  const text = document.getText();
  if (text.length > longest) {
    return [];
  }
  return forms.flatMap((form) =>
    findForms(text, form).map((found) => {
      const { command, tooltip } = targets[form];
      const range = new vscode.Range(
        document.positionAt(found.offset),
        document.positionAt(found.offset + found.text.length),
      );
      const args = encodeURIComponent(JSON.stringify([found.text]));
      const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:${command}?${args}`));
      link.tooltip = tooltip;
      return link;
    }),
  );
}
