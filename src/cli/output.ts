/**
 * The one contract of every command:
 * - with --json, the result is one JSON line on stdout (a stream of results: one line each);
 * - hashes are lower-case hex, addresses raw `workchain:hex` in lower case, amounts strings in nanocoins;
 * - an error is one JSON line `{"code","message"}`, the last on stderr;
 * - the exit status is 0 done, 1 the thing itself failed, 2 bad input, 3 network (no complete answer),
 *   4 service (an answer that is refused or unusable).
 */
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { ErrorKind, WorkbenchError } from '../toolkit/errors';

const exitStatuses: Readonly<Record<ErrorKind, number>> = {
  failed: 1,
  input: 2,
  network: 3,
  service: 4,
  internal: 1,
};

/** The exit status of an error of this kind. */
export function exitStatusOf(kind: ErrorKind): number {
  return exitStatuses[kind];
}

/** One JSON line on stdout. Big integers must have been made strings before. */
export function writeJsonLine(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Text for people on stdout. */
export function writeText(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** A note for people that is not the result: on stderr. */
export function writeNote(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** The JSON line of an error: the message begins with the position in the input and ends with the hint, if there are any. */
export function errorLine(error: WorkbenchError): string {
  const { offset } = error.details;
  const place = typeof offset === 'number' ? `Position ${offset + 1}: ` : '';
  const hint = error.hint === undefined ? '' : ` ${error.hint}`;
  return JSON.stringify({ code: error.code, message: place + error.message + hint });
}

/** The JSON line of an error, on stderr. */
export function writeErrorLine(error: WorkbenchError): void {
  process.stderr.write(`${errorLine(error)}\n`);
}

/** A reader that has seen enough (`| head`) is no failure: what is written after it left is dropped. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') {
        throw error;
      }
    });
  }
}

/** Resolves when everything written so far has left the process. */
export async function flushOutput(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => {
      if (stream.destroyed || stream.writableLength === 0) {
        resolve();
        return;
      }
      stream.once('error', () => resolve());
      stream.write('', () => resolve());
    });
  }
}

/**
 * Fires once when a long-running command should stop: on SIGINT, SIGTERM or SIGHUP, or when whoever read its output has
 * gone. A second signal ends the process at once.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) {
      process.exit(130);
    }
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, stop);
  }
  process.stdout.on('error', () => controller.abort());
  watchReader(() => controller.abort());
  return controller.signal;
}

/**
 * Node hands a child its output as a socket, whose other end tells when it is closed. A plain pipe tells only on the
 * next write, which the error listener above sees.
 */
function watchReader(onClosed: () => void): void {
  if (!fstatSync(1).isSocket()) {
    return;
  }
  const reader = new Socket({ fd: 1, readable: true, writable: false });
  reader.on('end', onClosed).on('error', onClosed).resume();
  reader.unref();
}
