import * as vscode from 'vscode';
import { WorkbenchError } from '../../toolkit/errors';
import type { Access } from '../../toolkit/access/createAccess';
import type { ExternalMessage } from '../../toolkit/send/externalMessage';
import type { SendOutcome } from '../../toolkit/send/sendOnce';
import { accountName } from '../getMethods/knownAccounts';
import type { Services } from '../services';
import { shortAddress } from '../ui/shortAddress';
import { withProgress } from '../ui/withProgress';
import { pickedFrom } from '../cells/inspectBocCommand';
import { readPickedBoc } from '../cells/readPickedBoc';

/** TON: Send BoC…: from a file, the clipboard or the selection; shows what it is, asks, sends at most once. */
export async function sendBocCommand(services: Services, given?: unknown): Promise<void> {
  const picked = await pickedFrom(given, 'TON: Send BoC', 'Which message?');
  if (picked === undefined) {
    return;
  }
  const { readExternalMessage } = await import('../../toolkit/send/externalMessage');
  const message = readExternalMessage(await readPickedBoc(picked));
  const access = await withProgress('Connecting', (signal) => services.connections.current(signal));
  if (!(await confirmed(services, access, message))) {
    return;
  }
  const outcome = await withProgress(`Sending to ${access.network.name}`, async (signal) => {
    const { sendOnce } = await import('../../toolkit/send/sendOnce');
    return sendOnce(access, message, { signal, log: services.log.area('send') });
  });
  await tell(access, message, outcome);
}

/** Everywhere but on the local network nothing leaves before the user has seen where it goes. */
async function confirmed(services: Services, access: Access, message: ExternalMessage): Promise<boolean> {
  const { network } = access;
  const to = message.destination;
  const known = accountName(services)(to.toRawString());
  const detail = [
    `To ${known === undefined ? to.toString() : `${known} (${to.toString()})`}`,
    `Hash ${hexOf(message.hash)}`,
    `Normalised hash ${hexOf(message.hashNorm)}`,
    ...(message.init === undefined ? [] : ['It deploys the contract.']),
    ...(network.kind === 'mainnet'
      ? ['', 'The main network handles real coins; what is sent cannot be taken back.']
      : []),
  ].join('\n');
  const question = network.kind === 'mainnet' ? 'Send to the main network?' : `Send to ${network.name}?`;
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, 'Send')) === 'Send';
}

async function tell(access: Access, message: ExternalMessage, outcome: SendOutcome): Promise<void> {
  const hash = hexOf(message.hashNorm);
  const short = shortAddress(hash);
  switch (outcome.state) {
    case 'sent': {
      const how = outcome.resolved ? 'The answer was lost, but the message is on the network' : 'Sent';
      void vscode.commands.executeCommand('tonWorkbench.followTrace', hash);
      void vscode.window
        .showInformationMessage(`${how}: ${short} on ${access.network.name}.`, 'Open Trace')
        .then((action) =>
          action === undefined ? undefined : vscode.commands.executeCommand('tonWorkbench.openTrace', hash),
        );
      return;
    }
    case 'unknown': {
      const action = await vscode.window.showWarningMessage(
        `The answer was lost, and ${access.network.name} has not seen ${short} so far. It was not sent again.`,
        'Follow It',
      );
      if (action !== undefined) {
        await vscode.commands.executeCommand('tonWorkbench.followTrace', hash);
      }
      return;
    }
    case 'refused':
    case 'not-sent':
      throw WorkbenchError.is(outcome.error) ? outcome.error : new Error(String(outcome.error));
  }
}

function hexOf(hash: string | Uint8Array): string {
  return typeof hash === 'string' ? hash : Buffer.from(hash).toString('hex');
}
