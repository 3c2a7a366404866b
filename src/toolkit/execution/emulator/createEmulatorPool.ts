import { createWorkerEmulator } from './workerEmulator';
import type { WorkerEmulator } from './workerEmulator';

/**
 * Emulators in threads of their own, used as one: each run goes to the thread that has the fewest.
 *
 * @param size how many threads
 */
export async function createEmulatorPool(size: number): Promise<WorkerEmulator> {
  const threads = await Promise.all(Array.from({ length: size }, createWorkerEmulator));
  const runs = threads.map(() => 0);
  const run = async <T>(work: (emulator: WorkerEmulator) => Promise<T>): Promise<T> => {
    const thread = runs.indexOf(Math.min(...runs));
    runs[thread]! += 1;
    try {
      return await work(threads[thread]!);
    } finally {
      runs[thread]! -= 1;
    }
  };
  return {
    version: threads[0]!.version,
    runTransaction: (input) => run((emulator) => emulator.runTransaction(input)),
    runTickTock: (input) => run((emulator) => emulator.runTickTock(input)),
    tryGetters: (trial) => run((emulator) => emulator.tryGetters(trial)),
    recordGetMethod: (call) => run((emulator) => emulator.recordGetMethod(call)),
    close: async () => {
      await Promise.all(threads.map((emulator) => emulator.close()));
    },
  };
}
