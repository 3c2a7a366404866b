import { keepNewest } from '../base/collections';

/** The oldest runs are dropped. */
const mostRuns = 1_000;

/** The gas of the last run of each get-method and message, by key. */
export class GasBook {
  readonly #runs: Map<string, number>;

  /** @param runs of earlier sessions, oldest first */
  constructor(runs: Iterable<readonly [string, number]> = []) {
    this.#runs = new Map([...runs].slice(-mostRuns));
  }

  /** @returns whether the gas differs from that of the last run */
  note(key: string, gas: number): boolean {
    const before = this.#runs.get(key);
    keepNewest(this.#runs, key, gas, mostRuns);
    return before !== gas;
  }

  of(key: string): number | undefined {
    return this.#runs.get(key);
  }

  runs(): ReadonlyMap<string, number> {
    return this.#runs;
  }
}
