import { systemClock } from './time';

/** Milliseconds of work before yielding. */
const slice = 8;

/** Event loop turns per piece of work while others wait: each accepts one connection, and costs almost nothing. */
const turnsPerPiece = 4;

const waiting: (() => void)[] = [];
let began = systemClock.monotonic();

/**
 * Yields to all other work of this thread, round-robin, however long each task is: in between, the event loop accepts
 * new connections (one per turn) and reads incoming data.
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

/** Whether the current work should wait for its {@link nextTurn}. */
export function isTurnOver(): boolean {
  return systemClock.monotonic() - began > slice;
}

/** Like `items.map(work)`, yielding to other work. */
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
