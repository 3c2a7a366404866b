import { Cell } from '@ton/core';
import type { AccountSource } from './accountSource';
import { libraryHashes } from './libraryHashes';
import { writeLibraries } from './writeLibraries';

/** Maximum libraries per run: a BoC full of library cells must not cause endless requests. */
const most = 64;

/** Fetches the libraries used by accounts and messages, as the dictionary that the emulator takes. */
export class LibraryShelf {
  /** Hashes (lowercase hex) that the network does not have, or that exceeded the limit. */
  readonly missing: string[] = [];
  readonly #known = new Map<string, Cell>();
  #dictionary: string | null | undefined;

  constructor(private readonly source: Pick<AccountSource, 'library'>) {}

  /** Searches BoCs (base64) for library cells, and found libraries for further ones. */
  async fetchFor(bocs: readonly string[], signal?: AbortSignal): Promise<void> {
    const wanted = bocs.flatMap(libraryHashes);
    for (let hash = wanted.pop(); hash !== undefined; hash = wanted.pop()) {
      if (this.#known.has(hash) || this.missing.includes(hash)) {
        continue;
      }
      const library = this.#known.size < most ? await this.source.library(hash, signal) : undefined;
      if (library === undefined) {
        this.missing.push(hash);
      } else {
        this.#known.set(hash, Cell.fromBase64(library));
        this.#dictionary = undefined;
        wanted.push(...libraryHashes(library));
      }
    }
  }

  /** BoC (base64) of the dictionary from hash to cell; null without libraries. */
  dictionary(): string | null {
    if (this.#dictionary === undefined) {
      this.#dictionary = writeLibraries(this.cells());
    }
    return this.#dictionary;
  }

  /** The libraries found so far. */
  cells(): readonly Cell[] {
    return [...this.#known.values()];
  }
}
