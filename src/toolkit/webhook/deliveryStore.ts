import type { Log } from '../log';
import type { Clock } from '../time';
import { CarriedStates } from './carriedStates';
import type { Delivery, ForwardResult, FullDelivery, HeaderList } from './delivery';
import { matchesQuery } from './deliveryQuery';
import type { DeliveryQuery } from './deliveryQuery';
import type { JournalFileSystem } from './fileSystem';
import { Journal } from './journal';
import type { JournalLimits } from './journal';
import { journalUnusableError } from './journalErrors';
import type { JournalPosition } from './journalQueue';
import { lockJournal } from './journalLock';
import type { ProcessIdentity } from './journalLock';
import { journalLine, readJournalLine } from './journalLine';
import { OrderBook } from './orderBook';
import type { OrderState } from './orderBook';
import { WorkbenchError } from '../errors';

export interface DeliveryStoreOptions {
  directory: string;
  limits: JournalLimits;
  fileSystem: JournalFileSystem;
  clock: Clock;
  log: Log;
  identity: ProcessIdentity;
}

/** One delivery in memory: its summary as JSON, and where the rest stands. */
interface Entry {
  id: string;
  /** A {@link Delivery} as JSON. */
  json: string;
  verdict: Delivery['verdict'];
  position: JournalPosition;
  /** The order whose state this delivery changed. */
  changed: string | undefined;
}

/** The deliveries kept, newest first, as JSON texts. */
export interface DeliveryPage {
  items: string[];
  /** How many match the query in all. */
  total: number;
}

/**
 * Deliveries and orders over the journal. Everything here follows from the journal: a new store over the same directory
 * knows the same deliveries and the same order states.
 */
export class DeliveryStore {
  readonly orders = new OrderBook();
  readonly #entries = new Map<string, Entry>();
  readonly #carried: CarriedStates;
  readonly #unlock: () => Promise<void>;
  #journal!: Journal;

  private constructor(carried: CarriedStates, unlock: () => Promise<void>) {
    this.#carried = carried;
    this.#unlock = unlock;
  }

  /**
   * Opens the journal of a directory.
   * @throws WorkbenchError `journal-in-use`, `journal-unusable` (input)
   */
  static async open(options: DeliveryStoreOptions): Promise<DeliveryStore> {
    const { directory, fileSystem } = options;
    try {
      await fileSystem.mkdir(directory, { recursive: true, mode: 0o700 });
      const unlock = await lockJournal(directory, fileSystem, options.identity);
      const store = new DeliveryStore(new CarriedStates(directory, fileSystem), unlock);
      await store.#load(options);
      return store;
    } catch (cause) {
      throw cause instanceof WorkbenchError ? cause : journalUnusableError(directory, cause);
    }
  }

  async #load(options: DeliveryStoreOptions): Promise<void> {
    for (const state of await this.#carried.load()) {
      this.orders.apply(state);
    }
    this.#journal = await Journal.open({
      ...options,
      onLine: (line, position) => this.#restore(line, position),
      onDrop: (segment) => this.#drop(segment),
    });
  }

  /**
   * Writes a delivery and its order's new state down.
   *
   * @param json the summary, a {@link Delivery} as JSON
   * @param done called when both are in the file, or with false when they could not be written
   */
  record(
    { id, verdict, json }: Pick<Entry, 'id' | 'verdict' | 'json'>,
    kept: { headers: HeaderList; body: Buffer; bodyRedacted: boolean },
    order: OrderState | null,
    done: (isStored: boolean) => void,
  ): void {
    if (order !== null) {
      this.orders.reserve(order);
    }
    const line = journalLine.delivery(json, kept, order?.state ?? null);
    this.#journal.append(line, {
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

  /** Adds what the forward target answered; returns the new summary, or undefined when the delivery is gone. */
  async recordForward(id: string, forwarded: ForwardResult): Promise<string | undefined> {
    await new Promise<void>((written, failed) => {
      this.#journal.append(journalLine.forwarded(id, forwarded), { written: () => written(), failed });
    });
    return this.#setForwarded(id, forwarded);
  }

  list(query: DeliveryQuery = {}): DeliveryPage {
    const matching = [...this.#entries.values()].reverse().filter((entry) => matchesQuery(entry, query));
    const start = query.before === undefined ? 0 : matching.findIndex(({ id }) => id === query.before) + 1;
    const items = matching.slice(start, start + (query.limit ?? 500)).map(({ json }) => json);
    return { items, total: matching.length };
  }

  /** A delivery with its headers and bytes; undefined when it is not, or no longer, kept. */
  async get(id: string): Promise<FullDelivery | undefined> {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      return undefined;
    }
    const line = readJournalLine(await this.#journal.read(entry.position));
    return line.kind === 'delivery' ? { ...line.full, ...(JSON.parse(entry.json) as Delivery) } : undefined;
  }

  /** Forgets all deliveries; since order states follow from them, all orders are open again. */
  async clear(): Promise<void> {
    await this.#journal.clear(async () => {
      await this.#carried.clear();
      this.#entries.clear();
      this.orders.clear();
    });
  }

  async close(): Promise<void> {
    await this.#journal.close();
    await this.#unlock();
  }

  #restore(text: string, position: JournalPosition): void {
    const line = readJournalLine(text);
    if (line.kind === 'forwarded') {
      this.#setForwarded(line.id, line.forwarded);
      return;
    }
    const { headers: _headers, body: _body, bodyRedacted: _redacted, ...delivery } = line.full;
    const { id, verdict } = delivery;
    // A forward that was under way when the process ended will never be answered.
    const json = JSON.stringify({ ...delivery, forwarding: false });
    this.#entries.set(id, { id, verdict, json, position, changed: line.order?.reference });
    if (line.order !== null) {
      this.orders.apply(line.order);
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
      // Entries stand in the order of the segments.
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
