import { keepNewest } from '../../toolkit/base/collections';
import type { ThrownLine } from '../../toolkit/sourceMap/thrownAt';
import type { TraceKnowledge } from '../../toolkit/trace/traceModel';
import { namesInTraces } from '../../toolkit/workflows/namesInTraces';
import { namedAddresses } from '../project/accountName';
import { perWindow } from '../networks/sourceNames';
import type { Services } from '../project/services';
import { coinLabel } from '../ui/readWorkspaceFile';

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

/**
 * The lines of call sheets that this window has sent: `line 12 of vault.toncall`, by the hash (lowercase hex) of the first
 * transaction that followed.
 */
export const sheetLines = perWindow((_: Services) => {
  const lines = new Map<string, string>();
  return {
    keep: (hash: string, line: string): void => keepNewest(lines, hash, line, capacity),
    find: (hash: string): string | undefined => lines.get(hash),
  };
});

/** This window's names of accounts, coin label, and lines that threw, for traces. */
export function traceKnowledge(services: Services): Pick<TraceKnowledge, 'names' | 'coin' | 'thrownLine'> {
  const lines = thrownLines(services);
  return {
    names: namesInTraces(services.networks.current(), namedAddresses(services)),
    coin: coinLabel(),
    thrownLine: (hash) => lines.find(hash),
  };
}
