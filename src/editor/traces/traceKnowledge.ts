import type { TraceKnowledge } from '../../toolkit/trace/traceContext';
import { knownAccounts } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { coinLabel } from '../ui/coinLabel';

/** Coins of the local network's faucet come from the zero address, which nobody owns. */
const faucet = `0:${'0'.repeat(64)}`;

/** What this window knows around a trace: the names of accounts and the coin's label. */
export function traceKnowledge(services: Services): TraceKnowledge {
  const names = new Map(knownAccounts(services).map((account) => [account.address, account.name]));
  if (services.networks.current().kind === 'local') {
    names.set(faucet, 'faucet');
  }
  return {
    names,
    coin: coinLabel(),
  };
}
