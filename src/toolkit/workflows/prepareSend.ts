import { createAccountSource } from '../accounts/createAccountSource';
import type { Access } from '../access/createAccess';
import { wasDeleted } from '../accounts/wasDeleted';
import { defaultNetworkConfig } from '../emulator/networkConfig';
import type { Clock } from '../time';
import { askMetadata } from '../send/askMetadata';
import { estimateFees } from '../send/estimateFees';
import { deletedReason } from '../send/refusalReason';
import { networkClock } from './networkClock';
import type { PreparedSend } from '../send/preparedSend';
import { rehearse } from '../send/rehearse';
import type { RehearsalEmulator } from '../send/rehearse';
import type { Rehearsal } from '../send/rehearsal';
import type { SendableMessage } from '../send/sendableMessage';

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
