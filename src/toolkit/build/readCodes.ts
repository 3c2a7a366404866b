import { keepNewest } from '../base/collections';

/** The code of a contract when it was last read from a network. */
export interface ReadCode {
  /** Name of the network. */
  network: string;
  /** Raw, lowercase. */
  address: string;
  /** Hash of the code cell, lowercase hex. */
  codeHash: string;
  /** Time of the reading, in milliseconds since 1970. */
  at: number;
}

/** Maximum number of contracts; those read longest ago are dropped. */
const mostCodes = 500;

/** The codes of contracts as they were last read, where nothing is read merely to look for changes. */
export class ReadCodes {
  readonly #codes = new Map<string, ReadCode>();

  /** @param known those of earlier sessions, oldest first */
  constructor(known: readonly ReadCode[] = []) {
    known.forEach((code) => this.note(code));
  }

  /** @returns whether the contract is new, or its code another than before */
  note(code: ReadCode): boolean {
    const key = `${code.network} ${code.address}`;
    const before = this.#codes.get(key)?.codeHash;
    keepNewest(this.#codes, key, code, mostCodes);
    return before !== code.codeHash;
  }

  /** All of them, oldest first. */
  all(): ReadCode[] {
    return [...this.#codes.values()];
  }
}
