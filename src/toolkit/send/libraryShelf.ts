import { Cell, Dictionary, beginCell } from '@ton/core';
import type { AccountSource } from '../accounts/accountSource';
import { libraryHashes } from '../accounts/libraryHashes';

/** Libraries of one rehearsal at most: a BoC full of library cells must not cause requests without end. */
const most = 64;

/** Fetches the libraries that accounts and messages refer to and keeps them as the dictionary the emulator takes. */
export class LibraryShelf {
  /** Hashes (lower-case hex) that the network does not have, or that were too many. */
  readonly missing: string[] = [];
  readonly #known = new Map<string, Cell>();
  #dictionary: string | null | undefined;

  constructor(private readonly source: AccountSource) {}

  /** Looks through BoCs (base64) for library cells, and through what was found for further ones. */
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
      this.#dictionary = this.#known.size === 0 ? null : this.#build();
    }
    return this.#dictionary;
  }

  #build(): string {
    const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
    for (const [hash, cell] of this.#known) {
      dictionary.set(BigInt(`0x${hash}`), cell);
    }
    return beginCell().storeDictDirect(dictionary).endCell().toBoc().toString('base64');
  }
}
