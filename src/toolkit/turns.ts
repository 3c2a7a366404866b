import { systemClock } from './time';

/** Milliseconds of work before other work gets a turn. */
const slice = 8;

/** Turns of the event loop per piece of work while others wait: each accepts one connection, and costs next to nothing. */
const turnsPerPiece = 4;

const waiting: (() => void)[] = [];
let began = systemClock.monotonic();

/**
 * Waits in line with all other work of this thread. Each proceeds in turn, however much it has to do: in between,
 * the event loop takes in new connections (it accepts one per turn) and reads what arrives.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) {
      setImmediate(serve);
    }
  });
}

function serve(): void {
  const next = waiting.shift();
  if (waiting.length > 0) {
    serveAfter(turnsPerPiece);
  }
  began = systemClock.monotonic();
  next?.();
}

function serveAfter(turns: number): void {
  setImmediate(turns === 1 ? serve : () => serveAfter(turns - 1));
}

/** Whether the work at hand should wait for its {@link nextTurn}. */
export function isTurnOver(): boolean {
  return systemClock.monotonic() - began > slice;
}

/** As `items.map(work)`, in turns. */
export async function mapInTurns<T, R>(items: Iterable<T>, work: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    const result = work(item);
    results.push(result instanceof Promise ? await result : result);
    if (isTurnOver()) {
      await nextTurn();
    }
  }
  return results;
}
