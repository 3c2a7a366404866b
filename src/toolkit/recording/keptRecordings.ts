import { limits } from '../limits';
import type { Recording } from './recording';

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
