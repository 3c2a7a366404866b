import type { DeviceInfo } from './connectReply';
import { injectedKey } from './walletEntry';

/** What the script tells pages about the wallet. */
export interface InjectedFacts {
  origin: string;
  device: DeviceInfo;
  /** As in the wallets list. */
  wallet: object;
}

/**
 * The script that gives a page `window.tonWorkbench.tonconnect`. It speaks to the wallet over the same queues as the
 * bridge, in plain text: the page's token is its client id. The token and the last event id are kept in the page's
 * storage, so that a reload goes on with the connection.
 */
export function injectedScript({ origin, device, wallet }: InjectedFacts): string {
  return `(() => {
  'use strict';
  const origin = ${literal(origin)};
  const storeKey = 'ton-workbench-wallet';
  const listeners = new Set();
  const waiting = new Map();
  let connecting;
  let source;
  let state = read();

  function read() {
    try {
      return JSON.parse(localStorage.getItem(storeKey)) ?? {};
    } catch {
      return {};
    }
  }
  function write(next) {
    state = next;
    try {
      localStorage.setItem(storeKey, JSON.stringify(next));
    } catch {
      // A page without storage forgets the connection when it is left.
    }
  }
  function newToken() {
    return [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  }
  function failed(code, message) {
    return { event: 'connect_error', id: Date.now(), payload: { code, message } };
  }
  async function post(path, body) {
    const response = await fetch(origin + path, { method: 'POST', body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) {
      throw new Error(answer.message ?? 'status ' + response.status);
    }
    return answer;
  }
  function open() {
    source?.close();
    const after = state.last === undefined ? '' : '&last_event_id=' + state.last;
    const stream = new EventSource(origin + '/bridge/events?client_id=' + state.token + after);
    source = stream;
    stream.onmessage = ({ data, lastEventId }) => {
      if (data === 'heartbeat' || stream !== source) {
        return;
      }
      write({ ...state, last: lastEventId });
      take(JSON.parse(JSON.parse(data).message));
    };
    stream.onerror = () => {
      // A closed stream was refused or cut off for good: the browser itself only retries the others.
      if (stream === source && stream.readyState === EventSource.CLOSED) {
        setTimeout(() => stream === source && open(), 1000);
      }
    };
  }
  function take(message) {
    if (message.event === 'connect' || message.event === 'connect_error') {
      write({ token: state.token, last: state.last });
      connecting?.(message);
      connecting = undefined;
      return;
    }
    if (message.event !== undefined) {
      if (message.event === 'disconnect') {
        close();
      }
      listeners.forEach((listener) => listener(message));
      return;
    }
    waiting.get(String(message.id))?.(message);
    waiting.delete(String(message.id));
  }
  function close() {
    source?.close();
    source = undefined;
    write({});
  }

  const tonconnect = {
    deviceInfo: ${literal(device)},
    walletInfo: ${literal(wallet)},
    protocolVersion: 2,
    isWalletBrowser: false,
    async connect(protocolVersion, request) {
      if (protocolVersion > 2) {
        return failed(1, 'This wallet speaks version 2 of the protocol.');
      }
      connecting?.(failed(300, 'Another request to connect has replaced this one.'));
      const answered = new Promise((resolve) => { connecting = resolve; });
      write({ token: newToken(), isAsking: true });
      open();
      try {
        await post('/injected/connect', { client: state.token, request });
      } catch (error) {
        close();
        return failed(1, error.message);
      }
      return answered;
    },
    async restoreConnection() {
      if (state.token === undefined) {
        return failed(100, 'The page is not connected.');
      }
      const event = await post('/injected/restore', { client: state.token });
      if (event.event === 'connect') {
        open();
      } else {
        close();
      }
      return event;
    },
    async send(message) {
      if (state.token === undefined) {
        throw new Error('The page is not connected.');
      }
      const answered = new Promise((resolve) => waiting.set(String(message.id), resolve));
      await post('/injected/message?client=' + state.token, message);
      return answered;
    },
    disconnect() {
      const { token } = state;
      close();
      if (token !== undefined) {
        post('/injected/disconnect', { client: token }).catch(() => undefined);
      }
    },
    listen(callback) {
      listeners.add(callback);
      return () => listeners.delete(callback);
    },
  };
  if (state.isAsking) {
    // The page was left while it asked to connect: nobody would hear the answer.
    tonconnect.disconnect();
  }
  window[${literal(injectedKey)}] = { tonconnect };
})();
`;
}

/** A value as source text that ends no script element and no string. */
function literal(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
