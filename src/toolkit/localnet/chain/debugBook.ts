import type { DebugOutput } from '../../execution/emulator/emulator';
import { limits } from '../../base/limits';

/** A contract's debug output in one transaction. */
export interface DebugEntry {
  /** Counts up from 1. */
  id: number;
  /** Hash of the transaction. */
  transaction: string;
  account: string;
  output: DebugOutput;
}

/** Recent debug output of contracts; the oldest is dropped if there is too much. In memory only. */
export class DebugBook {
  readonly #entries = new Map<string, DebugEntry>();
  #count = 0;
  #size = 0;

  add(transaction: string, account: string, output: DebugOutput): void {
    this.#count += 1;
    this.#entries.set(transaction, { id: this.#count, transaction, account, output });
    this.#size += sizeOf(output);
    for (const [hash, oldest] of this.#entries) {
      if (this.#size <= limits.keptDebugOutput.most) {
        break;
      }
      this.#size -= sizeOf(oldest.output);
      this.#entries.delete(hash);
    }
  }

  /** A transaction's debug output (by hash); empty if there is none or it is no longer kept. */
  of(transaction: string): DebugOutput {
    return this.#entries.get(transaction)?.output ?? [];
  }

  /** Entries after the one with this id, oldest first. */
  after(id: number): DebugEntry[] {
    return [...this.#entries.values()].filter((entry) => entry.id > id);
  }
}

function sizeOf(output: DebugOutput): number {
  return output.reduce((size, text) => size + text.length, 0);
}
