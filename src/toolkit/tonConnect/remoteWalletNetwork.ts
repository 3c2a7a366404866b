import { WorkbenchError, abortedError } from '../errors';
import type { ExternalMessage } from '../send/externalMessage';
import type { RemoteCalls } from '../threads/remoteCalls';
import type { WalletHelper, WalletNetworkFacts } from './walletMessages';
import type { WalletNetwork } from './walletNetwork';

/**
 * The network of a wallet in a worker: the thread that started it does the work. The first signal that fires ends all
 * calls, because a wallet has one for its whole life.
 */
export function remoteWalletNetwork(
  facts: WalletNetworkFacts,
  helper: RemoteCalls<WalletHelper>,
): WalletNetwork {
  const watched = new WeakSet<AbortSignal>();
  const watch = (signal: AbortSignal | undefined): RemoteCalls<WalletHelper> => {
    if (signal !== undefined && !watched.has(signal)) {
      watched.add(signal);
      signal.addEventListener('abort', () => helper.end(abortedError(signal.reason)), { once: true });
    }
    return helper;
  };
  return {
    ...facts,
    signingState: (address, signal) => watch(signal).call('signingState', address),
    rehearse: async (message, signal, request) => {
      await watch(signal).call('rehearse', request, bocOf(message));
      return undefined;
    },
    send: async (message, signal) => {
      const outcome = await watch(signal).call('send', bocOf(message));
      return outcome.state === 'sent' ? outcome : { ...outcome, error: new WorkbenchError(outcome.error) };
    },
  };
}

function bocOf({ cell }: ExternalMessage): string {
  return cell.toBoc().toString('base64');
}
