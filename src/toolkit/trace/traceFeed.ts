import type { Clock } from '../base/time';
import type { ListedLine, LiveLines } from './liveLines';
import { readTraces } from './readTraces';
import type { TraceModel } from './traceModel';
import type { TraceParameter, TraceSource } from './readTraces';

/**
 * What is known about a local network without asking for traces. Any change means that traces should be read.
 */
export interface FeedState {
  /** Hash of its first block, which identifies the history. */
  chain: string;
  /** How many times it has gone back to an earlier block. */
  turns: number;
  transactions: number;
}

export interface TraceFeedOptions {
  lines: LiveLines;
  /** The network; a new one after each start. */
  source: () => Promise<TraceSource>;
  /** Makes the line of a trace, and stores what the caller needs of the trace. */
  describe: (model: TraceModel, chain: string) => Promise<ListedLine>;
  /** Called when the list has changed, with the new lines. */
  onChange: (fresh: readonly ListedLine[]) => void;
  /** Called when a read has failed; the next one repeats it. */
  onError: (error: unknown) => void;
  clock: Clock;
}

/** Traces per read, at the newest end or on demand: fewer if they are long. The first read takes few. */
const pageSizes = { first: 10, least: 5, most: 50 };
/** Transactions that a read aims for: reading more would keep the thread busy for too long. */
const pageTransactions = 600;
/** Minimum milliseconds between two reads, while somebody is looking and while nobody is. */
const pauses = { watched: 400, unwatched: 5_000 };
/** Reads may take up to one part in this many of the time; but the list is never older than the longest rest. */
const restShare = 6;
const longestRest = 3_000;

/**
 * Follows all traces of a local network. It is told when the network has changed and reads the newest page,
 * however much has happened meanwhile: a busy network costs no more than a quiet one, and what is not in a
 * page is read on demand.
 */
export class TraceFeed {
  readonly #options: TraceFeedOptions;
  readonly #aborted = new AbortController();
  #state: FeedState | undefined;
  #read: FeedState | undefined;
  /** Traces in the next read. */
  #size = pageSizes.first;
  #isWatched = false;
  #isReading = false;
  #cancel: (() => void) | undefined;
  /** In milliseconds of the monotonic clock. */
  #notBefore = 0;
  #lastEnd: number | undefined;

  constructor(options: TraceFeedOptions) {
    this.#options = options;
  }

  /** The chain being followed; undefined while the network is not running. */
  get chain(): string | undefined {
    return this.#state?.chain;
  }

  /** Reports the network's current state; undefined if it has stopped or should not be followed. */
  tell(state: FeedState | undefined): void {
    this.#state = state;
    if (state === undefined) {
      // Everything that happens until it is followed again is checked then.
      this.#read = undefined;
    }
    this.#plan();
  }

  /** Sets whether somebody is looking at the list. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#plan();
  }

  /** Reads the traces older than a line; see {@link ListedLine.hasMore}. */
  async older(line: ListedLine): Promise<void> {
    const { lines, describe, onChange } = this.#options;
    const { chain } = line;
    if (chain === undefined || chain !== this.#state?.chain) {
      return;
    }
    const size = this.#size;
    const page = await this.#page(size, { end_lt: String(BigInt(line.endLt) - 1n) });
    const described = await Promise.all(page.map((model) => describe(model, chain)));
    lines.takeOlder(line, { chain, lines: described, isFull: page.length === size });
    onChange([]);
  }

  close(): void {
    this.#cancel?.();
    this.#state = undefined;
    this.#aborted.abort();
  }

  #plan(): void {
    const { clock } = this.#options;
    if (this.#isReading || this.#cancel !== undefined || !this.#isBehind()) {
      return;
    }
    const pause = this.#isWatched ? pauses.watched : pauses.unwatched;
    const at = this.#lastEnd === undefined ? 0 : Math.max(this.#notBefore, this.#lastEnd + pause);
    this.#cancel = clock.after(Math.max(0, at - clock.monotonic()), () => {
      this.#cancel = undefined;
      void this.#readNewest();
    });
  }

  #isBehind(): boolean {
    const [state, read] = [this.#state, this.#read];
    return (
      state !== undefined &&
      (state.chain !== read?.chain || state.turns !== read.turns || state.transactions !== read.transactions)
    );
  }

  async #readNewest(): Promise<void> {
    const { clock, lines, describe, onChange, onError } = this.#options;
    const state = this.#state;
    if (state === undefined) {
      return;
    }
    const { chain } = state;
    const began = clock.monotonic();
    this.#isReading = true;
    try {
      const size = this.#size;
      const page = await this.#page(size, {});
      const described = await Promise.all(page.map((model) => describe(model, chain)));
      const isFull = page.length === size;
      const fresh = lines.take({ chain, lines: described, isFull });
      if (this.#read?.chain !== chain || this.#read.turns !== state.turns) {
        await this.#check(chain, new Set(described.map(({ key }) => key)));
      }
      this.#size = fittingSize(page);
      // Short traces: the next read takes more of them.
      this.#read = isFull && size === pageSizes.first && this.#size > size ? undefined : state;
      onChange(fresh);
    } catch (error) {
      if (!this.#aborted.signal.aborted) {
        onError(error);
      }
    } finally {
      this.#isReading = false;
      const end = clock.monotonic();
      this.#lastEnd = end;
      this.#notBefore = end + Math.min(longestRest, (end - began) * (restShare - 1));
    }
    this.#plan();
  }

  /** Checks whether the chain still has the lines outside the newest page. */
  async #check(chain: string, seen: ReadonlySet<string>): Promise<void> {
    const { lines } = this.#options;
    const doubtful = lines.list(chain).filter(({ key }) => !seen.has(key));
    for (let from = 0; from < doubtful.length; from += pageSizes.most) {
      const asked = doubtful.slice(from, from + pageSizes.most);
      const found = await this.#page(pageSizes.most, { trace_id: asked.map(({ id }) => id) });
      lines.setOnChain(
        new Set(asked.map(({ key }) => key)),
        new Set(found.flatMap(({ id }) => (id === undefined ? [] : [id]))),
      );
    }
  }

  async #page(limit: number, parameters: Readonly<Record<string, TraceParameter>>): Promise<TraceModel[]> {
    const source = await this.#options.source();
    const all = { limit, sort: 'desc', include_actions: false, ...parameters };
    return readTraces(await source.request('traces', all, this.#aborted.signal));
  }
}

/** The number of traces like these that one read can take. */
function fittingSize(page: readonly TraceModel[]): number {
  const transactions = page.reduce((sum, { nodes }) => sum + nodes.length, 0);
  const average = Math.max(1, transactions / Math.max(1, page.length));
  return Math.min(pageSizes.most, Math.max(pageSizes.least, Math.floor(pageTransactions / average)));
}
