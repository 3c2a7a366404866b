import { Worker } from 'node:worker_threads';
import { emulatorEndedError } from '../execution/emulator/workerEmulator';
import type { SourceMap } from '../sourceMap/sourceMap';
import { CallThread, builtWorker } from '../base/serviceThread';
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
  readonly #thread: CallThread<CoverageFace>;

  /** @param map the lines of the code; transactions that ran another one have none */
  constructor(map: SourceMap) {
    const worker = new Worker(builtWorker('coverageWorker', import.meta.url), { workerData: map });
    this.#thread = new CallThread(worker, { endedError: emulatorEndedError });
  }

  /** @throws WorkbenchError as `coverReplay`; `emulator-failed` after {@link close} */
  cover(inputs: ReplayInputs): Promise<CoveredRun> {
    return this.#thread.calls.call('cover', inputs);
  }

  /** @throws WorkbenchError as `coverGetMethod`; `emulator-failed` after {@link close} */
  coverCall(inputs: GetMethodInputs): Promise<CoveredRun> {
    return this.#thread.calls.call('coverCall', inputs);
  }

  /** Ends the thread, also in the middle of a run. */
  close(): Promise<void> {
    return this.#thread.end(emulatorEndedError());
  }
}
