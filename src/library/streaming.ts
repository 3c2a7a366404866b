import { followEvents } from '../toolkit/access/followEvents';
import type { StreamFinality as Finality, StreamType as Type } from '../toolkit/api/v3Traces';
import type { Access } from './access';
import { toolkitAccess } from './toolkitAccess';

/** What to be told about. */
export type StreamType = 'transactions' | 'actions' | 'trace' | 'account_state_change' | 'jettons_change';

/** How settled it is: expected, in a block, or sure to stay. */
export type StreamFinality = 'pending' | 'confirmed' | 'finalized';

/** What to follow. */
export interface StreamOptions {
  /** Default `transactions`. */
  types?: readonly StreamType[] | undefined;
  /** Accounts, in any form; required for every type but `trace`. */
  addresses?: readonly string[] | undefined;
  /** Normalized hashes of external messages, for `trace`. */
  traces?: readonly string[] | undefined;
  /** The least; default `finalized`. */
  minFinality?: StreamFinality | undefined;
  /** Of actions; default all. */
  actionTypes?: readonly string[] | undefined;
  /** Server-sent events (default) or WebSocket. */
  transport?: 'sse' | 'ws' | undefined;
  /** Ends it. */
  signal: AbortSignal;
}

/** An event of Streaming v2, with the objects of API v3: amounts and logical times are bigints, hashes lowercase hex. */
export interface StreamedEvent {
  readonly type: StreamType | 'trace_invalidated';
  readonly finality?: string;
  /** Of `transactions`, `actions`, `trace`, and `trace_invalidated`: normalized hash of the first message. */
  readonly trace_external_hash_norm?: string;
  /** A list, newest first; for `trace`, by hash. */
  readonly transactions?: unknown;
  readonly actions?: readonly unknown[] | null;
  readonly account?: string;
  readonly state?: unknown;
  readonly jetton?: unknown;
}

/** What following brings, in order. */
export type StreamNews =
  /** `isRecovered`: it happened while there was no stream, and was read over API v3. */
  | { readonly kind: 'event'; readonly event: StreamedEvent; readonly isRecovered: boolean }
  /** Events come as they happen from here on. */
  | { readonly kind: 'streaming' }
  /** There is no stream now: API v3 is asked every few seconds, for what is final. */
  | { readonly kind: 'polling'; readonly error: Error; readonly isForGood: boolean }
  /** What happened after this logical time may be missing. */
  | { readonly kind: 'gap'; readonly sinceLt: bigint; readonly error: Error | undefined };

/**
 * What happens to accounts or traces, until the signal fires: each final event once, or a gap. It connects again after
 * a loss, reads over API v3 what it missed, and asks there while the network does not stream.
 *
 * @throws WorkbenchError `bad-request` (service) if the service refuses the subscription
 * @example
 * ```ts
 * import { createAccess } from 'ton-workbench/access';
 * import { stream } from 'ton-workbench/streaming';
 *
 * const access = createAccess({ network: 'local' });
 * const stop = new AbortController();
 * for await (const news of stream(access, { addresses: ['EQ…'], signal: stop.signal })) {
 *   if (news.kind === 'event') console.log(news.event.type, news.event.finality);
 * }
 * ```
 */
export async function* stream(access: Access, options: StreamOptions): AsyncGenerator<StreamNews, void> {
  const {
    types = ['transactions'],
    addresses,
    traces,
    minFinality,
    actionTypes,
    transport,
    signal,
  } = options;
  const request = {
    types: types satisfies readonly Type[],
    ...{ addresses, traces, actionTypes },
    minFinality: minFinality satisfies Finality | undefined,
  };
  yield* followEvents(toolkitAccess(access), request, { signal, way: transport });
}
