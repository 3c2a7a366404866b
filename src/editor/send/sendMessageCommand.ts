import type { Uri } from 'vscode';
import type { MessageRow, MessageTarget } from '../../commandTargets';
import { WorkbenchError } from '../../toolkit/base/errors';
import type { Message } from '../../toolkit/contracts/layouts/messagesOfContract';
import { pickedFrom } from '../cells/inspectBocCommand';
import { readPickedBoc } from '../cells/readPickedBoc';
import { chooseInstance } from '../project/chooseInstance';
import { withProgress } from '../ui/withProgress';
import type { MessageUse } from './composeCommand';
import { composeNamedMessage, sendUse } from './composeCommand';
import { deliverMessage } from './deliverMessage';
import type { SendServices } from './showRehearsal';

/**
 * "Send AddGuardian…": sends to the contract of the lens or row, or asks for one.
 *
 * @param use what to do with the message instead of sending it
 */
export async function sendMessageCommand(
  services: SendServices,
  given: MessageTarget | MessageRow,
  use: MessageUse = sendUse,
): Promise<void> {
  const target = 'target' in given ? given.target : given;
  const message = await messageOf(services, target);
  const { network } = await withProgress(`Connecting to ${services.networks.current().name}`, (signal) =>
    services.connections.current(signal),
  );
  const { contract, file } = target;
  const chosen =
    target.address ??
    (await chooseInstance(services, {
      title: `TON: ${use.verb} ${target.message}`,
      contract,
      network,
      file,
    }));
  const receiver =
    chosen === 'deploy'
      ? await (await import('./deployNamed')).deployNamed(services, contract, file)
      : chosen;
  if (receiver !== undefined) {
    await composeNamedMessage(services, message, receiver, use);
  }
}

async function messageOf({ project }: SendServices, { contract, message }: MessageTarget): Promise<Message> {
  const [{ messagesOfContract }, { projectLayouts }] = await Promise.all([
    import('../../toolkit/contracts/layouts/messagesOfContract'),
    import('../../toolkit/contracts/layouts/projectLayouts'),
  ]);
  const found = messagesOfContract(await projectLayouts(await project.list()), contract).find(
    ({ layout }) => layout.name === message,
  );
  if (found === undefined) {
    throw new WorkbenchError({
      code: 'message-not-declared',
      kind: 'input',
      message: `${contract} no longer has the message ${message}.`,
      hint: 'Save the source, then press its lens again.',
    });
  }
  return found;
}

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
