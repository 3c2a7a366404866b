import { Cell, Dictionary, beginCell } from '@ton/core';
import { libraryHashes } from './codeHashes';

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

/** Library cells by their hashes, as the emulator takes them: BoC (base64) of the dictionary, null without libraries. */
export function writeLibraries(cells: Iterable<Cell>): string | null {
  const dictionary = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  for (const cell of cells) {
    dictionary.set(BigInt(`0x${cell.hash().toString('hex')}`), cell);
  }
  return dictionary.size === 0
    ? null
    : beginCell().storeDictDirect(dictionary).endCell().toBoc().toString('base64');
}

/**
 * `exact`: the very cell from the chain. `partial`: rebuilt from code, data, and balance, so that storage fees may
 * differ.
 */
export type StateFidelity = 'exact' | 'partial';

/** An account's state. */
export interface SourcedAccount {
  /** ShardAccount as BoC, base64. */
  shardAccount: string;
  fidelity: StateFidelity;
}

/** Accounts, libraries, and configuration at one masterchain block. */
export interface AccountSource {
  /** The network's name, for people. */
  readonly origin: string;
  /** The masterchain block at which everything is read. */
  readonly seqno: number;
  /** Time of that block, Unix seconds. */
  readonly genUtime: number;
  /** Logical time at which that block ended. */
  readonly endLt: bigint;
  /** Root hash of that block, lowercase hex; undefined if it is not known. */
  readonly rootHash?: string | undefined;
  /**
   * @param address `workchain:hex`
   * @throws WorkbenchError `archive-unavailable` if the service no longer has the block's states
   */
  account(address: string, signal?: AbortSignal): Promise<SourcedAccount>;
  /** The library cell as BoC, base64; undefined if the network has none with this hash (lowercase hex). */
  library(hash: string, signal?: AbortSignal): Promise<string | undefined>;
  /** The configuration dictionary as BoC, base64; undefined if the service does not provide it. */
  config(signal?: AbortSignal): Promise<string | undefined>;
}
