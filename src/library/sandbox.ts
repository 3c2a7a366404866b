import type { IExecutor } from '@ton/sandbox';
import { Executor, Blockchain as SandboxBlockchain } from '@ton/sandbox';
import { sharedExecutors } from '../toolkit/testRuns/recordingExecutor';

export * from '@ton/sandbox';

const create = async (): Promise<Executor> => Executor.create();
const executorFor = sharedExecutors(create);
let engine: Promise<Executor> | undefined;

/** Runs code on an engine that has the configuration already; anything else is done by an executor of the sandbox. */
async function sharedExecutor(): Promise<IExecutor> {
  const own = await (engine ??= create());
  const runs: IExecutor = {
    runGetMethod: async (args) => (await executorFor(args.config, args.verbosity)).runGetMethod(args),
    runTickTock: async (args) => (await executorFor(args.config, args.verbosity)).runTickTock(args),
    runTransaction: async (args) => (await executorFor(args.config, args.verbosity)).runTransaction(args),
  };
  return new Proxy(own, {
    get: (target, name): unknown =>
      name in runs ? runs[name as keyof IExecutor] : (Reflect.get(target, name) as unknown),
  });
}

/**
 * The `Blockchain` of the project's own @ton/sandbox, whose chains share an engine: the configuration is parsed once, and
 * not again for each chain. The results are the same. With an `executor` of its own, a chain uses that one.
 *
 * @example
 * ```ts
 * // instead of '@ton/sandbox', which exports the same
 * import { Blockchain, type SandboxContract } from 'ton-workbench/sandbox';
 *
 * const chain = await Blockchain.create();
 * const alice = await chain.treasury('alice');
 * ```
 */
export const Blockchain: typeof SandboxBlockchain = new Proxy(SandboxBlockchain, {
  get(target, name): unknown {
    return name === 'create' ? createSharing : (Reflect.get(target, name) as unknown);
  },
});

/** A chain, as the sandbox has it. */
export type Blockchain = SandboxBlockchain;

async function createSharing(
  options?: Parameters<typeof SandboxBlockchain.create>[0],
): Promise<SandboxBlockchain> {
  const executor = options?.executor ?? (await sharedExecutor());
  return SandboxBlockchain.create({ ...options, executor });
}
