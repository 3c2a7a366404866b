import { onReaderGone } from './outputStreams';
import { perRun, surroundings } from './surroundings';

const stopping = perRun<{ controller?: AbortController }>(() => ({}));

/**
 * Fires once when a command should stop: on SIGINT, SIGTERM or SIGHUP, or when the reader of its output is gone. A
 * second signal ends the process at once. Only for commands with something to finish or clean up: without it a signal
 * simply ends the process.
 *
 * @param options `isReaderNeeded`: false for a command that does more than print, which goes on after `| head -1`
 */
export function stopSignal({ isReaderNeeded = true } = {}): AbortSignal {
  const known = stopping();
  if (known.controller !== undefined) {
    return known.controller.signal;
  }
  const controller = new AbortController();
  known.controller = controller;
  surroundings().onStop(() => controller.abort());
  if (isReaderNeeded) {
    onReaderGone(() => controller.abort());
  }
  return controller.signal;
}

/** The signal of {@link stopSignal}, if the command has asked for it. */
export function stopSignalInUse(): AbortSignal | undefined {
  return stopping().controller?.signal;
}
