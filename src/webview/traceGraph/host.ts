import type { FromTraceGraph, ToTraceGraph } from '../../protocol/traceGraph';

/** Kept while the view is hidden or the window reloads: the user's position, not the trace. */
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

/** Sends a message to the editor. */
export function tellHost(message: FromTraceGraph): void {
  api.postMessage(message);
}

/** Calls `listener` for each message from the editor. Nothing else can send messages to the page. */
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
