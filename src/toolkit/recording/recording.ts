import { limits } from '../base/limits';
import { isSuccessCode } from '../contracts/standardExitCode';

/** Whether an exception means that something went wrong: code can also throw a code of success. */
export function isFailure({ code }: RecordedException): boolean {
  return code === undefined || !isSuccessCode(code);
}

/** The exception that made an execution fail; undefined if it succeeded. */
export function finalFailure({ exceptions }: Recording): RecordedException | undefined {
  return exceptions.findLast((exception) => exception.isFinal && isFailure(exception));
}

/** Bytes of a recording: its log, which is ASCII, and its numbers. */
function sizeOf({ log, cell, offset, gasAfter, gas, instruction, stack, writes }: Recording): number {
  return [cell, offset, gasAfter, gas, instruction, stack, writes].reduce(
    (sum, { byteLength }) => sum + byteLength,
    log.length,
  );
}

/**
 * The recordings that were used last. An execution always has the same steps, so one that was dropped is made again
 * when it is needed.
 */
export class KeptRecordings {
  /** Oldest first. */
  readonly #kept = new Map<string, Promise<Recording | undefined>>();
  readonly #sizes = new Map<string, number>();

  /** @param bounds how much is kept; the newest recording always is */
  constructor(
    private readonly bounds: { recordings: number; bytes: number } = {
      recordings: limits.recordings.most,
      bytes: limits.recordingBytes.most,
    },
  ) {}

  /**
   * The recording of an execution.
   *
   * @param key identifies the execution
   * @param make runs it; a failure is not kept
   */
  async get(key: string, make: () => Promise<Recording | undefined>): Promise<Recording | undefined> {
    const made = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, made);
    try {
      const recording = await made;
      this.#sizes.set(key, recording === undefined ? 0 : sizeOf(recording));
      this.#drop();
      return recording;
    } catch (error) {
      this.#forget(key);
      throw error;
    }
  }

  /** Keeps a recording that was made already. */
  keep(key: string, recording: Recording | undefined): void {
    this.#forget(key);
    this.#kept.set(key, Promise.resolve(recording));
    this.#sizes.set(key, recording === undefined ? 0 : sizeOf(recording));
    this.#drop();
  }

  #drop(): void {
    const total = (): number => [...this.#sizes.values()].reduce((sum, size) => sum + size, 0);
    for (const key of this.#kept.keys()) {
      if (
        this.#kept.size === 1 ||
        (this.#kept.size <= this.bounds.recordings && total() <= this.bounds.bytes)
      ) {
        return;
      }
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#kept.delete(key);
    this.#sizes.delete(key);
  }
}

/** An exception that the VM threw. */
export interface RecordedException {
  /** The step that threw it. */
  step: number;
  /** Undefined if the log does not say. */
  code: number | undefined;
  /** The VM's own words; empty if it gives none. */
  words: string;
  /** Whether nothing caught it, so that it ended the execution. */
  isFinal: boolean;
}

/**
 * One execution of the VM, step by step. Never changed after it is made. The steps are numbers in typed arrays, and texts
 * are ranges of the log, so that a recording of 40,000 steps is little more than its log and moves between threads
 * without copying.
 */
export interface Recording {
  /** The VM's log, `full_location_stack_verbose`. */
  readonly log: string;
  /** Number of recorded steps. */
  readonly steps: number;
  /** Steps that the execution had and the log has lost: always its first ones. */
  readonly stepsMissing: number;
  /** Gas of those steps. */
  readonly gasMissing: number;
  /** Hashes (lowercase hex) of the code cells. */
  readonly cells: readonly string[];
  /** By step: index of its code cell, or -1 if the log does not say. */
  readonly cell: Int32Array;
  /** By step: bit offset in the cell. */
  readonly offset: Uint16Array;
  /** By step: gas left afterward. */
  readonly gasAfter: Float64Array;
  /**
   * By step: gas that it used. The VM does not say what an instruction used that fails by itself, such as a load from
   * an empty slice: that gas is part of the next step's.
   */
  readonly gas: Float64Array;
  /**
   * By step: where its instruction begins and ends in the log. For an exception that no THROW instruction made, which
   * is a step of the VM's own, it is the VM's line about it; for an instruction that ran out of gas it is empty.
   */
  readonly instruction: Uint32Array;
  /** By step: where the stack before it begins and ends in the log. */
  readonly stack: Uint32Array;
  readonly exceptions: readonly RecordedException[];
  /**
   * The steps, ascending, whose instructions write c4, c5, or c7, or decide what becomes of them (TRY, COMMIT); see
   * {@link followRegisters}.
   */
  readonly writes: Uint32Array;
}

/** The instruction of a step, as the VM names it: `PUSHINT 0`. */
export function instructionAt({ log, instruction }: Recording, step: number): string {
  return log.slice(instruction[2 * step], instruction[2 * step + 1]);
}

/** Whether a step is the VM's own about an instruction that failed: the one before it, which has written nothing. */
export function isOwnStep(recording: Recording, step: number): boolean {
  return /^(?:handling exception|unhandled out-of-gas)/.test(instructionAt(recording, step));
}

/** Flag of SENDMSG: only estimate the fee. */
const estimateOnly = 1_024;

/** Whether the instruction of a step only estimates the fee of a message. */
export function onlyEstimates(recording: Recording, step: number): boolean {
  const isSend = instructionAt(recording, step) === 'SENDMSG';
  return isSend && (Number(stackTextAt(recording, step).trimEnd().split(/\s/).at(-1)) & estimateOnly) !== 0;
}

/** Instructions that add an action. */
const addsAction = /^(?:SENDRAWMSG|SENDMSG|RAWRESERVEX?|SETCODE|SETLIBCODE|CHANGELIB)\b/;

/**
 * The step that added the action which failed in the action phase; undefined if that is not certain, such as after an
 * exception that took actions back.
 *
 * @param action its index in the list, and the number of all
 */
export function failedActionStep(
  recording: Recording,
  { index, total }: { index: number | null | undefined; total: number },
): number | undefined {
  const steps = [...recording.writes].filter(
    (step) =>
      addsAction.test(instructionAt(recording, step)) &&
      !isOwnStep(recording, step + 1) &&
      !onlyEstimates(recording, step),
  );
  // The VM leaves the index out where it is 0.
  return recording.stepsMissing === 0 && steps.length === total ? steps[index ?? 0] : undefined;
}

/** The stack before a step as the VM prints it, without its brackets; its end is the top. */
export function stackTextAt({ log, stack }: Recording, step: number): string {
  return log.slice(stack[2 * step], stack[2 * step + 1]);
}

/** What a log has lost of its execution, as a sentence; empty if nothing. */
export function missingStepsNotes(
  recording: Pick<Recording, 'stepsMissing' | 'gasMissing'> | undefined,
): string[] {
  return recording === undefined || recording.stepsMissing === 0
    ? []
    : [
        `The first ${recording.stepsMissing} steps (${recording.gasMissing} gas) are missing: the engine keeps only the last 32 MiB of its log.`,
      ];
}
