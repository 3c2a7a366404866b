import type { WorkbenchError } from '../base/errors';
import { isPassing, toWorkbenchError } from '../base/errors';
import type { Access } from './createAccess';
import { EventRecovery } from './eventRecovery';
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
  const recovery = new EventRecovery(access, request);
  await recover(recovery.begin(signal));
  const signals = watchStream(access, request, { signal, way });
  const interval = pollMs[access.network.kind === 'local' ? 'local' : 'remote'];
  let next: Promise<IteratorResult<StreamSignal, void>> | undefined;
  let isStreaming = false;
  let isPolling = false;
  let isOver = false;
  /** Something may have been missed and is not read yet. */
  let isOwed = false;
  /** Why events may be missing since the last stream, if that was told: it is told once. */
  let toldGap: string | undefined;
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
        if (isStreaming) {
          toldGap = undefined;
          if (!isOwed) {
            recovery.lost();
          }
        }
        isStreaming = told.kind === 'connected';
        isOwed = true;
        if (told.kind === 'connected') {
          isPolling = false;
          yield { kind: 'streaming' };
        } else if (!isPolling || told.kind === 'absent') {
          isPolling = true;
          yield { kind: 'polling', error: told.error, isForGood: told.kind === 'absent' };
        }
        if (told.kind === 'lost') {
          continue;
        }
      }
      const read = await recover(recovery.read(signal));
      const error = 'error' in read ? read.error : undefined;
      isOwed = error !== undefined && isPassing(error);
      if (isOwed || signal.aborted) {
        continue;
      }
      for (const event of 'value' in read ? read.value.events : []) {
        yield { kind: 'event', event, isRecovered: true };
      }
      const gap = 'error' in read ? read.error.code : read.value.isCut ? 'cut' : undefined;
      if (gap !== undefined && gap !== toldGap) {
        yield { kind: 'gap', sinceLt: recovery.sinceLt, error };
      }
      toldGap = gap;
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
