import { constants } from 'node:os';
import { onReaderGone } from './outputStreams';

/** Milliseconds after a stop signal until the command is ended by force. */
const patienceMs = 10_000;

let controller: AbortController | undefined;
let stoppedBy: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;

/**
 * Fires once when a command should stop: on SIGINT, SIGTERM or SIGHUP, or when the reader of its output is gone. A
 * second signal ends the process at once. Only for commands with something to finish or clean up: without it a signal
 * simply ends the process.
 *
 * @param options `isReaderNeeded`: false for a command that does more than print, which goes on after `| head -1`
 */
export function stopSignal({ isReaderNeeded = true } = {}): AbortSignal {
  if (controller !== undefined) {
    return controller.signal;
  }
  const stopping = new AbortController();
  controller = stopping;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (stoppedBy !== undefined) {
        process.exit(stoppedStatus());
      }
      stoppedBy = name;
      setTimeout(() => process.exit(stoppedStatus()), patienceMs).unref();
      stopping.abort();
    });
  }
  if (isReaderNeeded) {
    onReaderGone(() => stopping.abort());
  }
  return stopping.signal;
}

/** The signal of {@link stopSignal}, if the command has asked for it. */
export function stopSignalInUse(): AbortSignal | undefined {
  return controller?.signal;
}

/** 128 plus the signal's number, as in shells. */
export function stoppedStatus(): number {
  return 128 + constants.signals[stoppedBy ?? 'SIGTERM'];
}
