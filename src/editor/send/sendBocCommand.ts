import type { Uri } from 'vscode';
import { pickedFrom } from '../cells/inspectBocCommand';
import { readPickedBoc } from '../cells/readPickedBoc';
import { withProgress } from '../ui/withProgress';
import { deliverMessage } from './deliverMessage';
import type { SendServices } from './sendServices';

/** TON: Send BoC…: from a file, the clipboard, or the selection. */
export async function sendBocCommand(services: SendServices, given: string | Uri | undefined): Promise<void> {
  const picked = await pickedFrom(given, 'TON: Send BoC', 'Choose a message');
  if (picked === undefined) {
    return;
  }
  const { readExternalMessage } = await import('../../toolkit/send/externalMessage');
  const message = readExternalMessage(await readPickedBoc(picked));
  const access = await withProgress('Connecting', (signal) => services.connections.current(signal));
  await deliverMessage(services, access, message);
}
