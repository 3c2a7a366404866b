import type { Clock } from '../time';
import type { ListedLine, LiveLines } from './liveLines';
import { readTraces } from './readTraces';
import type { TraceModel } from './traceModel';
import type { TraceParameter, TraceSource } from './traceSource';

/** What is known of a local network without asking for traces. Any change is a reason to read. */
export interface FeedState {
  /** Hash of its first block: another one is another history. */
  chain: string;
  /** How often it has gone back to an earlier block. */
  turns: number;
  transactions: number;
}

export interface TraceFeedOptions {
  lines: LiveLines;
  /** The network; a new one after each start. */
  source: () => Promise<TraceSource>;
  /** A trace's line, and whatever the caller keeps of the trace. */
  describe: (model: TraceModel, chain: string) => Promise<ListedLine>;
  /** The list has changed; with the lines that are new in it. */
  onChange: (fresh: readonly ListedLine[]) => void;
  /** A reading failed; the next one repeats it. */
  onError: (error: unknown) => void;
  clock: Clock;
}

/** Traces read at once from the newest end, and on demand. */
const pageSize = 50;
/** Least milliseconds between two readings: while somebody looks, and while nobody does. */
const pauses = { watched: 400, unwatched: 5_000 };
/** A reading may take one part in this many of the time. */
const restShare = 6;
/** Traces whose presence is asked for in one request. */
const checkedAtOnce = 100;

/**
 * Follows all traces of a local network. It is told when the network has changed and reads the newest page, however
 * much has happened meanwhile: a busy network costs no more than a quiet one, and what a page leaves out is read on
 * demand.
 */
export class TraceFeed {
  readonly #options: TraceFeedOptions;
  readonly #aborted = new AbortController();
  #state: FeedState | undefined;
  #read: FeedState | undefined;
  #isWatched = false;
  #isReading = false;
  #cancel: (() => void) | undefined;
  /** On the monotonic clock. */
  #notBefore = 0;
  #lastEnd: number | undefined;

  constructor(options: TraceFeedOptions) {
    this.#options = options;
  }

  /** The chain that is followed; undefined while the network does not run. */
  get chain(): string | undefined {
    return this.#state?.chain;
  }

  /** Tells what the network is like now; undefined when it has stopped or is not to be followed. */
  tell(state: FeedState | undefined): void {
    this.#state = state;
    if (state === undefined) {
      // Whatever happens until it is followed again is checked then.
      this.#read = undefined;
    }
    this.#plan();
  }

  /** Whether somebody is looking at the list. */
  watch(isWatched: boolean): void {
    this.#isWatched = isWatched;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#plan();
  }

  /** Reads what is older than a line; see {@link ListedLine.hasMore}. */
  async older(line: ListedLine): Promise<void> {
    const { lines, describe, onChange } = this.#options;
    const { chain } = line;
    if (chain === undefined || chain !== this.#state?.chain) {
      return;
    }
    const page = await this.#page({ end_lt: String(BigInt(line.endLt) - 1n) });
    const described = await Promise.all(page.map((model) => describe(model, chain)));
    lines.takeOlder(line, { chain, lines: described, isFull: page.length === pageSize });
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
      const page = await this.#page({});
      const described = await Promise.all(page.map((model) => describe(model, chain)));
      const fresh = lines.take({ chain, lines: described, isFull: page.length === pageSize });
      if (this.#read?.chain !== chain || this.#read.turns !== state.turns) {
        await this.#check(chain, new Set(described.map(({ key }) => key)));
      }
      this.#read = state;
      onChange(fresh);
    } catch (error) {
      if (!this.#aborted.signal.aborted) {
        onError(error);
      }
    } finally {
      this.#isReading = false;
      const end = clock.monotonic();
      this.#lastEnd = end;
      this.#notBefore = end + (end - began) * (restShare - 1);
    }
    this.#plan();
  }

  /** Asks whether the chain still has the lines outside the newest page. */
  async #check(chain: string, seen: ReadonlySet<string>): Promise<void> {
    const { lines } = this.#options;
    const doubtful = lines.list(chain).filter(({ key }) => !seen.has(key));
    for (let from = 0; from < doubtful.length; from += checkedAtOnce) {
      const asked = doubtful.slice(from, from + checkedAtOnce);
      const found = await this.#page({ trace_id: asked.map(({ id }) => id), limit: checkedAtOnce });
      lines.setOnChain(
        new Set(asked.map(({ key }) => key)),
        new Set(found.flatMap(({ id }) => (id === undefined ? [] : [id]))),
      );
    }
  }

  async #page(parameters: Readonly<Record<string, TraceParameter>>): Promise<TraceModel[]> {
    const source = await this.#options.source();
    const all = { limit: pageSize, sort: 'desc', include_actions: false, ...parameters };
    return readTraces(await source.request('traces', all, this.#aborted.signal));
  }
}
