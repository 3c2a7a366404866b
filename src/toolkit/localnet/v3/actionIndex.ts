import type { Clock } from '../../base/time';
import { systemClock } from '../../base/time';
import { isTurnOver, nextTurn } from '../../base/turns';
import type { LocalChain } from '../chain/localChain';
import { MultiMap } from '../chain/messageIndex';
import type { TraceEntry, TraceRecord } from '../records/records';
import type { Tokens } from '../tokens/tokenIndex';
import type { Found } from './actions';
import { accountsOf, findActions } from './actions';
import type { Page, Ranges } from './page';
import { takePageInTurns } from './page';
import { walk } from './selectTransactions';

/** An action of a complete trace, with its position. */
export interface IndexedAction {
  /** Position among all, by the end of their traces, then within the trace. */
  readonly number: number;
  readonly trace: TraceRecord;
  readonly found: Found;
}

/** Search criteria for actions. */
export interface ActionFilter {
  account: string | undefined;
  /** Empty for all. */
  types: ReadonlySet<string>;
  excluded: ReadonlySet<string>;
  ranges: Ranges;
}

/** Milliseconds before new traces are indexed in the background, and of rest after each turn. */
const backgroundDelay = 1_000;
const backgroundRest = 24;

/**
 * The actions of complete traces by type and by account. It is built incrementally: slowly in the background, at full
 * speed when a request needs it. A transaction takes about 0.4 KiB.
 */
export class ActionIndex {
  #all: IndexedAction[] = [];
  #byType = new Map<string, IndexedAction[]>();
  #byAccount = new MultiMap<IndexedAction>();
  /** The same by type, for accounts that were queried that way. */
  #typesOf = new Map<string, { done: number; byType: Map<string, IndexedAction[]> }>();
  /** Actions of each trace; once found, they stay. */
  #byTrace = new Map<TraceRecord, readonly Found[]>();
  /** Number of processed ledger entries. */
  #done = 0;
  /** Traces that were still open when their entry was read. */
  #open: TraceEntry[] = [];
  /** A chain's clock may be set back: then times are not sorted and cannot be searched. */
  #timeIsOrder = true;
  #updating: Promise<void> | undefined;
  /** Number of entries waiting for the index. */
  #asked = 0;
  #cancelTimer: (() => void) | undefined;
  #endRest: (() => void) | undefined;

  constructor(
    private readonly chain: LocalChain,
    private readonly tokens: Tokens,
    private readonly clock: Clock = systemClock,
  ) {
    chain.onReset(() => this.#clear());
  }

  /** Keeps the index current in the background, using a quarter of the time. Returns a function that stops it. */
  keepUp(): () => void {
    const plan = (): void => {
      this.#cancelTimer ??= this.clock.after(
        backgroundDelay,
        () => {
          this.#keepUp()
            // A request reports the error.
            .catch(() => undefined)
            .finally(() => (this.#cancelTimer = undefined));
        },
        false,
      );
    };
    const forget = this.chain.onBlock(plan);
    plan();
    return () => {
      forget();
      this.#cancelTimer?.();
    };
  }

  async #keepUp(): Promise<void> {
    // On a fork, get-methods may need accounts of the other network: not worth reading until a request needs them.
    if (this.chain.fork === undefined && this.#updating === undefined) {
      await this.tokens.refresh();
      await this.#runUpdate();
    }
  }

  /**
   * The actions of a trace. Indexed actions stay as they were, even if the contracts have changed since. Tokens must
   * be refreshed first.
   */
  async of(trace: TraceRecord): Promise<readonly Found[]> {
    return this.#byTrace.get(trace) ?? findActions(this.tokens, trace);
  }

  /** Indexes all traces that are complete by now. */
  async update(): Promise<void> {
    this.#asked += 1;
    this.#endRest?.();
    try {
      await this.#runUpdate();
    } finally {
      this.#asked -= 1;
    }
  }

  async #runUpdate(): Promise<void> {
    while (this.#updating !== undefined) {
      await this.#updating;
    }
    this.#updating = this.#readNew().finally(() => (this.#updating = undefined));
    await this.#updating;
  }

  /** Waits until there is a request, or for a while. */
  async #rest(): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.clock.after(backgroundRest, resolve, false);
      this.#endRest = () => {
        cancel();
        resolve();
      };
    });
    this.#endRest = undefined;
  }

  /** A page of actions in order of their traces' ends, or reversed. */
  async page(filter: ActionFilter, page: Page): Promise<readonly IndexedAction[]> {
    const { account, types, excluded, ranges } = filter;
    const [list, ...others] = this.#lists(account, types, excluded);
    if (list === undefined || others.length > 0 || !this.#timeIsOrder) {
      return takePageInTurns(this.#select(filter, page.ascending), page);
    }
    // One list holds exactly the requested actions: a distant page can be reached directly.
    const found = this.#within(list, ranges);
    const first = page.ascending ? page.offset : Math.max(0, found.length - page.offset - page.limit);
    const end = page.ascending ? first + page.limit : Math.max(0, found.length - page.offset);
    const rows = found.slice(first, end);
    return page.ascending ? rows : rows.reverse();
  }

  *#select({ account, types, excluded, ranges }: ActionFilter, ascending: boolean): Iterable<IndexedAction> {
    const lists = this.#lists(account, types, excluded).map((list) => this.#within(list, ranges));
    const isWanted = ({ trace }: IndexedAction): boolean =>
      this.#timeIsOrder || isInTime(ranges, endOf(trace));
    const order = ascending ? 1 : -1;
    const walks = lists.map((list) => walk(list, ascending));
    for (const action of mergeBy(walks, ({ number }) => number * order)) {
      if (isWanted(action)) {
        yield action;
      }
    }
  }

  /** The lists that together hold all matches, regardless of time. */
  #lists(
    account: string | undefined,
    types: ReadonlySet<string>,
    excluded: ReadonlySet<string>,
  ): (readonly IndexedAction[])[] {
    const all = account === undefined ? this.#all : this.#byAccount.get(account);
    if (types.size === 0 && excluded.size === 0) {
      return [all];
    }
    const byType = account === undefined ? this.#byType : this.#byTypeOf(account, all);
    return [...byType]
      .filter(([type]) => (types.size === 0 || types.has(type)) && !excluded.has(type))
      .map(([, list]) => list);
  }

  #byTypeOf(account: string, all: readonly IndexedAction[]): ReadonlyMap<string, readonly IndexedAction[]> {
    const known = this.#typesOf.get(account) ?? { done: 0, byType: new Map<string, IndexedAction[]>() };
    this.#typesOf.set(account, known);
    for (; known.done < all.length; known.done += 1) {
      addByType(known.byType, all[known.done] as IndexedAction);
    }
    return known.byType;
  }

  #within(list: readonly IndexedAction[], ranges: Ranges): readonly IndexedAction[] {
    const { startLt, endLt, startUtime, endUtime } = ranges;
    let [from, to] = [0, list.length];
    const narrow = (isBefore: (trace: TraceRecord) => boolean): number =>
      firstNot(list, ({ trace }) => isBefore(trace));
    if (startLt !== undefined) {
      from = Math.max(
        from,
        narrow((trace) => trace.endLt < startLt),
      );
    }
    if (endLt !== undefined) {
      to = Math.min(
        to,
        narrow((trace) => trace.endLt <= endLt),
      );
    }
    if (startUtime !== undefined && this.#timeIsOrder) {
      from = Math.max(
        from,
        narrow((trace) => endOf(trace) < startUtime),
      );
    }
    if (endUtime !== undefined && this.#timeIsOrder) {
      to = Math.min(
        to,
        narrow((trace) => endOf(trace) <= endUtime),
      );
    }
    return from === 0 && to === list.length ? list : list.slice(from, Math.max(from, to));
  }

  async #readNew(): Promise<void> {
    const { ledger } = this.chain;
    if (this.#open.some(({ trace, endLt }) => trace.pendingMessages === 0 && trace.endLt === endLt)) {
      // It ended without a transaction, so it has no later entry and belongs to those already processed.
      this.#clear();
    }
    this.#open = this.#open.filter(({ trace, endLt }) => trace.endLt === endLt);
    while (this.chain.ledger === ledger && this.#done < ledger.traces.length) {
      const entry = ledger.traces[this.#done] as TraceEntry;
      const { trace } = entry;
      const isCurrent = trace.endLt === entry.endLt;
      if (isCurrent && trace.pendingMessages > 0) {
        this.#open.push(entry);
      } else if (isCurrent && !this.#byTrace.has(trace)) {
        // The trace may come from a block after the last refresh; what is found in it now stays.
        await this.tokens.refresh();
        const found = await findActions(this.tokens, trace);
        if (this.chain.ledger !== ledger) {
          break;
        }
        this.#add(trace, found);
      }
      this.#done += 1;
      if (isTurnOver()) {
        if (this.#asked === 0) {
          await this.#rest();
        }
        await nextTurn();
      }
    }
  }

  #add(trace: TraceRecord, actions: readonly Found[]): void {
    this.#byTrace.set(trace, actions);
    const before = this.#all.at(-1)?.trace;
    this.#timeIsOrder &&= before === undefined || endOf(before) <= endOf(trace);
    const { accounts } = this.chain.ledger;
    for (const found of actions) {
      const action: IndexedAction = { number: this.#all.length, trace, found };
      this.#all.push(action);
      addByType(this.#byType, action);
      for (const address of accountsOf(found)) {
        // The ledger's copy of the address, if it has one.
        this.#byAccount.add(accounts.get(address)?.address ?? address, action);
      }
    }
  }

  #clear(): void {
    this.#all = [];
    this.#byType = new Map();
    this.#byAccount = new MultiMap();
    this.#typesOf = new Map();
    this.#byTrace = new Map();
    this.#done = 0;
    this.#open = [];
    this.#timeIsOrder = true;
  }
}

function addByType(byType: Map<string, IndexedAction[]>, action: IndexedAction): void {
  const { type } = action.found;
  const list = byType.get(type);
  if (list === undefined) {
    byType.set(type, [action]);
  } else {
    list.push(action);
  }
}

/** When the trace's last transaction ran, Unix seconds. */
function endOf({ transactions }: TraceRecord): number {
  return transactions[transactions.length - 1]?.now ?? 0;
}

function isInTime({ startUtime, endUtime }: Ranges, utime: number): boolean {
  return (startUtime === undefined || utime >= startUtime) && (endUtime === undefined || utime <= endUtime);
}

/** Index of the first item that is not before; items are partitioned by that. */
function firstNot<T>(items: readonly T[], isBefore: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(items[middle] as T)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The items of several sorted walks merged by key, lowest first; reads no further than needed. */
function* mergeBy<T>(walks: readonly Iterable<T>[], key: (item: T) => number): Iterable<T> {
  const heads: { value: T; rest: Iterator<T> }[] = [];
  for (const walk of walks) {
    const rest = walk[Symbol.iterator]();
    const first = rest.next();
    if (first.done !== true) {
      heads.push({ value: first.value, rest });
    }
  }
  while (heads.length > 0) {
    const lowest = heads.reduce((low, head) => (key(head.value) < key(low.value) ? head : low));
    yield lowest.value;
    const following = lowest.rest.next();
    if (following.done === true) {
      heads.splice(heads.indexOf(lowest), 1);
    } else {
      lowest.value = following.value;
    }
  }
}
