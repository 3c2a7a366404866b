import { WorkbenchError } from '../errors';

/**
 * `emulator-failed`: the emulator itself failed, so nothing is known about what the network would do.
 * @param reason continues "The emulator could not execute this: "
 * @param cause the original error, for the log
 */
export function emulatorFailedError(reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'emulator-failed',
    kind: 'internal',
    message: `The emulator could not execute this: ${reason}.`,
    hint: 'This is a limitation of the emulator; the public network may execute it.',
    cause,
  });
}
