import { Worker } from 'node:worker_threads';
import { emulatorFailedError } from '../execution/emulator/emulator';
import { toWorkbenchError } from '../base/errors';
import type { SourceMap } from '../sourceMap/sourceMap';
import type { RemoteResult } from '../base/serviceThread';
import { RemoteCalls, builtWorker } from '../base/serviceThread';
import type { CoveredRun } from './coveredRun';
import type { GetMethodInputs } from './gatherGetMethod';
import type { ReplayInputs } from './replayInputs';

/** The calls that the thread serves. */
export interface CoverageFace {
  cover(inputs: ReplayInputs): Promise<CoveredRun>;
  coverCall(inputs: GetMethodInputs): Promise<CoveredRun>;
}

/**
 * Runs transactions and get-methods of one code again in a worker thread, and counts there what they ran: logs and steps, which can be
 * large, stay in the thread.
 */
export class CoverageThread implements CoverageFace {
  readonly #worker: Worker;
  readonly #calls: RemoteCalls<CoverageFace>;

  /** @param map the lines of the code; transactions that ran another one have none */
  constructor(map: SourceMap) {
    const worker = new Worker(builtWorker('coverageWorker', import.meta.url), { workerData: map });
    const calls = new RemoteCalls<CoverageFace>((call) => worker.postMessage(call));
    worker.on('message', (result: RemoteResult) => calls.receive(result));
    worker.on('error', (error) =>
      calls.end(emulatorFailedError(toWorkbenchError(error).message.replace(/\.$/, ''), error)),
    );
    worker.on('exit', () => calls.end(emulatorFailedError('its thread has ended')));
    this.#worker = worker;
    this.#calls = calls;
  }

  /** @throws WorkbenchError as `coverReplay`; `emulator-failed` after {@link close} */
  cover(inputs: ReplayInputs): Promise<CoveredRun> {
    return this.#calls.call('cover', inputs);
  }

  /** @throws WorkbenchError as `coverGetMethod`; `emulator-failed` after {@link close} */
  coverCall(inputs: GetMethodInputs): Promise<CoveredRun> {
    return this.#calls.call('coverCall', inputs);
  }

  /** Ends the thread, also in the middle of a run. */
  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
