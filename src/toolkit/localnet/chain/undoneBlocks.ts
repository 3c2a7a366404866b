import type { KeptBlock } from '../records/blockInput';

/** What going back has removed from the chain, to bring it back later. */
export interface Undone {
  id: number;
  /** The block that the chain went back to. */
  seqno: number;
  blocks: readonly KeptBlock[];
  /** The contracts' names at that time. */
  names: Readonly<Record<string, string>> | undefined;
}

/** Most returns to an earlier block that can be undone; the oldest are forgotten. */
const capacity = 10;

/** What was undone and can be brought back: in memory only, the newest last. Each is true for the block that it follows. */
export class UndoneBlocks {
  #kept: Undone[] = [];
  #count = 0;

  find(id: number): Undone | undefined {
    return this.#kept.find((undone) => undone.id === id);
  }

  /** @returns its id */
  keep(undone: Omit<Undone, 'id'>): number {
    this.#count += 1;
    this.#kept = [...this.#kept, { ...undone, id: this.#count }].slice(-capacity);
    return this.#count;
  }

  /** Forgets what followed later blocks, because the chain has gone back to this one. */
  wentBack(seqno: number): void {
    this.#kept = this.#kept.filter((undone) => undone.seqno <= seqno);
  }

  /** Forgets what was brought back, and everything undone since. */
  forget(id: number): void {
    this.#kept = this.#kept.filter((undone) => undone.id < id);
  }

  clear(): void {
    this.#kept = [];
  }
}
