import * as vscode from 'vscode';
import { setContextKey } from '../../contextKeys';
import { LazyTree } from '../ui/lazyTree';
import type { LiveTraces } from './liveTraces';
import type { TraceElement } from './traceElement';
import type { TraceFilters } from './traceFilters';
import type { TraceServices } from './traceServices';
import type { TracesView } from './tracesView';

/** The view "Traces", and its code once it is loaded. */
export interface RegisteredTracesView extends vscode.Disposable {
  loaded: () => Promise<TracesView>;
}

/**
 * The view "Traces". Its code is loaded when the view is first visible, or when there is something to show.
 */
export function registerTracesView(
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
