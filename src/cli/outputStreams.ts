import { fstatSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { surroundings } from './surroundings';

/** Milliseconds after a signal in which readers can take what has been written. */
const graceMs = 500;

/** Errors that a stream reports when its reader has gone. */
const readerLeft = new Set(['EPIPE', 'ECONNRESET', 'ERR_STREAM_DESTROYED', 'EIO']);

/** Standard output, if it is a socket. */
let socketOutput: Socket | undefined;

/**
 * Prepares the stdout and stderr of this process, before anything is written. A reader that closes early (`| head`) is not an error:
 * later output is dropped.
 */
export function openOutput(): void {
  if (statOf(1)?.isSocket() === true) {
    // Node's own stream only writes. Two handles on one descriptor lose each other's events, so this one does both.
    const socket = new Socket({ fd: 1, readable: true, writable: true, allowHalfOpen: true });
    socket.unref();
    socketOutput = socket;
    Object.defineProperty(process, 'stdout', { value: socket, configurable: true, enumerable: true });
  }
  for (const stream of [process.stdout, process.stderr]) {
    // What is lost of the output is told at the end; stderr has notes.
    stream.on('error', () => undefined);
    if (stream.isTTY) {
      neverBlock(stream);
    }
  }
}

/**
 * Watches the output of a command.
 * @returns its first error, if any: with a reader, such as a file on a full disk, something of the output is missing
 */
export function watchOutput(): () => NodeJS.ErrnoException | undefined {
  let failure: NodeJS.ErrnoException | undefined;
  surroundings().output.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= readerLeft.has(error.code ?? '') ? undefined : error;
  });
  return () => failure;
}

/** Calls back when the reader of stdout has gone. A pipe notices only at the next write, a socket at once. */
export function onReaderGone(callback: () => void): void {
  const { output } = surroundings();
  output.on('error', callback);
  if (output === socketOutput && tellsItsEnd()) {
    socketOutput.on('end', callback).resume();
  }
}

/**
 * Resolves once everything written so far has left the command, or `graceMs` after `stop`, so that a paused
 * reader cannot keep the command from ending.
 * @returns whether everything was written
 */
export async function flushOutput(stop?: AbortSignal): Promise<boolean> {
  const { output, errors } = surroundings();
  const written = Promise.all([output, errors].map(drained))
    // The error of a write into a file comes after the write itself.
    .then(() => new Promise((resolve) => setImmediate(resolve)))
    .then(() => true);
  return stop === undefined ? written : Promise.race([written, passed(stop).then(() => false)]);
}

/** Resolves when the reader of stdout is ready for more or has gone, or when `stop` fires. */
export async function whenRead(stop: AbortSignal): Promise<void> {
  const { output: stdout } = surroundings();
  if (!stdout.writableNeedDrain || stop.aborted) {
    return;
  }
  await new Promise<void>((resolve) => {
    const done = (): void => {
      for (const name of ['drain', 'error', 'close']) {
        stdout.off(name, done);
      }
      stop.removeEventListener('abort', done);
      resolve();
    };
    for (const name of ['drain', 'error', 'close']) {
      stdout.on(name, done);
    }
    stop.addEventListener('abort', done);
  });
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (stream.destroyed || stream.writableLength === 0) {
      resolve();
      return;
    }
    stream.once('error', () => resolve());
    stream.write('', () => resolve());
  });
}

async function passed(stop: AbortSignal): Promise<void> {
  if (!stop.aborted) {
    await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  }
  await new Promise((resolve) => setTimeout(resolve, graceMs));
}

/**
 * Whether end of input on the socket at descriptor 1 means that its reader has gone. It does not if no input
 * was possible in the first place (a service manager's journal), or if the socket is also standard input
 * (ssh), whose end means something else.
 */
function tellsItsEnd(): boolean {
  if (statOf(0)?.ino === statOf(1)?.ino) {
    return false;
  }
  try {
    return readSync(1, Buffer.alloc(1)) !== 0;
  } catch {
    // Open, but there is nothing to read.
    return true;
  }
}

function statOf(descriptor: number): Stats | undefined {
  try {
    return fstatSync(descriptor);
  } catch {
    return undefined;
  }
}

/**
 * Node's writes to a terminal block, so a paused one (Ctrl+S) would block the whole process, including its
 * signals.
 */
function neverBlock(stream: NodeJS.WriteStream): void {
  const { _handle: handle } = stream as { _handle?: { setBlocking?(blocking: boolean): number } };
  if (process.platform !== 'win32') {
    handle?.setBlocking?.(false);
  }
}
