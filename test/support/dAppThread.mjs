import { readFileSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { TonConnect, UserRejectsError } from '@tonconnect/sdk';

/*
 * A dApp as a page of its own: the SDK, unmodified, in a thread that can be terminated, over a storage that is written
 * at once, as a browser's is. See startDApp.
 */
const { manifestUrl, walletsList, storage } = /** @type {import('./startDApp').DAppSettings} */ (workerData);
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/** @returns {Record<string, string>} */
const stored = () => JSON.parse(readFileSync(storage, 'utf8'));
/** @param {Record<string, string>} all */
const store = (all) => writeFileSync(storage, JSON.stringify(all));

// What the SDK leaves rejected when it is interrupted ends nothing, as in a page.
process.on('unhandledRejection', () => undefined);

const dApp = new TonConnect({
  manifestUrl,
  walletsListSource: walletsList,
  analytics: { mode: 'off' },
  storage: {
    setItem: async (key, value) => store({ ...stored(), [key]: value }),
    getItem: async (key) => stored()[key] ?? null,
    removeItem: async (key) => {
      const { [key]: _, ...rest } = stored();
      store(rest);
    },
  },
});
dApp.onStatusChange((wallet) => port.postMessage({ account: wallet?.account.address }));

const realFetch = globalThis.fetch;
/** The next message to the bridge is acknowledged, and the SDK has not heard of it until the thread is told to go on. */
const holdNextMessage = () => {
  globalThis.fetch = async (target, init) => {
    const answer = await realFetch(target, init);
    if (target instanceof URL && target.pathname === '/bridge/message') {
      globalThis.fetch = realFetch;
      await new Promise((resolve) => {
        port.once('message', resolve);
        port.postMessage({ isHeld: true });
      });
    }
    return answer;
  };
};

/** @type {Record<string, (...given: any[]) => unknown>} */
const calls = {
  holdNextMessage,
  connect: (source) => dApp.connect(source),
  restoreConnection: () => dApp.restoreConnection(),
  resume: async () => {
    dApp.pauseConnection();
    await dApp.unPauseConnection();
  },
  pause: () => dApp.pauseConnection(),
  sendTransaction: (transaction) => dApp.sendTransaction(transaction),
  signData: (data) => dApp.signData(data),
  disconnect: () => dApp.disconnect(),
};

/** @param {{ call: number, method: string, given: unknown[] }} asked */
const answer = async ({ call, method, given }) => {
  try {
    port.postMessage({ call, result: await calls[method]?.(...given) });
  } catch (error) {
    port.postMessage({ call, error: { text: String(error), isRejected: error instanceof UserRejectsError } });
  }
};
port.on('message', (asked) => {
  if (asked.call !== undefined) {
    void answer(asked);
  }
});
