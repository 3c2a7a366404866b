import type { Access } from '../access/createAccess';
import { WorkbenchError, toWorkbenchError } from '../errors';
import type { PreparedSend } from '../send/preparedSend';
import type { RehearsalEmulator } from '../send/rehearse';
import type { SendableMessage } from '../send/sendableMessage';
import { prepareSend } from './prepareSend';

/** Starts an emulator on first use. */
export interface EmulatorHolder {
  get(): Promise<RehearsalEmulator>;
  /** Ends the emulator; the next `get` starts a new one. */
  dispose(): void;
}

/** What to rehearse, where, and the time limit. */
export interface RehearseInTimeParameters {
  access: Access;
  message: SendableMessage;
  emulators: EmulatorHolder;
  /** Milliseconds after which the rehearsal is abandoned; unlimited if omitted. */
  patienceMs?: number | undefined;
  signal: AbortSignal;
}

/**
 * Runs the message on the current states; only sends queries. An impossible rehearsal is a result.
 *
 * @throws WorkbenchError `aborted` if the signal fires
 */
export async function rehearseInTime({
  access,
  message,
  emulators,
  patienceMs,
  signal,
}: RehearseInTimeParameters): Promise<PreparedSend | WorkbenchError> {
  const limit = patienceMs === undefined ? new AbortController().signal : AbortSignal.timeout(patienceMs);
  const expired = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => reject(rehearsalSlowError(patienceMs)), { once: true });
  });
  const rehearsed = (async () => {
    const emulator = await emulators.get();
    return prepareSend({ access, message, emulator, signal: AbortSignal.any([signal, limit]) });
  })();
  try {
    return await Promise.race([rehearsed, expired]);
  } catch (error) {
    if (signal.aborted) {
      throw error;
    }
    if (limit.aborted || WorkbenchError.is(error, 'emulator-failed')) {
      emulators.dispose();
    }
    return limit.aborted ? rehearsalSlowError(patienceMs) : toWorkbenchError(error);
  }
}

function rehearsalSlowError(patienceMs = 0): WorkbenchError {
  return new WorkbenchError({
    code: 'rehearsal-too-slow',
    kind: 'network',
    message: `it took longer than ${patienceMs / 1000} s`,
  });
}
