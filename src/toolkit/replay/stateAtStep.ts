import type { TupleItem } from '@ton/core';
import { Cell } from '@ton/core';
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import { writeLibraries } from '../accounts/libraryShelf';
import { lowerHex } from '../address/lowerHex';
import type { ReplayInputs } from './replayInputs';
import { pastMessage, replayImpossibleError, vmPhaseOf } from './replayErrors';
import type { Replay } from './runReplay';

/** Where the VM is before a step, and what is on its stack. */
export interface StepState {
  /** Hash of the code cell, lowercase hex. */
  cell: string;
  /** Bit offset in the cell. */
  offset: number;
  /** The top last; undefined if it holds continuations, which the engine cannot hand over. */
  stack: readonly TupleItem[] | undefined;
}

/**
 * The state of the VM before a step of a replayed transaction, from the engine's debugger build, which runs it again up
 * to there: also for steps that the log has lost.
 *
 * @param step from 0
 * @throws WorkbenchError `replay-impossible` if no code ran, or for a transaction without a message
 */
export async function stateAtStep(inputs: ReplayInputs, replay: Replay, step: number): Promise<StepState> {
  const message = pastMessage(Cell.fromBase64(inputs.target.boc));
  const vm = vmPhaseOf(replay.replayed);
  if (vm === undefined || message === undefined) {
    throw replayImpossibleError(
      vm === undefined
        ? 'No code ran, so there are no steps.'
        : 'The engine steps only through transactions that a message caused, not through a tick or tock.',
    );
  }
  if (step < 0 || step >= vm.vmSteps) {
    throw replayImpossibleError(`The execution has ${vm.vmSteps} steps.`, 'Give the number of one of them.');
  }
  const executor = await Executor.create({ debug: true });
  const libraries = writeLibraries(inputs.libraries.map((boc) => Cell.fromBase64(boc)));
  const { emptr } = executor.sbsTransactionSetup({
    config: replay.config.base64,
    libs: libraries === null ? null : Cell.fromBase64(libraries),
    verbosity: 'short',
    shardAccount: replay.stateBefore,
    message,
    now: replay.replayed.now,
    lt: replay.replayed.lt,
    randomSeed: Buffer.from(inputs.target.seed, 'hex'),
    ignoreChksig: false,
    debugEnabled: true,
  });
  try {
    for (let at = 0; at < step; at += 1) {
      executor.sbsTransactionStep(emptr);
    }
    const { hash, offset } = executor.sbsTransactionCodePos(emptr);
    return { cell: lowerHex(hash), offset, stack: stackOf(executor, emptr) };
  } finally {
    executor.destroyEmulator(emptr);
  }
}

function stackOf(executor: Executor, emulator: number): readonly TupleItem[] | undefined {
  try {
    return executor.sbsTransactionStack(emulator);
  } catch {
    return undefined;
  }
}
