import type { Access } from '../access/createAccess';
import { createAccountSource } from '../accounts/createAccountSource';
import { wasDeleted } from '../accounts/wasDeleted';
import { defaultNetworkConfig } from '../execution/emulator/networkConfig';
import { WorkbenchError, toWorkbenchError } from '../base/errors';
import type { Clock } from '../base/time';
import { networkClock } from '../localnet/networkClock';
import { askMetadata, rehearse } from '../send/rehearse';
import type { SendableMessage } from '../send/sendableMessage';
import type { PreparedSend, Rehearsal } from '../send/preparedSend';
import { deletedReason, estimateFees } from '../send/preparedSend';
import type { RehearsalEmulator } from '../send/rehearse';

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

/** Rehearses the message on the network's current states and fetches the service's own estimate. Sends nothing. */
export async function prepareSend<Message extends SendableMessage>(parameters: {
  access: Access;
  message: Message;
  emulator: RehearsalEmulator;
  /** Default: the network's own. */
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
}): Promise<PreparedSend<Message>> {
  const { access, message, emulator, signal } = parameters;
  const [source, clock] = await Promise.all([
    createAccountSource({ access, signal }),
    parameters.clock ?? networkClock(access.network, signal),
  ]);
  const [rehearsal, serviceFees] = await Promise.all([
    rehearse({ message, source, emulator, fallbackConfig: defaultNetworkConfig(), clock, signal }),
    message.kind === 'external' ? estimateFees(access, message, signal) : undefined,
  ]);
  const refined = await withDeletion(access, message, rehearsal, signal);
  const trace = refined.trace && (await askMetadata(access, refined.trace, signal));
  return { message, rehearsal: { ...refined, trace }, serviceFees };
}

/** The last transaction distinguishes a deleted account from one that never existed. */
async function withDeletion(
  access: Access,
  { destination }: SendableMessage,
  rehearsal: Rehearsal,
  signal: AbortSignal | undefined,
): Promise<Rehearsal> {
  const isDeleted =
    rehearsal.reason?.code === 'no-account' &&
    (await wasDeleted(access, destination.toRawString(), { signal, priority: 'user' }));
  return isDeleted ? { ...rehearsal, reason: deletedReason } : rehearsal;
}
