import type { Access } from '../access/createAccess';
import { WorkbenchError, abortedError } from '../base/errors';
import { callControl } from '../localnet/callControl';
import { localControlOf } from '../localnet/controlOf';
import type { Log } from '../base/log';
import { sendOnce } from '../send/sendOnce';
import type { WalletNetwork } from '../tonConnect/walletNetwork';
import { rehearseInTime } from './rehearseInTime';
import type { EmulatorHolder } from './rehearseInTime';
import { answerItemQuestions, relayMessage, relayedMessage } from './walletRelays';

/** Milliseconds after which a request is shown without a rehearsal. */
const rehearsalPatience = 20_000;

/**
 * The network of a test wallet: a local network of this tool, and no other. Only such a network has named wallets with
 * public keys, and it must say so itself.
 *
 * @throws WorkbenchError `wallet-local-only` (input), `localnet-unreachable` (network)
 */
export async function openWalletNetwork(
  access: Access,
  emulators: EmulatorHolder,
  log: Log,
): Promise<WalletNetwork> {
  const { network } = access;
  const control = localControlOf(network);
  if (control === undefined) {
    throw localOnlyError(network.name);
  }
  const accounts = await callControl(control, 'accounts', {}).catch((error: unknown) => {
    throw WorkbenchError.is(error, 'localnet-refused') ? localOnlyError(network.name) : error;
  });
  if (!Array.isArray(accounts) || accounts.length === 0) {
    throw localOnlyError(network.name);
  }
  const { last } = await access.v3.masterchainInfo();
  return {
    name: network.name,
    chain: String(last?.global_id ?? -239),
    accounts,
    signingState: (address, signal) => callControl(control, 'signingState', { address }, signal),
    rehearse: (message, signal) =>
      rehearseInTime({ access, message, emulators, patienceMs: rehearsalPatience, signal }),
    rehearseRelay: (wallet, message, signal) =>
      rehearseInTime({
        ...{ access, emulators, patienceMs: rehearsalPatience, signal },
        message: relayedMessage(wallet, message, accounts),
      }),
    relay: (order, signal) => relayMessage({ access, control, accounts }, order, signal),
    lookUp: (questions, signal) => answerItemQuestions(access, questions, signal),
    send: async (message, signal) => {
      const outcome = await sendOnce(access, message, { signal, log });
      if (outcome.state === 'sent') {
        return { state: 'sent', hash: message.hashNorm };
      }
      if (signal.aborted) {
        // The next run sends the same message again, and answers then.
        throw abortedError(signal.reason);
      }
      return { state: outcome.state === 'unknown' ? 'unknown' : 'failed', error: outcome.error };
    },
  };
}

function localOnlyError(name: string): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-local-only',
    kind: 'input',
    message: `${name} is not a local network of TON Workbench: a test wallet only exists for one.`,
    hint: 'Start a local network in the editor, or with: ton-workbench localnet.',
  });
}
