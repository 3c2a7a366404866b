import type { V3Transaction } from '../api/v3Objects';
import { keepNewest } from '../base/collections';
import type { WorkbenchError } from '../base/errors';
import { toWorkbenchError } from '../base/errors';
import { canonicalAddress } from '../address/canonicalAddress';
import type { Access } from './createAccess';
import type { StreamRequest, StreamWay } from './openStream';
import type { StreamEvent, StreamSignal } from './watchStream';
import { watchStream } from './watchStream';

/** What following a stream brings. */
export type FollowedEvent =
  /** @param isRecovered it happened while there was no stream, and was read over API v3 */
  | { kind: 'event'; event: StreamEvent; isRecovered: boolean }
  /** From here on events come as they happen. */
  | { kind: 'streaming' }
  /** There is no stream now: the network is asked every few seconds, for what is final. */
  | { kind: 'polling'; error: WorkbenchError; isForGood: boolean }
  /** What happened after this logical time may be missing here: it could not be read, or is too much. */
  | { kind: 'gap'; sinceLt: bigint; error: WorkbenchError | undefined };

export interface FollowEventsOptions {
  signal: AbortSignal;
  way?: StreamWay | undefined;
}

/** Milliseconds between questions without a stream. */
const pollMs = { local: 500, remote: 2_000 };
const pageSize = 1_000;
/** More than these pages are a gap. */
const mostPages = 10;
/** Accounts in one request: no more than gateways take in a URL. */
const accountsPerRequest = 100;
/** Final events remembered, so that none is told twice. */
const mostRemembered = 20_000;

/**
 * Follows what happens to accounts or traces until the signal fires: over the network's stream, and while there is
 * none over API v3. Each final event comes once, or a gap is told.
 * @throws WorkbenchError if the service refuses the subscription
 */
export async function* followEvents(
  access: Access,
  request: StreamRequest,
  { signal, way }: FollowEventsOptions,
): AsyncGenerator<FollowedEvent, void> {
  const clock = access.stream?.clock;
  const recovery = new Recovery(access, request);
  await recover(recovery.begin(signal));
  const signals = watchStream(access, request, { signal, way });
  const interval = pollMs[access.network.kind === 'local' ? 'local' : 'remote'];
  let next: Promise<IteratorResult<StreamSignal, void>> | undefined;
  let isStreaming = false;
  let isPolling = false;
  let isOver = false;
  /** Something may have been missed and is not read yet. */
  let isOwed = false;
  try {
    while (!signal.aborted) {
      next ??= isOver ? new Promise(() => undefined) : signals.next();
      const timer = new AbortController();
      const pause: Promise<undefined> =
        (isStreaming && !isOwed) || clock === undefined
          ? new Promise<undefined>(() => undefined)
          : clock.sleep(interval, AbortSignal.any([signal, timer.signal])).then(() => undefined);
      pause.catch(() => undefined);
      const got: IteratorResult<StreamSignal, void> | undefined = await Promise.race([next, pause]).catch(
        (error: unknown) => {
          if (signal.aborted) {
            return undefined;
          }
          throw error;
        },
      );
      timer.abort();
      if (signal.aborted) {
        return;
      }
      if (got !== undefined) {
        next = undefined;
        if (got.done === true) {
          isOver = true;
          continue;
        }
        const told = got.value;
        if (told.kind === 'event') {
          if (recovery.isNews(told.event)) {
            yield { kind: 'event', event: told.event, isRecovered: false };
          }
          continue;
        }
        isStreaming = told.kind === 'connected';
        isOwed = true;
        if (told.kind === 'connected') {
          isPolling = false;
          yield { kind: 'streaming' };
        } else if (!isPolling) {
          isPolling = true;
          yield { kind: 'polling', error: told.error, isForGood: told.kind === 'absent' };
        }
        if (told.kind === 'lost') {
          continue;
        }
      }
      const read = await recover(recovery.read(signal));
      isOwed = 'error' in read;
      if ('error' in read) {
        if (!signal.aborted && read.error.kind !== 'network' && read.error.code !== 'rate-limited') {
          yield { kind: 'gap', sinceLt: recovery.sinceLt, error: read.error };
          isOwed = false;
        }
        continue;
      }
      for (const event of read.value.events) {
        yield { kind: 'event', event, isRecovered: true };
      }
      if (read.value.isCut) {
        yield { kind: 'gap', sinceLt: recovery.sinceLt, error: undefined };
      }
    }
  } finally {
    await signals.return();
  }
}

async function recover<T>(work: Promise<T>): Promise<{ value: T } | { error: WorkbenchError }> {
  try {
    return { value: await work };
  } catch (error) {
    return { error: toWorkbenchError(error) };
  }
}

/** What was told, and what API v3 has beyond it. */
class Recovery {
  readonly #access: Access;
  readonly #request: StreamRequest;
  /** Keys of final events. */
  readonly #told = new Map<string, true>();
  /** The newest lt told, by account. */
  readonly #newest = new Map<string, bigint>();
  readonly #accounts: readonly string[];
  #begin: bigint | undefined;

  constructor(access: Access, request: StreamRequest) {
    this.#access = access;
    this.#request = request;
    this.#accounts = (request.addresses ?? []).map((text) => canonicalAddress(text) ?? text);
  }

  /** Everything up to here is known of every account. */
  get sinceLt(): bigint {
    const all = this.#accounts.map((account) => this.#newest.get(account) ?? this.#begin ?? 0n);
    return all.reduce((least, lt) => (lt < least ? lt : least), all[0] ?? this.#begin ?? 0n);
  }

  /** Notes where the chain is. */
  async begin(signal: AbortSignal): Promise<void> {
    const { last } = await this.#access.v3.masterchainInfo({}, { signal });
    this.#begin ??= last?.end_lt ?? 0n;
  }

  /** Whether an event is new; it counts as told from then on. */
  isNews(event: StreamEvent): boolean {
    if (!('finality' in event) || event.finality !== 'finalized') {
      return true;
    }
    const keys = keysOf(event);
    const isNew = keys.length === 0 || keys.some((key) => !this.#told.has(key));
    keys.forEach((key) => keepNewest(this.#told, key, true, mostRemembered));
    if (event.type === 'transactions') {
      event.transactions?.forEach((transaction) => this.#note(transaction));
    }
    return isNew;
  }

  async read(signal: AbortSignal): Promise<{ events: StreamEvent[]; isCut: boolean }> {
    if (this.#begin === undefined) {
      await this.begin(signal);
    }
    const { types } = this.#request;
    const events: StreamEvent[] = [];
    let isCut = false;
    if (types.some((type) => type === 'transactions' || type === 'account_state_change')) {
      const found = await this.#transactions(signal);
      ({ isCut } = found);
      events.push(...eventsOf(found.transactions, types));
    }
    if (types.includes('actions')) {
      events.push(...(await this.#actions(signal)));
    }
    if (types.includes('jettons_change')) {
      events.push(...(await this.#jettons(signal)));
    }
    if (types.includes('trace')) {
      events.push(...(await this.#traces(signal)));
    }
    return { events: events.filter((event) => this.isNews(event)), isCut };
  }

  async #transactions(signal: AbortSignal): Promise<{ transactions: V3Transaction[]; isCut: boolean }> {
    const transactions: V3Transaction[] = [];
    let isCut = false;
    for (let from = 0; from < this.#accounts.length; from += accountsPerRequest) {
      const account = this.#accounts.slice(from, from + accountsPerRequest);
      for (let page = 0; ; page += 1) {
        const answer = await this.#access.v3.transactions(
          {
            ...{ account, sort: 'asc', limit: pageSize, offset: page * pageSize },
            start_lt: this.sinceLt + 1n,
          },
          { signal },
        );
        const found = answer.transactions ?? [];
        transactions.push(...found);
        if (found.length < pageSize) {
          break;
        }
        if (page + 1 >= mostPages) {
          isCut = true;
          break;
        }
      }
    }
    return {
      isCut,
      transactions: transactions.filter(
        ({ account, lt, emulated }) =>
          emulated !== true && lt != null && lt > (this.#newest.get(account ?? '') ?? this.#begin ?? 0n),
      ),
    };
  }

  async #actions(signal: AbortSignal): Promise<StreamEvent[]> {
    const events: StreamEvent[] = [];
    const wanted = this.#request.actionTypes;
    for (const account of this.#accounts) {
      const answer = await this.#access.v3.actions(
        { account, start_lt: (this.#begin ?? 0n) + 1n, sort: 'desc', limit: 100 },
        { signal },
      );
      for (const action of answer.actions ?? []) {
        if (wanted === undefined || wanted.length === 0 || wanted.includes(action.type ?? '')) {
          const norm = action.trace_external_hash_norm ?? action.trace_id ?? '';
          events.push({
            ...{ type: 'actions', finality: 'finalized', trace_external_hash_norm: norm },
            actions: [action],
          });
        }
      }
    }
    return events.reverse();
  }

  async #jettons(signal: AbortSignal): Promise<StreamEvent[]> {
    const events: StreamEvent[] = [];
    for (const filter of ['owner_address', 'address'] as const) {
      const answer = await this.#access.v3.jettonWallets(
        { [filter]: this.#accounts.slice(0, accountsPerRequest), limit: pageSize },
        { signal },
      );
      for (const jetton of answer.jetton_wallets ?? []) {
        if ((jetton.last_transaction_lt ?? 0n) > (this.#begin ?? 0n)) {
          events.push({ type: 'jettons_change', finality: 'finalized', jetton } as StreamEvent);
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

  #note({ account, lt }: V3Transaction): void {
    if (account != null && lt != null && lt > (this.#newest.get(account) ?? 0n)) {
      this.#newest.set(account, lt);
    }
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

/** Transactions, oldest first, as a stream tells them. */
function eventsOf(found: readonly V3Transaction[], types: StreamRequest['types']): StreamEvent[] {
  const traces = new Map<string, V3Transaction[]>();
  for (const transaction of found) {
    const key = transaction.trace_id ?? transaction.hash ?? '';
    traces.set(key, [...(traces.get(key) ?? []), transaction]);
  }
  return [...traces].flatMap(([id, transactions]) => {
    const norm = transactions[0]?.trace_external_hash ?? id;
    const head = { type: 'transactions', finality: 'finalized', trace_external_hash_norm: norm };
    const states = transactions.map(({ account, account_state_after: state }) => ({
      ...{ type: 'account_state_change', finality: 'finalized' },
      ...{ account, state },
    }));
    return [
      ...(types.includes('transactions') ? [{ ...head, transactions: transactions.toReversed() }] : []),
      ...(types.includes('account_state_change') ? states : []),
    ] as StreamEvent[];
  });
}
