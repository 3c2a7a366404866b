import { createAccountSource } from '../accounts/createAccountSource';
import type { Access } from '../access/createAccess';
import { defaultNetworkConfig } from '../emulator/networkConfig';
import type { Clock } from '../time';
import { estimateFees } from './estimateFees';
import type { ServiceFees } from './estimateFees';
import type { ExternalMessage } from './externalMessage';
import { rehearse } from './rehearse';
import type { RehearsalEmulator } from './rehearse';
import type { Rehearsal } from './rehearsal';

/** What is known before a message is sent. */
export interface PreparedSend {
  message: ExternalMessage;
  rehearsal: Rehearsal;
  /** The service's own estimate, where it gives one. */
  serviceFees: ServiceFees | undefined;
}

/** Rehearses the message on the network's present states and asks the service for its own estimate. Sends nothing. */
export async function prepareSend(parameters: {
  access: Access;
  message: ExternalMessage;
  emulator: RehearsalEmulator;
  clock?: Clock | undefined;
  signal?: AbortSignal | undefined;
}): Promise<PreparedSend> {
  const { access, message, emulator, clock, signal } = parameters;
  const source = await createAccountSource({ access, signal });
  const [rehearsal, serviceFees] = await Promise.all([
    rehearse({ message, source, emulator, fallbackConfig: defaultNetworkConfig(), clock, signal }),
    estimateFees(access, message, signal),
  ]);
  return { message, rehearsal, serviceFees };
}
