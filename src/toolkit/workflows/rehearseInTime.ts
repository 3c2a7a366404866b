import type { Access } from '../access/createAccess';
import { WorkbenchError, toWorkbenchError } from '../errors';
import type { PreparedSend } from '../send/preparedSend';
import type { RehearsalEmulator } from '../send/rehearse';
import type { SendableMessage } from '../send/sendableMessage';
import { prepareSend } from './prepareSend';

/** Starts an emulator when it is first needed. */
export interface EmulatorHolder {
  get(): Promise<RehearsalEmulator>;
  /** Ends the emulator; the next `get` starts a new one. */
  dispose(): void;
}

/** What is rehearsed where, and how long that may take. */
export interface RehearseInTimeParameters {
  access: Access;
  message: SendableMessage;
  emulators: EmulatorHolder;
  /** Milliseconds after which there is no rehearsal; without it, as long as it takes. */
  patienceMs?: number | undefined;
  signal: AbortSignal;
}

/**
 * Runs the message on the present states; nothing leaves but questions. A rehearsal that cannot be made is a result.
 *
 * @throws WorkbenchError `aborted` when the signal fires
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
