import * as vscode from 'vscode';
import type { TraceRef } from '../../contributions';
import type { Services } from '../services';
import { registerCommands } from '../ui/registerCommands';
import { registerChainLinks } from './chainLinks';
import { followCommand } from './followCommand';
import { Following } from './following';
import { openAccountCommand } from './openAccountCommand';
import { openTraceCommand, openTraceFileCommand } from './openTraceCommand';
import { moreTracesCommand, recentTracesCommand } from './recentTracesCommand';
import { TraceGraphPanels } from './traceGraphPanel';
import { copyTrace, saveTrace, showTrace, showTransaction } from './traceDocuments';
import { TraceFilters } from './traceFilters';
import { registerTracesView } from './tracesView';
import type { TraceElement } from './tracesView';

/** Finding, following and reading traces. */
export function registerTraces(services: Services): vscode.Disposable {
  const { traces } = services;
  const following = new Following(services, traces);
  const graphs = new TraceGraphPanels(services, traces);
  const filters = new TraceFilters();
  return vscode.Disposable.from(
    { dispose: () => following.stop() },
    graphs,
    traces,
    filters,
    registerTracesView(traces, filters),
    registerChainLinks(),
    registerCommands(services.log, {
      'tonWorkbench.openTrace': (query) => openTraceCommand(services, traces, textOf(query)),
      'tonWorkbench.openTraceFile': () => openTraceFileCommand(services, traces),
      'tonWorkbench.recentTraces': (item) => recentTracesCommand(services, traces, filters, item),
      'tonWorkbench.moreTraces': () => moreTracesCommand(services, traces, filters),
      'tonWorkbench.filterTraces': async () =>
        (await import('./filterTracesCommand')).filterTracesCommand(traces, filters),
      'tonWorkbench.clearTraceFilter': () => filters.set({}),
      'tonWorkbench.followTrace': (hash) => followCommand(services, following, textOf(hash)),
      'tonWorkbench.stopFollowing': () => following.stop(),
      'tonWorkbench.showTrace': (ref) => showTrace(services, traces, ref),
      'tonWorkbench.showTraceGraph': (ref) => graphs.open(refOf(ref)),
      'tonWorkbench.showTransaction': (ref) => showTransaction(services, traces, ref),
      'tonWorkbench.saveTrace': (ref) => saveTrace(services, traces, refOf(ref)),
      'tonWorkbench.copyTrace': (ref) => copyTrace(traces, ref),
      'tonWorkbench.removeTrace': (item) => traces.remove(refOf(item).key),
      'tonWorkbench.clearTraces': () => traces.clear(),
      'tonWorkbench.openAccount': (account) => openAccountCommand(services, account),
    }),
  );
}

/** A lens passes a reference, the view its row. */
function refOf(item: unknown): TraceRef {
  const row = item as Partial<TraceRef> & Partial<Extract<TraceElement, { kind: 'trace' }>>;
  return { key: row.key ?? row.trace?.key ?? '' };
}

/** A title button passes nothing of use; a link or another command passes a text. */
function textOf(given: unknown): string | undefined {
  return typeof given === 'string' ? given : undefined;
}
