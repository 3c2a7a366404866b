import { Cell, Dictionary, beginCell } from '@ton/core';
import type { AccountSource } from '../accounts/accountSource';
import { libraryHashes } from '../accounts/libraryHashes';

/** Maximum libraries per rehearsal: a BoC full of library cells must not cause endless requests. */
const most = 64;

/** Fetches the libraries used by accounts and messages, as the dictionary that the emulator takes. */
export class LibraryShelf {
  /** Hashes (lowercase hex) that the network does not have, or that exceeded the limit. */
  readonly missing: string[] = [];
  readonly #known = new Map<string, Cell>();
  #dictionary: string | null | undefined;

  constructor(private readonly source: AccountSource) {}

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
