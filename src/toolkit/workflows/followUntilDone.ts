import type { Access } from '../access/createAccess';
import { StreamBell } from '../access/streamBell';
import type { StreamEvent } from '../access/watchStream';
import type { Network } from '../access/network';
import { traceSourceOf } from '../access/traceSourceOf';
import { canonicalHash } from '../address/canonicalAddress';
import { hashToBase64 } from '../address/hash';
import type { WorkbenchError } from '../base/errors';
import { toWorkbenchError } from '../base/errors';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import { followTrace } from '../trace/followTrace';
import type { FollowEvent, FollowTarget } from '../trace/readFollowTarget';
import type { TraceModel } from '../trace/traceModel';

/** What to follow, and where. */
export interface FollowUntilDoneParameters extends FollowTarget {
  access: Access;
  /** Ends following; an account is followed until then. */
  signal: AbortSignal;
  /** Milliseconds after which an unseen hash is given up; default two minutes. */
  patienceMs?: number | undefined;
  clock?: Clock | undefined;
}

/** The events of following, in order. */
export type FollowUntilDoneEvent =
  | { type: 'follow'; event: FollowEvent }
  /** The last event. */
  | {
      type: 'ended';
      /** The trace as last seen; undefined if it has disappeared. */
      last: Extract<FollowEvent, { type: 'trace' }> | undefined;
      /** Pending traces that have disappeared: their messages were dropped, or replaced by others. */
      gone: readonly TraceModel[];
      /** Hashes not seen in time. */
      unseen: readonly string[];
      /** A permanent error; being stopped is not one. */
      error?: WorkbenchError;
    };

/**
 * Follows messages until their traces are complete, or an account until the signal fires, at a rate suited to the
 * network.
 */
export async function* followUntilDone({
  access,
  hashes,
  account,
  ...options
}: FollowUntilDoneParameters): AsyncGenerator<FollowUntilDoneEvent, void, undefined> {
  let last: Extract<FollowEvent, { type: 'trace' }> | undefined;
  const gone: TraceModel[] = [];
  const unseen: string[] = [];
  let error: WorkbenchError | undefined;
  const intervalMs = followInterval(access.network);
  const bell = new FollowBell(access, { hashes, account }, options.clock ?? systemClock);
  try {
    for await (const event of followTrace(traceSourceOf(access), {
      hashes,
      account,
      intervalMs,
      rest: (ms) => bell.rest(ms, options.signal),
      ...options,
    })) {
      last = event.type === 'trace' ? event : last;
      if (event.type === 'gone') {
        gone.push(event.model);
        last = last?.key === event.key ? undefined : last;
      }
      if (event.type === 'unseen') {
        unseen.push(event.hash);
      }
      yield { type: 'follow', event };
    }
  } catch (thrown) {
    error = toWorkbenchError(thrown);
  } finally {
    bell.close();
  }
  yield { type: 'ended', last, gone, unseen, ...(error === undefined ? {} : { error }) };
}

/** Rounds after something has happened: an index may be behind the stream, but a local network's is not. */
const roundsAfter = { local: 0, localInvalidated: 6, remote: 5 };
/** Milliseconds until a message that no event has told of is looked for again: its hash may not be the normalized one. */
const unheardMs = 15_000;

/** When following should look again: when the network's stream says so; without one, after the usual time. */
class FollowBell {
  readonly #bell: StreamBell;
  readonly #isLocal: boolean;
  readonly #isOfAccount: boolean;
  #hasHeard = false;
  /** Rounds to come without a new event, and the factor of their pause. */
  #rounds = 0;
  #factor = 1;

  constructor(access: Access, { hashes = [], account }: FollowTarget, clock: Clock) {
    this.#isLocal = access.network.kind === 'local';
    this.#isOfAccount = account !== undefined && hashes.length === 0;
    this.#bell = new StreamBell({ access, clock, onRing: (event) => this.#heard(event) });
    const traces = hashes.map((hash) => canonicalHash(hash) ?? hash).map(hashToBase64);
    const minFinality = 'pending' as const;
    this.#bell.listen(
      account === undefined
        ? { types: ['trace'], traces, minFinality }
        : {
            types: traces.length === 0 ? ['transactions'] : ['transactions', 'trace'],
            ...{ addresses: [account], minFinality },
            ...(traces.length === 0 ? {} : { traces }),
          },
    );
  }

  #heard(event: StreamEvent | undefined): void {
    this.#factor = 1;
    if (event !== undefined) {
      this.#hasHeard = true;
      const isGone = event.type === 'trace_invalidated';
      this.#rounds = !this.#isLocal
        ? roundsAfter.remote
        : isGone
          ? roundsAfter.localInvalidated
          : roundsAfter.local;
    }
  }

  async rest(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#bell.isLive && this.#rounds > 0) {
      const pause = ms * this.#factor;
      this.#rounds -= 1;
      this.#factor *= this.#isLocal ? 1 : 2;
      await this.#bell.wait(pause, signal, pause);
      return;
    }
    const mostMs = this.#hasHeard || this.#isOfAccount ? undefined : Math.max(ms, unheardMs);
    await this.#bell.wait(ms, signal, mostMs);
  }

  close(): void {
    this.#bell.close();
  }
}

/** Milliseconds between polling rounds: a local network answers at once, the public ones have rate limits. */
const intervals = { local: 200, remote: 2000 };

/** The wait between polling rounds, in milliseconds. */
export function followInterval({ kind }: Pick<Network, 'kind'>): number {
  return kind === 'local' ? intervals.local : intervals.remote;
}
