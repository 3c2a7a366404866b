import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import type { Access } from '../../toolkit/access/createAccess';
import { WorkbenchError } from '../../toolkit/errors';
import type { ExternalMessage } from '../../toolkit/send/externalMessage';
import type { PreparedSend } from '../../toolkit/send/prepareSend';
import { pickedFrom } from '../cells/inspectBocCommand';
import { readPickedBoc } from '../cells/readPickedBoc';
import { accountName } from '../getMethods/knownAccounts';
import type { Services } from '../services';
import { withProgress } from '../ui/withProgress';
import { rehearseMessage } from './rehearseMessage';
import type { RehearsalEmulator } from './rehearseMessage';
import type { SendNames } from './sendWords';
import { showRehearsal } from './showRehearsal';
import { tellOutcome } from './tellOutcome';

/**
 * TON: Send BoC…: from a file, the clipboard or the selection. Rehearses it, shows what it is and what it will do, asks,
 * sends at most once, and holds what happens against the rehearsal.
 */
export async function sendBocCommand(
  services: Services,
  emulators: RehearsalEmulator,
  given: unknown,
): Promise<void> {
  const picked = await pickedFrom(given, 'TON: Send BoC', 'Which message?');
  if (picked === undefined) {
    return;
  }
  const { readExternalMessage } = await import('../../toolkit/send/externalMessage');
  const message = readExternalMessage(await readPickedBoc(picked));
  const access = await withProgress('Connecting', (signal) => services.connections.current(signal));
  const rehearsed = await withProgress('Rehearsing the message', (signal) =>
    rehearseMessage(emulators, access, message, signal),
  );
  if (WorkbenchError.is(rehearsed)) {
    services.log.area('send').warn(`no rehearsal: ${rehearsed.code}: ${rehearsed.message}`);
  }
  if (!(await confirmed(services, access, message, rehearsed))) {
    return;
  }
  const outcome = await withProgress(`Sending to ${access.network.name}`, async (signal) => {
    const { sendOnce } = await import('../../toolkit/send/sendOnce');
    return sendOnce(access, message, { signal, log: services.log.area('send') });
  });
  const prepared = WorkbenchError.is(rehearsed) ? undefined : rehearsed;
  await tellOutcome(services, access, message, outcome, prepared);
}

/** Nothing leaves before the user has seen where it goes and what it will do. */
async function confirmed(
  services: Services,
  access: Access,
  message: ExternalMessage,
  rehearsed: PreparedSend | WorkbenchError,
): Promise<boolean> {
  const [{ sendQuestion }, { readAddressForm, toFriendlyAddress }] = await Promise.all([
    import('./sendWords'),
    import('../../toolkit/access/addressForm'),
  ]);
  const { network } = access;
  const names: SendNames = {
    name: accountName(services),
    coin: readSetting(vscode.workspace, 'tonWorkbench.coinLabel'),
  };
  const testOnly = network.kind === 'testnet';
  const { question, detail, send, expected } = sendQuestion(network, message, rehearsed, names, (raw) =>
    toFriendlyAddress(readAddressForm(raw), { bounceable: true, testOnly }),
  );
  const show = 'Show Rehearsal';
  const prepared = WorkbenchError.is(rehearsed) ? undefined : rehearsed;
  const shown = prepared === undefined ? [] : [show];
  // What would be refused is looked at first.
  const buttons = expected ? [send, ...shown] : [...shown, send];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  if (answer === show && prepared !== undefined) {
    await showRehearsal(services, prepared, network.name, names);
  }
  return answer === send;
}
