import type { FromTraceGraph, ToTraceGraph } from '../../protocol/traceGraph';

/** What is kept while the view is hidden or the window reloads: where the user was, not the trace. */
export interface ViewState {
  view: 'graph' | 'table' | undefined;
  selected: number;
  collapsed: number[];
  key: string;
}

interface VsCodeApi {
  postMessage(message: FromTraceGraph): void;
  getState(): ViewState | undefined;
  setState(state: ViewState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

const api = acquireVsCodeApi();

/** Tells the editor. */
export function tellHost(message: FromTraceGraph): void {
  api.postMessage(message);
}

/** Calls `listener` for each message of the editor. The page can be spoken to by nobody else. */
export function onHostMessage(listener: (message: ToTraceGraph) => void): () => void {
  const receive = (event: MessageEvent<ToTraceGraph>): void => listener(event.data);
  window.addEventListener('message', receive);
  return () => window.removeEventListener('message', receive);
}

export function savedState(): ViewState | undefined {
  return api.getState();
}

export function saveState(state: ViewState): void {
  api.setState(state);
}
