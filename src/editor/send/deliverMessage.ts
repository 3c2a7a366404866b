import * as vscode from 'vscode';
import type { Access } from '../../toolkit/access/createAccess';
import type { Network } from '../../toolkit/access/network';
import { WorkbenchError } from '../../toolkit/errors';
import type { InternalMessage } from '../../toolkit/send/internalMessage';
import type { PreparedSend } from '../../toolkit/send/preparedSend';
import type { SendableMessage } from '../../toolkit/send/sendableMessage';
import { accountName } from '../accounts/knownAccounts';
import type { TraceServices } from '../traces/traceServices';
import { withProgress } from '../ui/withProgress';
import { askBesideOpenOutcome } from './askBesideOpenOutcome';
import { rehearseMessage } from './rehearseMessage';
import type { RehearsalEmulator } from './rehearseMessage';
import type { SendNames } from './sendWords';
import { OpenOutcomes } from './openOutcomes';
import { showRehearsal } from './showRehearsal';
import { tellOutcome } from './tellOutcome';
import { coinLabel } from '../ui/coinLabel';

/**
 * The one way out: warns where an earlier message may still be executed, rehearses the message, shows what it is and what it will do, asks, sends it at most once, follows it,
 * and holds what happens against the rehearsal.
 */
export async function deliverMessage(
  services: TraceServices,
  emulators: RehearsalEmulator,
  access: Access,
  message: SendableMessage,
): Promise<void> {
  const outcomes = new OpenOutcomes(services.context.workspaceState);
  if (message.kind === 'external' && !(await askBesideOpenOutcome(outcomes, access, message))) {
    return;
  }
  const rehearsed = await withProgress('Rehearsing the message', (signal) =>
    rehearseMessage(emulators, access, message, signal),
  );
  if (WorkbenchError.is(rehearsed)) {
    services.log.area('send').warn(`no rehearsal: ${rehearsed.code}: ${rehearsed.message}`);
  }
  if (!(await confirmed(services, access, message, rehearsed))) {
    return;
  }
  const prepared = WorkbenchError.is(rehearsed) ? undefined : rehearsed;
  if (message.kind === 'internal') {
    await sendInItsName(services, access, message, prepared);
    return;
  }
  const { sendOnce } = await import('../../toolkit/send/sendOnce');
  let sending: ReturnType<typeof sendOnce> | undefined;
  const outcome = await withProgress(`Sending to ${access.network.name}`, (signal) => {
    sending = sendOnce(access, message, { signal, log: services.log.area('send') });
    return sending;
  }).catch((error: unknown) => {
    // Canceling only ends the waiting: the message may have been handed over, and what is known of that is said.
    if (sending === undefined) {
      throw error;
    }
    return sending;
  });
  if (outcome.state === 'unknown') {
    await outcomes.remember(access.network.name, message, outcome.until);
  }
  await tellOutcome(services, access, message, outcome, prepared);
}

/** Only the embedded local network sends what nobody has signed. */
async function sendInItsName(
  services: TraceServices,
  access: Access,
  message: InternalMessage,
  prepared: PreparedSend | undefined,
): Promise<void> {
  const sent = await withProgress(`Sending to ${access.network.name}`, async (signal) => {
    const { control } = await services.localNetwork.ensureRunning(signal);
    const { sendAsContract } = await import('../../toolkit/compose/sendAsContract');
    return sendAsContract(control, message, signal);
  });
  if (sent.trace === undefined) {
    void vscode.window.showInformationMessage('Sent. It waits for the next block of the local network.');
    return;
  }
  await tellOutcome(services, access, { hash: sent.hash }, { state: 'sent', resolved: false }, prepared);
}

/** The main network is called so whatever its entry or its URL says, and so is one that does not tell. */
async function asItIs(access: Access): Promise<Network> {
  const { isMainNetwork } = await import('../../toolkit/access/networkIdentity');
  const isMain = await isMainNetwork(access).catch(() => true);
  return isMain ? { ...access.network, kind: 'mainnet' } : access.network;
}

/** Nothing leaves before the user has seen where it goes and what it will do. */
async function confirmed(
  services: TraceServices,
  access: Access,
  message: SendableMessage,
  rehearsed: PreparedSend | WorkbenchError,
): Promise<boolean> {
  const [{ sendQuestion }, { readAddressForm, toFriendlyAddress }] = await Promise.all([
    import('./sendWords'),
    import('../../toolkit/address/addressForm'),
  ]);
  const network = await asItIs(access);
  const names: SendNames = {
    name: accountName(services),
    coin: coinLabel(),
  };
  const testOnly = network.kind === 'testnet';
  const { question, detail, send, expected } = sendQuestion(network, message, rehearsed, names, (raw) =>
    toFriendlyAddress(readAddressForm(raw), { bounceable: true, testOnly }),
  );
  const show = 'Show Rehearsal';
  const prepared = WorkbenchError.is(rehearsed) ? undefined : rehearsed;
  const shown = prepared === undefined ? [] : [show];
  // What would be refused, or what nobody knows, is looked at first.
  const buttons = expected ? [send, ...shown] : [...shown, send];
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
  if (answer === show && prepared !== undefined) {
    await showRehearsal(services, prepared, access.network.name, names);
  }
  return answer === send;
}
