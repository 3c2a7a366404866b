import { pickedFrom } from '../cells/inspectBocCommand';
import { readPickedBoc } from '../cells/readPickedBoc';
import type { TraceServices } from '../traces/traceServices';
import { withProgress } from '../ui/withProgress';
import { deliverMessage } from './deliverMessage';
import type { RehearsalEmulator } from './rehearseMessage';

/** TON: Send BoC…: from a file, the clipboard or the selection. */
export async function sendBocCommand(
  services: TraceServices,
  emulators: RehearsalEmulator,
  given: unknown,
): Promise<void> {
  const picked = await pickedFrom(given, 'TON: Send BoC', 'Choose a message');
  if (picked === undefined) {
    return;
  }
  const { readExternalMessage } = await import('../../toolkit/send/externalMessage');
  const message = readExternalMessage(await readPickedBoc(picked));
  const access = await withProgress('Connecting', (signal) => services.connections.current(signal));
  await deliverMessage(services, emulators, access, message);
}
