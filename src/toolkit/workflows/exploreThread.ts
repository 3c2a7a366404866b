import { Worker } from 'node:worker_threads';
import type { Cell } from '@ton/core';
import { WorkbenchError, abortedError } from '../base/errors';
import type { RemoteCall } from '../base/serviceThread';
import { CallThread, builtWorker, serveCall } from '../base/serviceThread';
import type { ContractDescription, DeployedCode } from '../contracts/abi/contractDescription';
import type { ProjectContract } from '../contracts/abi/projectContract';
import type { ReplayInputs } from '../replay/replayInputs';
import type { TraceModel } from '../trace/traceModel';
import type { ExploredScenario } from './exploreSheet';
import type { BuiltForSheet } from './sheetRunTypes';

/** A scenario as it crosses threads. */
export interface CrossingScenario extends Omit<ExploredScenario, 'order' | 'trace'> {
  order: readonly { number: number }[];
  trace: CrossingTrace | undefined;
}

/** The trace of an order, without what is known about its contracts. */
export interface CrossingTrace {
  model: TraceModel;
  /** The names of accounts, by raw address. */
  names: ReadonlyMap<string, string>;
  /** What each transaction depended on, by its hash; none if it may have used a library. */
  inputs: ReadonlyMap<string, ReplayInputs>;
  /** Hash of the last delivery's transaction, lowercase hex. */
  last: string;
}

/** What is explored. */
export interface ExploreWish {
  /** The text of the sheet. */
  text: string;
  /** The folder of the files that values refer to; without one, such values are refused. */
  folder: string | undefined;
  orders: number;
  seconds: number;
}

/** A contract's code as it crosses threads: a BoC in base64. */
export interface CrossingCode extends Omit<DeployedCode, 'code'> {
  code?: string;
}

/** What the thread asks of the one that started it: all that is known about the user's project. */
export interface ExploreHelper {
  /** What is known about a deployed code. */
  describe(code: CrossingCode): Promise<ContractDescription>;
  /** The contracts of the project, and which of them the user has chosen for codes (hashes). */
  project(
    codeHashes: readonly string[],
  ): Promise<{ contracts: readonly ProjectContract[]; chosen: ReadonlyMap<string, string> }>;
  build(file: string): Promise<BuiltForSheet>;
  /** The codes that a text uses by name: BoCs in base64. */
  codes(text: string): Promise<ReadonlyMap<string, string>>;
  openReplay(file: string): Promise<ReplayInputs>;
}

/** The calls that the thread serves. */
export interface ExploreFace {
  explore(wish: ExploreWish): Promise<CrossingScenario[]>;
}

/** What the thread posts besides results. */
export type FromExploreWorker = { asked: RemoteCall } | { orders: number };

export interface ExploreThreadOptions {
  /** Called with how many orders have run, a few times a second. */
  onOrders: (orders: number) => void;
  /** Ends the thread. */
  signal: AbortSignal;
  /** By default, the built one. */
  workerUrl?: URL | undefined;
}

/**
 * Explores the orders of a sheet (`exploreSheet`) in a worker thread, which has the local network of its own.
 *
 * @param helper answers what the thread asks about the project
 * @throws WorkbenchError as `exploreSheet`; `explore-stopped` (internal) if there is no thread, or it ends
 */
export async function exploreInThread(
  wish: ExploreWish,
  helper: ExploreHelper,
  { onOrders, signal, workerUrl }: ExploreThreadOptions,
): Promise<CrossingScenario[]> {
  signal.throwIfAborted();
  const worker = startWorker(workerUrl ?? builtWorker('exploreWorker', import.meta.url));
  const thread = new CallThread<ExploreFace, FromExploreWorker>(worker, {
    endedError: stoppedError,
    onMessage: (message) => {
      if ('orders' in message) {
        onOrders(message.orders);
      } else {
        void serveCall<ExploreHelper>(helper, message.asked).then((result) => worker.postMessage(result));
      }
    },
  });
  const stop = (): void => void thread.end(abortedError(signal.reason));
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await thread.calls.call('explore', wish);
  } finally {
    signal.removeEventListener('abort', stop);
    await thread.end(stoppedError());
  }
}

function startWorker(url: URL): Worker {
  try {
    return new Worker(url, { execArgv: [] });
  } catch (error) {
    throw stoppedError(error);
  }
}

/** @param code of a description, which may have it */
export function crossingCode({ code, ...known }: DeployedCode): CrossingCode {
  return { ...known, ...(code === undefined ? {} : { code: bocOf(code) }) };
}

function bocOf(code: Cell): string {
  return code.toBoc().toString('base64');
}

function stoppedError(cause?: unknown): WorkbenchError {
  const reason = cause instanceof Error ? `: ${cause.message.replace(/\.$/, '')}` : '';
  return new WorkbenchError({
    code: 'explore-stopped',
    kind: 'internal',
    message: `Orders are explored in a thread of their own, and it could not run to its end here${reason}.`,
    hint: 'Explore the sheet in a terminal: ton-workbench explore SHEET.',
    cause,
  });
}
