import type { IExecutor } from '@ton/sandbox';
import type { ExecutorFor } from './recordingExecutor';

/** As many engines stay, each some 20 MB. */
const most = 4;

interface Shared {
  config: string;
  verbosity: string;
  executor: Promise<IExecutor>;
}

/**
 * Executors that all instances of `Blockchain` share. An engine parses its configuration again whenever that or the
 * verbosity changes, so there is one for each pair. One that throws is given up: the state of its memory is unknown.
 */
export function sharedExecutors(create: () => Promise<IExecutor>): ExecutorFor {
  let shared: readonly Shared[] = [];
  return async (config, verbosity) => {
    const known = shared.find((one) => one.config === config && one.verbosity === verbosity);
    const mine = known ?? { config, verbosity, executor: create() };
    if (known === undefined) {
      shared = [mine, ...shared.slice(0, most - 1)];
    }
    const giveUp = (error: unknown): never => {
      shared = shared.filter((one) => one !== mine);
      throw error;
    };
    const executor = await mine.executor.catch(giveUp);
    return {
      runGetMethod: async (args) => executor.runGetMethod(args).catch(giveUp),
      runTickTock: async (args) => executor.runTickTock(args).catch(giveUp),
      runTransaction: async (args) => executor.runTransaction(args).catch(giveUp),
    };
  };
}
