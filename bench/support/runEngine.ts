import { Cell } from '@ton/core';
import { everyStep } from '../../src/toolkit/execution/emulator/emulator';
import type { Emulator } from '../../src/toolkit/execution/emulator/emulator';
import { importNetworkConfig } from '../../src/toolkit/execution/emulator/networkConfig';
import { pastMessage } from '../../src/toolkit/replay/replayErrors';
import type { ReplayInputs } from '../../src/toolkit/replay/replayInputs';
import type { Replay } from '../../src/toolkit/replay/runReplay';

/** Milliseconds of the engine alone for a transaction that was replayed, with its log of every step. */
export async function runEngine(
  emulator: Emulator,
  { config, target }: ReplayInputs,
  { stateBefore, original }: Replay,
): Promise<number> {
  const input = {
    config: importNetworkConfig(config, 'bench').base64,
    libraries: null,
    shardAccount: stateBefore,
    now: original.now,
    lt: original.lt,
    seed: Buffer.from(target.seed, 'hex'),
    message: pastMessage(Cell.fromBase64(target.boc))!.toBoc().toString('base64'),
    verbosity: everyStep,
  };
  const began = performance.now();
  await emulator.runTransaction(input);
  return performance.now() - began;
}
