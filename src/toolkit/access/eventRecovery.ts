import { canonicalAddress } from '../address/canonicalAddress';
import type { V3Transaction } from '../api/v3Objects';
import { groupBy, keepNewest } from '../base/collections';
import type { Access } from './createAccess';
import type { StreamRequest } from './openStream';
import type { StreamEvent } from './watchStream';

const pageSize = 1_000;
/** More than these pages are a gap. */
const mostPages = 10;
/** Accounts in one request: no more than gateways take in a URL. */
const accountsPerRequest = 100;
/** Final events remembered, so that none is told twice. */
const mostRemembered = 20_000;
/** Of logical time, a hundred blocks: what a slower shard, or the index, brings later is not older. */
const lateness = 100_000_000n;

/** One reading of everything that may be missing. */
interface Reading {
  signal: AbortSignal;
  /** The newest logical time that it found. */
  newest: bigint;
  /** Something was too much to be read. */
  isCut: boolean;
  /** Up to where it was read then. */
  cutAt: bigint | undefined;
}

/** What was told of a stream's accounts or traces, and what API v3 has beyond it. */
export class EventRecovery {
  readonly #access: Access;
  readonly #request: StreamRequest;
  /** Keys of final events. */
  readonly #told = new Map<string, true>();
  readonly #accounts: readonly string[];
  #readTo: bigint | undefined;
  /** The newest logical time that the stream has told. */
  #heard = 0n;

  constructor(access: Access, request: StreamRequest) {
    this.#access = access;
    this.#request = request;
    this.#accounts = (request.addresses ?? []).map((text) => canonicalAddress(text) ?? text);
  }

  /** Everything up to here is known of every account, also of one of which nothing is ever heard. */
  get sinceLt(): bigint {
    return this.#readTo ?? 0n;
  }

  /** Notes where the chain is. */
  async begin(signal: AbortSignal): Promise<void> {
    const { last } = await this.#access.v3.masterchainInfo({}, { signal });
    this.#readTo ??= last?.end_lt ?? 0n;
  }

  /** Whether an event is new; it counts as told from then on. */
  isNews(event: StreamEvent): boolean {
    if (!('finality' in event) || event.finality !== 'finalized') {
      return true;
    }
    const keys = keysOf(event);
    const isNew = keys.length === 0 || keys.some((key) => !this.#told.has(key));
    keys.forEach((key) => keepNewest(this.#told, key, true, mostRemembered));
    this.#heard = newestOf(ltsOf(event), this.#heard);
    return isNew;
  }

  /** A stream has ended that brought everything: what it told needs no reading. */
  lost(): void {
    this.#advance(this.#heard - lateness);
  }

  /**
   * The final events that were not told yet; they count as told from then on.
   * @throws WorkbenchError the network's errors
   */
  async read(signal: AbortSignal): Promise<{ events: StreamEvent[]; isCut: boolean }> {
    if (this.#readTo === undefined) {
      await this.begin(signal);
    }
    const { types } = this.#request;
    const reading: Reading = { signal, newest: 0n, isCut: false, cutAt: undefined };
    const events: StreamEvent[] = [];
    if (types.some((type) => type === 'transactions' || type === 'account_state_change')) {
      events.push(...(await this.#eventsOf(await this.#transactions(reading), signal)));
    }
    if (types.includes('actions')) {
      events.push(...(await this.#actions(reading)));
    }
    if (types.includes('jettons_change')) {
      events.push(...(await this.#jettons(reading)));
    }
    if (types.includes('trace')) {
      events.push(...(await this.#traces(signal)));
    }
    const news = events.filter((event) => this.isNews(event));
    this.#advance(reading.cutAt ?? reading.newest - lateness);
    return { events: news, isCut: reading.isCut };
  }

  async #transactions(reading: Reading): Promise<V3Transaction[]> {
    const { signal } = reading;
    const transactions: V3Transaction[] = [];
    for (const account of this.#groups()) {
      const found = await this.#pages(
        reading,
        async (page) => {
          const query = { account, start_lt: this.sinceLt + 1n, sort: 'asc', ...page } as const;
          return (await this.#access.v3.transactions(query, { signal })).transactions;
        },
        ({ lt }) => lt,
      );
      transactions.push(...found.filter(({ emulated, lt }) => emulated !== true && lt != null));
    }
    return transactions;
  }

  async #actions(reading: Reading): Promise<StreamEvent[]> {
    const { signal } = reading;
    const events: StreamEvent[] = [];
    const wanted = this.#request.actionTypes;
    for (const account of this.#accounts) {
      const found = await this.#pages(
        reading,
        async (page) => {
          const query = { account, start_lt: this.sinceLt + 1n, sort: 'asc', ...page } as const;
          return (await this.#access.v3.actions(query, { signal })).actions;
        },
        (action) => action.trace_end_lt,
      );
      for (const action of found) {
        if (wanted === undefined || wanted.length === 0 || wanted.includes(action.type ?? '')) {
          const norm = action.trace_external_hash_norm ?? action.trace_external_hash ?? action.trace_id ?? '';
          events.push({
            ...{ type: 'actions', finality: 'finalized', trace_external_hash_norm: norm },
            actions: [action],
          });
        }
      }
    }
    return events;
  }

  async #jettons(reading: Reading): Promise<StreamEvent[]> {
    const { signal } = reading;
    const events: StreamEvent[] = [];
    for (const filter of ['owner_address', 'address'] as const) {
      for (const accounts of this.#groups()) {
        const found = await this.#pages(
          reading,
          async (page) =>
            (await this.#access.v3.jettonWallets({ [filter]: accounts, ...page }, { signal })).jetton_wallets,
        );
        for (const jetton of found) {
          if ((jetton.last_transaction_lt ?? 0n) > this.sinceLt) {
            events.push({ type: 'jettons_change', finality: 'finalized', jetton } as StreamEvent);
          }
        }
      }
    }
    return events;
  }

  async #traces(signal: AbortSignal): Promise<StreamEvent[]> {
    const hashes = [...(this.#request.traces ?? [])];
    const answer = await this.#access.v3.traces({ msg_hash: hashes, limit: hashes.length }, { signal });
    return (answer.traces ?? []).map((one) => {
      const root = one.transactions?.[one.trace_id ?? ''];
      const norm = root?.in_msg?.hash_norm ?? one.external_hash ?? '';
      const { trace, transactions, actions } = one;
      return {
        ...{ type: 'trace', finality: 'finalized', trace_external_hash_norm: norm },
        ...{ trace, transactions, actions },
      };
    });
  }

  /**
   * The normalized hashes of the messages that began traces, by which a stream names them: those of their first
   * transactions, whose hashes are the traces' ids. What cannot be read is left out.
   */
  async #normalizedHashes(
    traces: ReadonlyMap<string, readonly V3Transaction[]>,
    signal: AbortSignal,
  ): Promise<Map<string, string>> {
    const here = [...traces].flatMap(([id, all]) => all.filter(({ hash }) => hash === id));
    const known = new Map(rootHashes(here));
    const left = [...traces].flatMap(([id, all]) =>
      known.has(id) || id === '' || all.every(({ hash }) => this.#told.has(`transaction ${hash}`))
        ? []
        : [id],
    );
    for (let from = 0; from < left.length; from += accountsPerRequest) {
      const hash = left.slice(from, from + accountsPerRequest);
      const answer = await this.#access.v3
        .transactions({ hash, limit: hash.length }, { signal })
        .catch(() => undefined);
      rootHashes(answer?.transactions ?? []).forEach(([id, norm]) => known.set(id, norm));
    }
    return known;
  }

  /** The accounts, as many as fit in a request. */
  *#groups(): Generator<string[], void> {
    for (let from = 0; from < this.#accounts.length; from += accountsPerRequest) {
      yield this.#accounts.slice(from, from + accountsPerRequest);
    }
  }

  /** @param ltOf if the rows are in the order of this logical time, the oldest first */
  async #pages<Row>(
    reading: Reading,
    ask: (page: { limit: number; offset: number }) => Promise<readonly Row[] | null | undefined>,
    ltOf?: (row: Row) => bigint | null | undefined,
  ): Promise<Row[]> {
    const rows: Row[] = [];
    let isWhole = false;
    for (let page = 0; page < mostPages && !isWhole; page += 1) {
      const found = (await ask({ limit: pageSize, offset: page * pageSize })) ?? [];
      rows.push(...found);
      isWhole = found.length < pageSize;
    }
    const newest = ltOf === undefined ? 0n : newestOf(rows.map(ltOf), 0n);
    reading.newest = newestOf([newest], reading.newest);
    if (!isWhole) {
      reading.isCut = true;
      // Others of the same logical time may follow.
      if (ltOf !== undefined && (reading.cutAt === undefined || newest <= reading.cutAt)) {
        reading.cutAt = newest - 1n;
      }
    }
    return rows;
  }

  #advance(lt: bigint): void {
    if (this.#readTo !== undefined && lt > this.#readTo) {
      this.#readTo = lt;
    }
  }

  /** Transactions, oldest first, as a stream tells them. */
  async #eventsOf(found: readonly V3Transaction[], signal: AbortSignal): Promise<StreamEvent[]> {
    const { types } = this.#request;
    const traces = groupBy(found, ({ trace_id, hash }) => trace_id ?? hash ?? '');
    const norms = types.includes('transactions') ? await this.#normalizedHashes(traces, signal) : undefined;
    return [...traces].flatMap(([id, transactions]) => {
      const norm = norms?.get(id) ?? transactions[0]?.trace_external_hash ?? id;
      const head = { type: 'transactions', finality: 'finalized', trace_external_hash_norm: norm };
      const untold = transactions.filter(({ hash }) => !this.#told.has(`transaction ${hash}`)).toReversed();
      const states = transactions.map(({ account, account_state_after: state }) => ({
        ...{ type: 'account_state_change', finality: 'finalized' },
        ...{ account, state },
      }));
      return [
        ...(types.includes('transactions') && untold.length > 0 ? [{ ...head, transactions: untold }] : []),
        ...(types.includes('account_state_change') ? states : []),
      ] as StreamEvent[];
    });
  }
}

/** The hashes that were read of the messages that began traces, by the traces' ids. */
function rootHashes(transactions: readonly V3Transaction[]): [string, string][] {
  return transactions.flatMap(({ hash, in_msg: message }): [string, string][] => {
    const norm = message?.hash_norm ?? message?.hash;
    return hash == null || norm == null ? [] : [[hash, norm]];
  });
}

function newestOf(lts: readonly (bigint | null | undefined)[], least: bigint): bigint {
  return lts.reduce<bigint>((newest, lt) => (lt != null && lt > newest ? lt : newest), least);
}

/** Logical times that a final event tells. */
function ltsOf(event: StreamEvent): (bigint | null | undefined)[] {
  switch (event.type) {
    case 'transactions':
      return (event.transactions ?? []).map(({ lt }) => lt);
    case 'actions':
      return (event.actions ?? []).map(({ trace_end_lt }) => trace_end_lt);
    case 'jettons_change':
      return [event.jetton?.last_transaction_lt];
    case 'trace':
    case 'account_state_change':
    case 'trace_invalidated':
      return [];
  }
}

/** What makes a final event the same as another. */
function keysOf(event: StreamEvent): string[] {
  switch (event.type) {
    case 'transactions':
      return (event.transactions ?? []).map(({ hash }) => `transaction ${hash}`);
    case 'actions':
      return (event.actions ?? []).map(({ action_id }) => `action ${action_id}`);
    case 'trace':
      return Object.keys(event.transactions ?? {}).map((hash) => `trace ${hash}`);
    case 'account_state_change':
      return [`state ${event.account} ${event.state?.hash}`];
    case 'jettons_change':
      return [`jetton ${event.jetton?.address} ${event.jetton?.last_transaction_lt}`];
    case 'trace_invalidated':
      return [];
  }
}
