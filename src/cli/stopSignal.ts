import { constants } from 'node:os';
import { onReaderGone } from './outputStreams';

/** A command that was told to stop and has not ended so long after is ended. */
const patienceMs = 10_000;

let controller: AbortController | undefined;
let stoppedBy: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | undefined;

/**
 * Fires once when a command should stop: on SIGINT, SIGTERM or SIGHUP, or when whoever read its output has gone. A second
 * signal ends the process at once. Only for commands that have something to finish or to tidy up: without it a signal
 * ends the process by itself, whatever the process is at.
 */
export function stopSignal(): AbortSignal {
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
  onReaderGone(() => stopping.abort());
  return stopping.signal;
}

/** The signal of {@link stopSignal}, where the command has asked for it. */
export function stopSignalInUse(): AbortSignal | undefined {
  return controller?.signal;
}

/** 128 and the number of the signal, as shells count. */
export function stoppedStatus(): number {
  return 128 + constants.signals[stoppedBy ?? 'SIGTERM'];
}
