import { keepNewest } from '../../toolkit/keepNewest';
import type { ThrownLine } from '../../toolkit/sourceMap/thrownAt';
import type { Services } from '../services';
import { perWindow } from '../networks/perWindow';

/** Lines kept; the oldest are forgotten. */
const capacity = 500;

/** The lines at which transactions threw, by the transaction's hash (lowercase hex), as far as they were found. */
class ThrownLines {
  readonly #lines = new Map<string, ThrownLine>();

  find(hash: string): ThrownLine | undefined {
    return this.#lines.get(hash);
  }

  keep(hash: string, line: ThrownLine): void {
    keepNewest(this.#lines, hash, line, capacity);
  }
}

/** The lines that this window has found. */
export const thrownLines = perWindow((_: Services) => new ThrownLines());
