import { abortReason } from './deadline';
import type { Priority, Ticket } from './limiter';

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
