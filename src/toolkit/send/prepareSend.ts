import { createAccountSource } from '../accounts/createAccountSource';
import type { Access } from '../access/createAccess';
import { wasDeleted } from '../accounts/wasDeleted';
import { defaultNetworkConfig } from '../emulator/networkConfig';
import type { Clock } from '../time';
import type { TraceSurroundings } from '../trace/buildTrace';
import { askSurroundings } from './askSurroundings';
import { estimateFees } from './estimateFees';
import type { ServiceFees } from './estimateFees';
import { deletedReason } from './refusalReason';
import { networkClock } from './networkClock';
import { rehearse } from './rehearse';
import type { RehearsalEmulator } from './rehearse';
import type { Rehearsal } from './rehearsal';
import type { SendableMessage } from './sendableMessage';

/** What is known before a message is sent. */
export interface PreparedSend<Message extends SendableMessage = SendableMessage> {
  message: Message;
  rehearsal: Rehearsal;
  /** The service's own estimate, where it gives one: of external messages only. */
  serviceFees: ServiceFees | undefined;
  /** What the service knows of the accounts of the foretold trace. */
  surroundings?: TraceSurroundings | undefined;
}

/** Rehearses the message on the network's present states and asks the service for its own estimate. Sends nothing. */
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
  const surroundings = await askSurroundings(access, rehearsal.trace, signal);
  return { message, rehearsal: refined, serviceFees, surroundings };
}

/** An account that does not exist can be told from one that was never there by its last transaction. */
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
