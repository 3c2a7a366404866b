import { WorkbenchError } from '../../base/errors';
import type { ProcessState } from '../../base/journal/processMark';
import type { JournalPosition } from '../../base/journal/frames';
import { limits } from '../../base/limits';
import type { Log } from '../../base/log';

/** The position of an entry. */
export interface EntryPosition extends JournalPosition {
  segment: number;
}

/** The callbacks for an entry. Plain calls: a promise each would cost more than the entry. */
export interface JournalWaiter {
  /** The entry is in the file, though not yet synced. */
  written(position: EntryPosition): void;
  /** It is not: `journal-write-failed`, `journal-full`, `journal-closed`, `folder-lock-lost`, `journal-deleted`. */
  failed(error: Error): void;
}

interface Waiting {
  payload: Buffer;
  waiter: JournalWaiter;
}

/** In bytes. */
const maximumBatchLength = 4 * 1024 * 1024;

/** In bytes. Beyond this the disk is too slow: further entries are rejected at once. */
const maximumQueueLength = limits.webhookQueue.most;

/** Entries waiting to be written. */
export class JournalQueue {
  readonly #log: Log;
  #waiting: Waiting[] = [];
  #length = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(payload: Buffer, waiter: JournalWaiter): void {
    if (this.#length + payload.length > maximumQueueLength) {
      waiter.failed(journalFullError());
      return;
    }
    this.#waiting.push({ payload, waiter });
    this.#length += payload.length;
  }

  /** Takes the entries for the next write. */
  take(): JournalBatch {
    const taken = this.#waiting;
    let length = 0;
    let count = 0;
    for (const { payload } of taken) {
      if (count > 0 && length + payload.length > maximumBatchLength) {
        break;
      }
      length += payload.length;
      count += 1;
    }
    this.#length -= length;
    this.#waiting = taken.splice(count);
    return new JournalBatch(taken, this.#log);
  }

  /** Rejects everything that waits. */
  fail(error: Error): void {
    const refused = this.#waiting;
    this.#waiting = [];
    this.#length = 0;
    new JournalBatch(refused, this.#log).failed(error);
  }
}

/** Entries that are written together. */
export class JournalBatch {
  readonly #waiting: readonly Waiting[];
  readonly #log: Log;

  constructor(waiting: readonly Waiting[], log: Log) {
    this.#waiting = waiting;
    this.#log = log;
  }

  get payloads(): Buffer[] {
    return this.#waiting.map(({ payload }) => payload);
  }

  /** Tells those who wait. */
  written(segment: number, positions: readonly JournalPosition[]): void {
    this.#waiting.forEach(({ waiter }, index) => {
      const { offset, length } = positions[index] as JournalPosition;
      this.#tell(() => waiter.written({ segment, offset, length }));
    });
  }

  failed(error: Error): void {
    this.#waiting.forEach(({ waiter }) => this.#tell(() => waiter.failed(error)));
  }

  /** A waiter's error must not affect the journal or the next waiter. */
  #tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#log.error('A delivery could not be processed after it was stored', error);
    }
  }
}

/** A line could not be written: the disk is full, gone or read-only. */
export function journalWriteError(cause: unknown): WorkbenchError {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code;
  const full = code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
  return new WorkbenchError({
    code: 'journal-write-failed',
    kind: 'failed',
    message: full
      ? `The webhook journal has no space left (${code}).`
      : `The webhook journal cannot be written${code === undefined ? '' : ` (${code})`}.`,
    hint: 'Until it can be written again, deliveries are answered with 503 so that the service retries them.',
    cause,
  });
}

/** The queue of unwritten entries is full. */
function journalFullError(): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-full',
    kind: 'failed',
    message: 'Too many deliveries are waiting to be written to the journal.',
    hint: 'The disk is too slow for this load; the service will retry what was refused.',
  });
}

/** The journal was closed. */
export function journalClosedError(): WorkbenchError {
  return new WorkbenchError({ code: 'journal-closed', kind: 'failed', message: 'The journal is closed.' });
}

/** Another process writes to the same directory. */
export function journalInUseError(
  directory: string,
  { pid }: { pid: number },
  state: ProcessState,
): WorkbenchError {
  const isStopped = state === 'stopped';
  return new WorkbenchError({
    code: 'journal-in-use',
    kind: 'input',
    message: `The journal in ${directory} is in use by process ${pid}${isStopped ? ', which is stopped' : ''}.`,
    hint: isStopped
      ? 'Resume that process (fg) or end it, or use another directory here.'
      : 'Stop that process, or use another directory here.',
    details: { directory, pid },
  });
}

/** The directory cannot be created or read. */
export function journalUnusableError(directory: string, cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'journal-unusable',
    kind: 'input',
    message: `The journal directory ${directory} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}.`,
    hint: 'Use a directory that you can write to.',
    details: { directory },
    cause,
  });
}
