import type { FromTracePage, PageDetails, ToTracePage, TracePage } from '../../protocol/tracePage';
import type { Camera } from './flowLayout';
import type { Measure, PictureName } from './pageText';
import type { Sorting } from './tableRows';

/** Kept while the page is hidden or the window reloads: the user's position, not the trace. */
export interface ViewState {
  key: string;
  picture: PictureName;
  selected: number;
  collapsed: number[];
  unfolded: number[];
  measure: Measure;
  query: string;
  sorting: Sorting;
  cameras: Partial<Record<PictureName, Camera>>;
}

interface VsCodeApi {
  postMessage(message: FromTracePage): void;
  getState(): ViewState | undefined;
  setState(state: ViewState): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** What a file that was exported as HTML has inside: everything, because there is no editor to ask. */
interface SavedPage {
  page: TracePage;
  details: PageDetails[];
}

const saved = savedPage();
const api: VsCodeApi = saved === undefined ? acquireVsCodeApi() : standingAlone(saved);

/** Whether this is an exported file: nothing can be asked for. */
export const isStandalone = saved !== undefined;

/** Sends a message to the editor. */
export function tellHost(message: FromTracePage): void {
  api.postMessage(message);
}

/** Calls `listener` for each message from the editor. Nothing else can send messages to the page. */
export function onHostMessage(listener: (message: ToTracePage) => void): () => void {
  const receive = (event: MessageEvent<ToTracePage>): void => listener(event.data);
  window.addEventListener('message', receive);
  return () => window.removeEventListener('message', receive);
}

export function savedState(): ViewState | undefined {
  return api.getState();
}

export function saveState(state: ViewState): void {
  api.setState(state);
}

function savedPage(): SavedPage | undefined {
  const text = document.getElementById('page')?.textContent;
  return text == null ? undefined : (JSON.parse(text) as SavedPage);
}

/** Answers out of the file what the editor would answer. */
function standingAlone({ page, details }: SavedPage): VsCodeApi {
  const byNode = new Map(details.map((one) => [one.node, one]));
  const answer = (data: ToTracePage): void => {
    window.dispatchEvent(new MessageEvent('message', { data }));
  };
  let state: ViewState | undefined;
  return {
    postMessage: (message) => {
      if (message.type === 'ready') {
        queueMicrotask(() => answer({ type: 'show', page, selected: undefined }));
      } else if (message.type === 'select' || message.type === 'look') {
        const known = byNode.get(message.node);
        if (known !== undefined) {
          queueMicrotask(() => answer({ type: 'details', details: known }));
        }
      }
    },
    getState: () => state,
    setState: (next) => {
      state = next;
    },
  };
}
