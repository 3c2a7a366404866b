import { Cell, beginCell, loadShardAccount, loadTransaction, storeShardAccount } from '@ton/core';
import { TychoExecutor } from '@tychosdk/emulator';
import { writeLibraries } from '../../../src/toolkit/accounts/libraryShelf';
import { importNetworkConfig, writeParameters } from '../../../src/toolkit/execution/emulator/networkConfig';
import type { ReplayInputs } from '../../../src/toolkit/replay/replayInputs';
import { pastMessage, vmPhaseOf } from '../../../src/toolkit/replay/replayErrors';
import type { Replay } from '../../../src/toolkit/replay/runReplay';

/** Workchains and size limits: the engine knows its own forms of these parameters only. */
const [workchains, sizeLimits] = [12, 43];
/** Length of the size limits that it reads, in bits: all fields up to the limit of the queue. */
const sizeLimitsBits = 296;

/** A TVM in another language, by other people. */
export class SecondEngine {
  private constructor(private readonly executor: TychoExecutor) {}

  static async create(): Promise<SecondEngine> {
    // The rules of TON where the two chains differ.
    const executor = await TychoExecutor.create({
      chargeActionFeesOnFail: false,
      fullBodyInBounced: false,
      strictExtraCurrency: false,
      disableDeleteFrozenAccounts: false,
    });
    return new SecondEngine(executor);
  }

  /**
   * What it disagrees about: gas, steps, and exit code of the code that ran; undefined if none ran, or if it was
   * deployed as a library by this very message (see withOwnCode: the address depends on that cell).
   */
  async faultsOf(inputs: ReplayInputs, replay: Replay): Promise<readonly string[] | undefined> {
    const ours = vmPhaseOf(replay.replayed);
    if (ours === undefined || isLibraryDeployed(replay)) {
      return undefined;
    }
    const { result } = await this.#run(inputs, replay);
    if (!result.success) {
      return [`the second engine refuses: ${result.error}`];
    }
    const theirs = vmPhaseOf(loadTransaction(Cell.fromBase64(result.transaction).beginParse()));
    return (['gasUsed', 'vmSteps', 'exitCode'] as const)
      .filter((field) => theirs?.[field] !== ours[field])
      .map((field) => `${field} is ${ours[field]}, the second engine says ${theirs?.[field] ?? 'nothing'}`);
  }

  #run(inputs: ReplayInputs, replay: Replay): ReturnType<TychoExecutor['runTransaction']> {
    const { original } = replay;
    const libraries = writeLibraries(inputs.libraries.map((boc) => Cell.fromBase64(boc)));
    const common = {
      config: configFor(replay),
      libs: libraries === null ? null : Cell.fromBase64(libraries),
      verbosity: 'short' as const,
      shardAccount: withOwnCode(replay.stateBefore, inputs.libraries),
      now: original.now,
      lt: original.lt,
      randomSeed: Buffer.from(inputs.target.seed, 'hex'),
      ignoreChksig: false,
      debugEnabled: true,
    };
    const { description } = original;
    if (description.type === 'tick-tock') {
      return this.executor.runTickTock({ ...common, which: description.isTock ? 'tock' : 'tick' });
    }
    const message = pastMessage(Cell.fromBase64(inputs.target.boc))!;
    return this.executor.runTransaction({ ...common, message });
  }
}

function isLibraryDeployed({ original, stateBefore }: Replay): boolean {
  const { account } = loadShardAccount(Cell.fromBase64(stateBefore).beginParse());
  return account?.storage.state.type !== 'active' && original.inMessage?.init?.code?.isExotic === true;
}

/** By what it is made from: most transactions have the same. */
const configs = new Map<string, string>();

function configFor({ config }: Replay): string {
  const made = configs.get(config.base64) ?? makeConfig(config);
  configs.set(config.base64, made);
  return made;
}

function makeConfig(config: Replay['config']): string {
  const own = importNetworkConfig(
    TychoExecutor.defaultConfig.toBoc().toString('base64'),
    'the second engine',
  );
  const parameters = new Map(config.parameters);
  parameters.set(workchains, own.parameters.get(workchains)!);
  const limits = parameters.get(sizeLimits);
  if (limits !== undefined) {
    const known = limits.beginParse().loadBits(sizeLimitsBits);
    parameters.set(sizeLimits, beginCell().storeBits(known).endCell());
  }
  return writeParameters(parameters).toBoc().toString('base64');
}

/** An account whose code is in a library, with that code itself: this engine counts the way into the library, too. */
function withOwnCode(shardAccount: string, libraries: readonly string[]): string {
  const read = loadShardAccount(Cell.fromBase64(shardAccount).beginParse());
  const state = read.account?.storage.state;
  const code = state?.type === 'active' ? state.state.code : undefined;
  if (state?.type !== 'active' || code?.isExotic !== true) {
    return shardAccount;
  }
  // The cell of a library: its kind, and the hash of the code.
  const hash = code.bits.substring(8, 256).toString().toLowerCase();
  state.state.code = libraries
    .map((boc) => Cell.fromBase64(boc))
    .find((one) => hash === one.hash().toString('hex'))!;
  return beginCell().store(storeShardAccount(read)).endCell().toBoc().toString('base64');
}
