import path from 'node:path';
import { WorkbenchError } from '../../base/errors';
import type { JournalDisk } from '../../base/journal/journalDisk';
import { nodeDisk } from '../../base/journal/journalDisk';
import { FolderLock } from '../../base/journal/folderLock';
import type { Log } from '../../base/log';
import { silentLog } from '../../base/log';
import type { Clock } from '../../base/time';
import { systemClock } from '../../base/time';
import type { Delivery, ForwardResult, FullDelivery, Verdict } from '../delivery/delivery';
import type { OrderState } from '../orders/orderBook';
import { OrderBook } from '../orders/orderBook';
import type { KeptRequest } from './deliveryEntry';
import {
  CarriedStates,
  carriedStatesFile,
  decodeDeliveryEntry,
  encodeDelivery,
  encodeForwarded,
  keepEarlierVersion,
} from './deliveryEntry';
import type { JournalLimits } from './journal';
import { Journal, defaultJournalLimits } from './journal';
import type { EntryPosition } from './journalQueue';
import { journalInUseError, journalUnusableError } from './journalQueue';

/**
 * Deletes all deliveries of a journal that no listener uses, and with them the states of its orders.
 * @throws WorkbenchError `journal-in-use`, `journal-unusable` (input)
 */
export async function clearJournal(directory: string): Promise<void> {
  const store = await DeliveryStore.open({
    directory,
    limits: defaultJournalLimits,
    disk: nodeDisk,
    clock: systemClock,
    log: silentLog,
  });
  try {
    await store.clear();
  } finally {
    await store.close();
  }
}

interface DeliveryStoreOptions {
  directory: string;
  limits: JournalLimits;
  disk: JournalDisk;
  clock: Clock;
  log: Log;
  /** The lock may have been left by a crashed thread of this process. */
  afterCrash?: boolean | undefined;
}

/** One delivery in memory: its summary as JSON, and the position of the rest. */
interface Entry {
  id: string;
  /** A {@link Delivery} as JSON. */
  json: string;
  verdict: Delivery['verdict'];
  position: EntryPosition;
  /** The order whose state this delivery changed. */
  changed: string | undefined;
}

/** The stored deliveries, newest first, as JSON texts. */
export interface DeliveryPage {
  items: string[];
  /** Total number of matches. */
  total: number;
}

/**
 * Deliveries and orders over the journal. Everything is derived from the journal: a new store over the same directory
 * has the same deliveries and order states.
 */
export class DeliveryStore {
  readonly orders = new OrderBook();
  readonly #entries = new Map<string, Entry>();
  readonly #lock: FolderLock;
  #carried!: CarriedStates;
  #journal!: Journal;
  #problems: readonly string[] = [];

  private constructor(lock: FolderLock) {
    this.#lock = lock;
  }

  /**
   * Locks a folder and opens its journal. Its problems are logged and kept in {@link problems}.
   * @throws WorkbenchError `journal-in-use`, `journal-unusable` (input)
   */
  static async open(options: DeliveryStoreOptions): Promise<DeliveryStore> {
    const { directory, disk, afterCrash } = options;
    let lock: FolderLock | undefined;
    try {
      disk.makeFolder(directory);
      lock = await FolderLock.take(directory, {
        inUse: (holder, state) => journalInUseError(directory, holder, state),
        afterCrash,
      });
      const store = new DeliveryStore(lock);
      await store.#load(options);
      return store;
    } catch (cause) {
      lock?.release();
      throw WorkbenchError.is(cause) ? cause : journalUnusableError(directory, cause);
    }
  }

  async #load(options: DeliveryStoreOptions): Promise<void> {
    const { directory, disk, clock, log } = options;
    const guard = (): void => this.#lock.assertHeld();
    const earlier = keepEarlierVersion(directory, options);
    this.#carried = new CarriedStates(
      {
        ...{ path: path.join(directory, carriedStatesFile), disk, clock, guard },
        onUnsynced: (error) => log.error('The states of old orders could not be synced to disk', error),
      },
      (state) => this.orders.apply(state),
    );
    try {
      this.#journal = await Journal.open({
        ...options,
        guard,
        onEntry: (payload, position) => this.#restore(payload, position),
        onDrop: (segment) => this.#drop(segment),
      });
    } catch (error) {
      await this.#carried.close();
      throw error;
    }
    this.#problems = [...earlier, ...this.#carried.findings, ...this.#journal.findings];
    this.#problems.forEach((text) => log.warn(`Webhook journal: ${text}`));
  }

  /** Problems of the journal found when opening, as text. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /**
   * Stores a delivery and its order's new state.
   *
   * @param json the summary, a {@link Delivery} as JSON
   * @param done called once both are in the file, or with false if they could not be written
   */
  record(
    { id, verdict, json }: Pick<Entry, 'id' | 'verdict' | 'json'>,
    kept: KeptRequest,
    order: OrderState | null,
    done: (isStored: boolean) => void,
  ): void {
    if (order !== null) {
      this.orders.reserve(order);
    }
    this.#journal.append(encodeDelivery(json, kept, order?.state ?? null), {
      written: (position) => {
        if (order !== null) {
          this.orders.settle(order, true);
        }
        this.#entries.set(id, { id, verdict, json, position, changed: order?.reference });
        done(true);
      },
      failed: () => {
        if (order !== null) {
          this.orders.settle(order, false);
        }
        done(false);
      },
    });
  }

  /** Adds the forward target's answer; returns the new summary, or undefined if the delivery is gone. */
  async recordForward(id: string, forwarded: ForwardResult): Promise<string | undefined> {
    await new Promise<void>((written, failed) => {
      this.#journal.append(encodeForwarded(id, forwarded), { written: () => written(), failed });
    });
    return this.#setForwarded(id, forwarded);
  }

  list(query: DeliveryQuery = {}): DeliveryPage {
    const matching = [...this.#entries.values()].reverse().filter((entry) => matchesQuery(entry, query));
    const start = query.before === undefined ? 0 : matching.findIndex(({ id }) => id === query.before) + 1;
    const items = matching.slice(start, start + (query.limit ?? 500)).map(({ json }) => json);
    return { items, total: matching.length };
  }

  /** A delivery with its headers and bytes; undefined if it is not, or no longer, stored. */
  get(id: string): FullDelivery | undefined {
    const entry = this.#entries.get(id);
    const bytes = entry && this.#journal.read(entry.position);
    if (entry === undefined || bytes === undefined) {
      return undefined;
    }
    const read = decodeDeliveryEntry(bytes);
    return read.kind === 'delivery' ? { ...read.full, ...(JSON.parse(entry.json) as Delivery) } : undefined;
  }

  /** Deletes all deliveries; since order states derive from them, all orders are open again. */
  async clear(): Promise<void> {
    await this.#journal.clear(() => {
      this.#carried.clear();
      this.#entries.clear();
      this.orders.clear();
    });
  }

  async close(): Promise<void> {
    try {
      await this.#journal.close();
      await this.#carried.close();
    } finally {
      this.#lock.release();
    }
  }

  #restore(payload: Buffer, position: EntryPosition): void {
    const entry = decodeDeliveryEntry(payload);
    if (entry.kind === 'forwarded') {
      this.#setForwarded(entry.id, entry.forwarded);
      return;
    }
    const { headers: _headers, body: _body, bodyRedacted: _redacted, ...delivery } = entry.full;
    const { id, verdict } = delivery;
    // A forward in progress when the process ended will never be answered.
    const json = JSON.stringify({ ...delivery, forwarding: false });
    this.#entries.set(id, { id, verdict, json, position, changed: entry.order?.reference });
    if (entry.order !== null) {
      this.orders.apply(entry.order);
    }
  }

  #setForwarded(id: string, forwarded: ForwardResult): string | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return undefined;
    }
    const delivery = JSON.parse(entry.json) as Delivery;
    const json = JSON.stringify({ ...delivery, forwarding: false, forwarded });
    entry.json = json;
    return json;
  }

  async #drop(segment: number): Promise<void> {
    const states: OrderState[] = [];
    const dropped: string[] = [];
    for (const { id, position, changed } of this.#entries.values()) {
      // Entries are in the order of the segments.
      if (position.segment > segment) {
        break;
      }
      const state = changed === undefined ? undefined : this.orders.stateOf(changed);
      if (state !== undefined) {
        states.push(state);
      }
      dropped.push(id);
    }
    dropped.forEach((id) => this.#entries.delete(id));
    await this.#carried.add(states);
  }
}

/** Which deliveries to list. */
export interface DeliveryQuery {
  /** Only these verdicts. */
  verdicts?: readonly Verdict[];
  /** Only those whose summary contains this text, ignoring case: reference, address, hash, comment, reason. */
  text?: string;
  /** Only those older than this id. */
  before?: string;
  /** Maximum number; default 500. */
  limit?: number;
}

/** Whether a delivery, given by its verdict and its summary as JSON, matches. */
export function matchesQuery(
  delivery: { verdict: Verdict; json: string },
  { verdicts, text }: Pick<DeliveryQuery, 'verdicts' | 'text'>,
): boolean {
  if (verdicts !== undefined && !verdicts.includes(delivery.verdict)) {
    return false;
  }
  return (
    text === undefined || text === '' || delivery.json.toLowerCase().includes(inJson(text).toLowerCase())
  );
}

/** As it appears inside a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
