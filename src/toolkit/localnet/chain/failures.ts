import type { Log } from '../../log';
import type { QueuedMessage } from '../../execution/queuedMessage';
import type { BlockBuilder } from './blockBuilder';
import type { FailedMessage } from '../records/failedMessage';
import type { Ledger } from './ledger';

/** Which failed messages; all if omitted. */
export interface FailedSelection {
  hash?: string | undefined;
  destination?: string | undefined;
}

/** Handles messages and calls that the emulator could not execute. */
export class Failures {
  /** Calls of special accounts that failed in the last block. */
  calls: BlockBuilder['failedCalls'] = [];
  #drops: string[] = [];

  constructor(private readonly log: Log) {}

  /** Messages that the next block will drop. */
  get drops(): number {
    return this.#drops.length;
  }

  drop(hash: string): void {
    this.#drops.push(hash);
  }

  /** Cancels a drop. */
  keep(hash: string): void {
    this.#drops = this.#drops.filter((one) => one !== hash);
  }

  /** Everything the block drops, including these; undefined if nothing. */
  dropsWith(more: readonly string[]): string[] | undefined {
    const all = [...this.#drops, ...more];
    return all.length === 0 ? undefined : all;
  }

  /** Called after a block has dropped these. */
  dropped(hashes: readonly string[] = []): void {
    hashes.forEach((hash) => this.keep(hash));
  }

  clear(): void {
    this.calls = [];
    this.#drops = [];
  }

  /** Logs a block's failures; a call that fails in every block is logged once. */
  tell({ failed, failedCalls }: BlockBuilder, seqno: number): void {
    for (const { hash, destination, error } of failed) {
      this.log.error(
        `The emulator failed on the message ${hash} to ${destination} in block ${seqno}: ${error}. ` +
          'It is kept with its coins: /control/retry retries it, /control/drop discards it.',
      );
    }
    for (const { address, which, error } of failedCalls) {
      if (!this.calls.some((call) => call.address === address && call.error === error)) {
        this.log.error(`The emulator failed on the ${which} of ${address} in block ${seqno}: ${error}.`);
      }
    }
    this.calls = failedCalls;
  }
}

/** The selected failed messages not already waiting for the next block, ready for its queue. */
export function failedAgain(
  { failed }: Ledger,
  { hash, destination }: FailedSelection,
  queue: readonly QueuedMessage[],
): QueuedMessage[] {
  const isMeant = (message: FailedMessage): boolean =>
    (hash === undefined || message.hash === hash) &&
    (destination === undefined || message.destination === destination) &&
    !queue.some(({ boc }) => boc === message.boc);
  return [...failed.values()].filter(isMeant).map(({ boc, destination: to, ignoreSignatures }) => ({
    boc,
    destination: to,
    ...(ignoreSignatures === undefined ? {} : { ignoreSignatures }),
  }));
}
