import { Cell } from '@ton/core';
import type { TupleItem } from '@ton/core';
import { Executor } from '@ton/sandbox/dist/executor/Executor';
import { followRegisters } from '../../../src/toolkit/recording/followRegisters';
import { stackTextAt } from '../../../src/toolkit/recording/recording';
import { readVmValues } from '../../../src/toolkit/recording/vmValue';
import type { VmValue } from '../../../src/toolkit/recording/vmValue';
import { pastMessage } from '../../../src/toolkit/replay/replayErrors';
import type { ReplayInputs } from '../../../src/toolkit/replay/replayInputs';
import { replayRecording } from '../../../src/toolkit/replay/runReplay';
import type { Replay } from '../../../src/toolkit/replay/runReplay';
import { startRegisters } from '../../../src/toolkit/replay/startRegisters';
import { writeLibraries } from '../../../src/toolkit/accounts/libraryShelf';

/** The logical time of the block in the first global; the step API leaves memory there that nobody has set. */
const blockLt = 4;

/** The step API of the debug engine: positions, stacks, and globals of an execution that it halts at any step. */
export class StepOracle {
  private constructor(private readonly executor: Executor) {}

  static async create(): Promise<StepOracle> {
    return new StepOracle(await Executor.create({ debug: true }));
  }

  /**
   * What a recording and the engine disagree about at a step; undefined if they cannot be compared: no code ran, the
   * step is the VM's own about an exception, or the stack holds continuations.
   *
   * @param choose a step below the given number
   */
  faultsAt(
    inputs: ReplayInputs,
    replay: Replay,
    choose: (steps: number) => number,
  ): readonly string[] | undefined {
    const recording = replayRecording(replay);
    const message = pastMessage(Cell.fromBase64(inputs.target.boc));
    if (recording === undefined || message === undefined) {
      return undefined;
    }
    const step = choose(recording.steps);
    const text = stackTextAt(recording, step);
    const { c7 } = followRegisters(recording, startRegisters(inputs, replay, recording)).before(step);
    const isOwn = recording.exceptions.some((exception) => exception.step === step);
    if (isOwn || text.includes('Cont{') || c7 === undefined) {
      return undefined;
    }
    const { cell, offset, cells } = recording;
    const libraries = writeLibraries(inputs.libraries.map((boc) => Cell.fromBase64(boc)));
    const { emptr } = this.executor.sbsTransactionSetup({
      config: replay.config.base64,
      libs: libraries === null ? null : Cell.fromBase64(libraries),
      verbosity: 'short',
      shardAccount: replay.stateBefore,
      message,
      now: replay.original.now,
      lt: replay.original.lt,
      randomSeed: Buffer.from(inputs.target.seed, 'hex'),
      ignoreChksig: false,
      debugEnabled: true,
    });
    try {
      for (let at = 0; at < step; at += 1) {
        this.executor.sbsTransactionStep(emptr);
      }
      // The VM's own steps have no position in the log.
      const place = cell[step]! < 0 ? undefined : this.executor.sbsTransactionCodePos(emptr);
      const stack = this.executor.sbsTransactionStack(emptr);
      const globals = this.executor.sbsTransactionC7(emptr);
      const position = `${cells[cell[step]!]}:${offset[step]}`;
      return [
        ...(place === undefined
          ? []
          : fault('position', position, `${place.hash.toLowerCase()}:${place.offset}`)),
        ...fault('stack', shownValues(readVmValues(text)), shownValues(stack)),
        ...fault('c7', shownValues(withoutBlockLt(c7)), shownValues(withoutBlockLt(itemsOf(globals)))),
      ].map((one) => `step ${step} of ${recording.steps}: ${one}`);
    } finally {
      this.executor.destroyEmulator(emptr);
    }
  }
}

function fault(what: string, ours: string, theirs: string): string[] {
  return ours === theirs ? [] : [`${what} is ${ours}, not ${theirs}`];
}

function itemsOf(value: VmValue | TupleItem): readonly VmValue[] {
  return value.type === 'tuple' ? value.items : [];
}

function withoutBlockLt([first, ...rest]: readonly VmValue[]): readonly VmValue[] {
  const items = first === undefined ? [] : [...itemsOf(first)];
  items[blockLt] = { type: 'null' };
  return [{ type: 'tuple', items }, ...rest];
}

/** Values of a stack as text: numbers, and the hashes of cells. */
export function shownValues(values: readonly VmValue[]): string {
  return JSON.stringify(values.map(plain));
}

function plain(value: VmValue): unknown {
  switch (value.type) {
    case 'int':
      return String(value.value);
    case 'tuple':
      return value.items.map(plain);
    case 'cell':
    case 'slice':
    case 'builder':
      return `${value.type} ${value.cell.hash().toString('hex')}`;
    default:
      return value.type;
  }
}
