import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SendTransactionRequest, SignDataPayload } from '@tonconnect/sdk';
import { pace } from '../../scripts/lib/pace.mjs';
import { root } from '../../scripts/lib/root.mjs';
import type { WalletReady } from './walletCommand';

/** How long an answer to a dApp may take, in milliseconds: what waits longer fails, and says what it waited for. */
const patienceMs = 90_000 * pace;

export interface DAppSettings {
  manifestUrl: string;
  walletsList: string;
  /** A file that holds what the dApp keeps. It outlives the dApp. */
  storage: string;
}

/** What a dApp was answered instead. */
export class DAppError extends Error {
  constructor(
    text: string,
    /** The user rejected it. */
    readonly isRejected: boolean,
  ) {
    super(text);
  }
}

/** A dApp in a thread of its own, which can be killed: what it waited for is then never settled, and it sends nothing more. */
export interface DApp {
  /** Raw address of the account that it is connected with. */
  account(): string | undefined;
  /** Resolves with the account's address once the wallet has connected. */
  connected(): Promise<string>;
  /** The link that a wallet opens. */
  connect(ready: WalletReady): Promise<string>;
  /** What a page does as it loads. */
  restoreConnection(): Promise<void>;
  /** What a page does as it gets the focus back: it leaves its stream, and opens it again. */
  resume(): Promise<void>;
  /** Leaves its stream. */
  pause(): Promise<void>;
  sendTransaction(transaction: SendTransactionRequest): Promise<{ boc: string }>;
  signData(data: SignDataPayload): Promise<{ payload: SignDataPayload }>;
  disconnect(): Promise<void>;
  /**
   * Calls `then` when its next message is acknowledged, before it hears so itself. Resolves when `then` has ended and it
   * goes on.
   */
  atNextMessage(then: () => Promise<void>): Promise<void>;
  kill(): Promise<void>;
}

interface Heard {
  call?: number;
  result?: unknown;
  error?: { text: string; isRejected: boolean };
  account?: string | undefined;
  isHeld?: true;
}

/** An empty storage for a dApp, as a file. */
export function newDAppStorage(file: string): string {
  writeFileSync(file, '{}');
  return file;
}

/** Starts a dApp over a storage. */
export function startDApp(settings: DAppSettings): DApp {
  const thread = new Worker(path.join(root, 'test/support/dAppThread.mjs'), {
    workerData: settings,
    // The SDK logs each step.
    stdout: true,
    stderr: true,
  });
  const asked = new Map<number, { resolve: (result: never) => void; reject: (error: unknown) => void }>();
  let account: string | undefined;
  let onConnected: ((address: string) => void) | undefined;
  let onHeld: (() => void) | undefined;
  thread.on('message', (heard: Heard) => {
    if (heard.isHeld === true) {
      onHeld?.();
    } else if (heard.call === undefined) {
      account = heard.account;
      if (account !== undefined) {
        onConnected?.(account);
      }
    } else {
      const one = asked.get(heard.call);
      asked.delete(heard.call);
      if (heard.error === undefined) {
        one?.resolve(heard.result as never);
      } else {
        one?.reject(new DAppError(heard.error.text, heard.error.isRejected));
      }
    }
  });
  thread.on('error', (error) => asked.forEach(({ reject }) => reject(error)));
  const timers = new Set<NodeJS.Timeout>();
  /** Fails when it takes too long, but not in a dApp that was killed. */
  const inTime = async <T>(what: string, waited: Promise<T>): Promise<T> => {
    let timer!: NodeJS.Timeout;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(
            new Error(
              `${what} of the dApp was not answered; it keeps ${readFileSync(settings.storage, 'utf8')}`,
            ),
          ),
        patienceMs,
      );
      timers.add(timer);
    });
    try {
      return await Promise.race([waited, late]);
    } finally {
      clearTimeout(timer);
    }
  };
  let calls = 0;
  const call = <T>(method: string, ...given: unknown[]): Promise<T> =>
    inTime(
      method,
      new Promise<T>((resolve, reject) => {
        calls += 1;
        asked.set(calls, { resolve, reject });
        thread.postMessage({ call: calls, method, given });
      }),
    );
  return {
    account: () => account,
    connected: () => inTime('the connection', new Promise<string>((resolve) => (onConnected = resolve))),
    connect: ({ bridge, universalLink }) => call('connect', { bridgeUrl: bridge, universalLink }),
    restoreConnection: () => call('restoreConnection'),
    resume: () => call('resume'),
    pause: () => call('pause'),
    sendTransaction: (transaction) => call('sendTransaction', transaction),
    signData: (data) => call('signData', data),
    disconnect: () => call('disconnect'),
    atNextMessage: async (then) => {
      const held = new Promise<void>((resolve) => (onHeld = resolve));
      await call('holdNextMessage');
      await held;
      await then();
      thread.postMessage({});
    },
    kill: async () => {
      timers.forEach((timer) => clearTimeout(timer));
      await thread.terminate();
    },
  };
}
