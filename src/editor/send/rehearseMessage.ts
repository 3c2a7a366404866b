import type * as vscode from 'vscode';
import type { Access } from '../../toolkit/access/createAccess';
import type { WorkerEmulator } from '../../toolkit/emulator/workerEmulator';
import { WorkbenchError, toWorkbenchError } from '../../toolkit/errors';
import type { PreparedSend } from '../../toolkit/send/preparedSend';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';

/** Milliseconds after which the user is asked without a rehearsal. */
const patienceMs = 30_000;

/** The emulator of this window: started with the first rehearsal, ended with the window. */
export class RehearsalEmulator implements vscode.Disposable {
  #made: Promise<WorkerEmulator> | undefined;

  get(): Promise<WorkerEmulator> {
    this.#made ??= import('../../toolkit/emulator/workerEmulator').then(({ createWorkerEmulator }) =>
      createWorkerEmulator(),
    );
    return this.#made;
  }

  /** Ends the thread; the next rehearsal starts a new one. */
  dispose(): void {
    const made = this.#made;
    this.#made = undefined;
    made?.then((emulator) => emulator.close()).catch(() => undefined);
  }
}

/**
 * Runs the message on the present states; nothing leaves but questions. A rehearsal that cannot be made is a result.
 *
 * @throws WorkbenchError `aborted` when the user cancels
 */
export async function rehearseMessage(
  emulators: RehearsalEmulator,
  access: Access,
  message: SendableMessage,
  signal: AbortSignal,
): Promise<PreparedSend | WorkbenchError> {
  const limit = AbortSignal.timeout(patienceMs);
  const expired = new Promise<never>((_, reject) => {
    limit.addEventListener('abort', () => reject(rehearsalSlowError()), { once: true });
  });
  const rehearsed = (async () => {
    const { prepareSend } = await import('../../toolkit/workflows/prepareSend');
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
    return limit.aborted ? rehearsalSlowError() : toWorkbenchError(error);
  }
}

function rehearsalSlowError(): WorkbenchError {
  return new WorkbenchError({
    code: 'rehearsal-too-slow',
    kind: 'network',
    message: `it took longer than ${patienceMs / 1000} s`,
  });
}
