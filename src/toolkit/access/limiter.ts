import { WorkbenchError, abortedError } from '../base/errors';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';

/** Who is waiting: a person, work on a person's behalf, or polling. */
export type Priority = 'user' | 'normal' | 'background';

/** A place in the queue. Its priority may rise while it waits, if a more urgent caller joins the same request. */
export interface Ticket {
  priority: Priority;
}

/** Enforces the rate limit of each origin. One limiter is shared by the whole window. */
export interface Limiter {
  /**
   * Waits until one request may go to `origin`; undefined if it may go at once. Without a rate (undefined or 0), only
   * a pause requested by the service applies. Rejects with the signal's reason. The rate is per second; the latest
   * value applies to the origin.
   */
  acquire(
    origin: string,
    requestsPerSecond: number | undefined,
    ticket: Ticket,
    signal: AbortSignal,
  ): Promise<void> | undefined;
  /** Blocks `origin` for `ms`: the service asked for it. */
  holdOff(origin: string, ms: number): void;
  /** Remaining time for which `origin` is blocked, in milliseconds. */
  heldFor(origin: string): number;
}

interface Waiter {
  ticket: Ticket;
  enter(): void;
}

interface Bucket {
  /** Per second; undefined means no limit. */
  rate: number | undefined;
  tokens: number;
  /** Monotonic milliseconds of the last refill. */
  refilledAt: number;
  heldUntil: number;
  waiters: Waiter[];
  granted: number;
  isTicking: boolean;
}

/** At this interval of grants the longest waiting one goes first, so that polling is slowed but never starved. */
const grantsPerTurnOfOldest = 5;
const order: readonly Priority[] = ['user', 'normal', 'background'];

/** A token bucket per origin: a burst of at most one second's worth, then the steady rate; the most urgent goes first. */
export function createLimiter(clock: Clock = systemClock): Limiter {
  const buckets = new Map<string, Bucket>();

  const bucketOf = (origin: string): Bucket => {
    let bucket = buckets.get(origin);
    if (bucket === undefined) {
      bucket = {
        rate: undefined,
        tokens: 0,
        refilledAt: clock.monotonic(),
        heldUntil: 0,
        waiters: [],
        granted: 0,
        isTicking: false,
      };
      buckets.set(origin, bucket);
    }
    return bucket;
  };

  /** Milliseconds until the next request may go; 0 if it may go now. */
  const waitOf = (bucket: Bucket): number => {
    const now = clock.monotonic();
    const held = Math.max(0, bucket.heldUntil - now);
    if (bucket.rate === undefined) {
      return held;
    }
    const earned = ((now - bucket.refilledAt) / 1000) * bucket.rate;
    bucket.tokens = Math.min(burstOf(bucket.rate), bucket.tokens + earned);
    bucket.refilledAt = now;
    const missing = bucket.tokens >= 1 ? 0 : ((1 - bucket.tokens) / bucket.rate) * 1000;
    return Math.max(held, missing);
  };

  /** A new limit starts with a full burst; a changed one keeps the remainder. */
  const setRate = (bucket: Bucket, rate: number | undefined): void => {
    if (rate === bucket.rate) {
      return;
    }
    if (rate !== undefined) {
      waitOf(bucket);
      bucket.tokens = Math.min(bucket.rate === undefined ? Infinity : bucket.tokens, burstOf(rate));
      bucket.refilledAt = clock.monotonic();
    }
    bucket.rate = rate;
  };

  const grant = (bucket: Bucket): void => {
    bucket.tokens -= 1;
    bucket.granted += 1;
  };

  /** Lets one bucket's waiters through, one after the other, until none is left. */
  const tick = async (bucket: Bucket): Promise<void> => {
    bucket.isTicking = true;
    while (bucket.waiters.length > 0) {
      const wait = waitOf(bucket);
      if (wait > 0) {
        await clock.sleep(Math.ceil(wait));
        continue;
      }
      const waiter = takeNext(bucket);
      grant(bucket);
      waiter.enter();
    }
    bucket.isTicking = false;
  };

  return {
    acquire: (origin, requestsPerSecond, ticket, signal) => {
      const bucket = bucketOf(origin);
      setRate(
        bucket,
        requestsPerSecond !== undefined && requestsPerSecond > 0 ? requestsPerSecond : undefined,
      );
      if (signal.aborted) {
        return Promise.reject(abortReason(signal));
      }
      if (bucket.waiters.length === 0 && waitOf(bucket) === 0) {
        grant(bucket);
        return undefined;
      }
      return new Promise((resolve, reject) => {
        const leave = (): void => {
          bucket.waiters.splice(bucket.waiters.indexOf(waiter), 1);
          reject(abortReason(signal));
        };
        const waiter: Waiter = {
          ticket,
          enter: () => {
            signal.removeEventListener('abort', leave);
            resolve();
          },
        };
        signal.addEventListener('abort', leave, { once: true });
        bucket.waiters.push(waiter);
        if (!bucket.isTicking) {
          void tick(bucket);
        }
      });
    },
    holdOff: (origin, ms) => {
      const bucket = bucketOf(origin);
      bucket.heldUntil = Math.max(bucket.heldUntil, clock.monotonic() + ms);
    },
    heldFor: (origin) => Math.max(0, (buckets.get(origin)?.heldUntil ?? 0) - clock.monotonic()),
  };
}

/** A burst of one second's worth, at least one request. */
function burstOf(rate: number): number {
  return Math.max(1, rate);
}

function takeNext(bucket: Bucket): Waiter {
  const isTurnOfOldest = bucket.granted % grantsPerTurnOfOldest === grantsPerTurnOfOldest - 1;
  let chosen = 0;
  if (!isTurnOfOldest) {
    bucket.waiters.forEach((waiter, index) => {
      const best = bucket.waiters[chosen] as Waiter;
      if (order.indexOf(waiter.ticket.priority) < order.indexOf(best.ticket.priority)) {
        chosen = index;
      }
    });
  }
  return bucket.waiters.splice(chosen, 1)[0] as Waiter;
}

/**
 * Runs `work`, and aborts `controller` with the error from `reason` if that takes longer than `ms`. One controller
 * serves the caller's signal and all deadlines of a call: AbortSignal.any and AbortSignal.timeout would create three
 * signals per request and leave their timers behind.
 */
export async function withDeadline<Result>(
  controller: AbortController,
  ms: number,
  reason: () => WorkbenchError,
  work: () => Promise<Result>,
  clock: Clock = systemClock,
): Promise<Result> {
  const cancel = clock.after(ms, () => controller.abort(reason()));
  try {
    return await work();
  } finally {
    cancel();
  }
}

/** The error of a fired signal: its reason if that is one of ours, else `aborted`. */
export function abortReason(signal: AbortSignal | undefined): WorkbenchError {
  const reason: unknown = signal?.reason;
  return reason instanceof WorkbenchError ? reason : abortedError(reason);
}

interface Shared<Result> {
  result: Promise<Result>;
  ticket: Ticket;
  /** Ends the exchange once no caller is waiting. */
  end(reason: Error): void;
  callers: number;
}

interface Caller {
  priority: Priority;
  signal: AbortSignal | undefined;
}

const rank: Readonly<Record<Priority, number>> = { user: 0, normal: 1, background: 2 };

/**
 * Merges identical requests in flight. Callers can cancel individually: the exchange is aborted only when all have
 * canceled, and runs with the priority of the most urgent one. `run` gets the controller of the exchange.
 */
export function joinRequests<Result extends { json: unknown; text: string }>(): (
  key: string,
  caller: Caller,
  run: (ticket: Ticket, controller: AbortController) => Promise<Result>,
) => Promise<Result> {
  const inFlight = new Map<string, Shared<Result>>();
  return async (key, { priority, signal }, run) => {
    if (signal?.aborted) {
      throw abortReason(signal);
    }
    const running = inFlight.get(key);
    if (running !== undefined) {
      if (rank[priority] < rank[running.ticket.priority]) {
        running.ticket.priority = priority;
      }
      const answer = await waitFor(running, signal);
      // The first caller's value is converted in place; every other caller gets a copy.
      return { ...answer, json: JSON.parse(answer.text) as unknown };
    }
    const ticket: Ticket = { priority };
    const controller = new AbortController();
    const forget = (): void => {
      if (inFlight.get(key) === shared) {
        inFlight.delete(key);
      }
    };
    const result = run(ticket, controller).finally(forget);
    const shared: Shared<Result> = {
      result,
      ticket,
      callers: 0,
      end: (reason) => (forget(), controller.abort(reason)),
    };
    inFlight.set(key, shared);
    return waitFor(shared, signal);
  };

  function waitFor(shared: Shared<Result>, signal: AbortSignal | undefined): Promise<Result> {
    shared.callers++;
    if (signal === undefined) {
      return shared.result;
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        shared.callers--;
        if (shared.callers === 0) {
          shared.end(abortReason(signal));
        }
        reject(abortReason(signal));
      };
      signal.addEventListener('abort', leave, { once: true });
      shared.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }
}

/** Runs for one caller only. */
export async function alone<Result>(
  { priority, signal }: Caller,
  run: (ticket: Ticket, controller: AbortController) => Promise<Result>,
): Promise<Result> {
  if (signal?.aborted) {
    throw abortReason(signal);
  }
  const controller = new AbortController();
  const leave = (): void => controller.abort(abortReason(signal));
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await run({ priority }, controller);
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}
