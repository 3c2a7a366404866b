import type { Network } from '../../toolkit/access/network';
import type { Priority } from '../../toolkit/access/limiter';
import type { SummaryOptions } from '../../toolkit/getMethods/summarizeResult';
import type { ContractAnswer } from '../../toolkit/workflows/callContract';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../services';
import { accountName, accountsByName } from '../accounts/knownAccounts';
import type { CompleteCall } from './recentCalls';
import { coinLabel } from '../ui/coinLabel';

/** Runs a call on a running network, with what this window knows about its accounts and contracts. */
export async function callOnNetwork(
  services: Services,
  network: Network,
  call: CompleteCall,
  options: { signal?: AbortSignal; priority?: Priority } = {},
): Promise<ContractAnswer> {
  const [access, { answerOf, callContract }] = await Promise.all([
    services.connections.to(network),
    import('../../toolkit/workflows/callContract'),
  ]);
  const { address, method, stack } = call;
  return answerOf(
    callContract({
      ...{ access, address, method, stack, ...options },
      accounts: accountsByName(services, network),
      describe: (raw) => methodsOf(services, network, raw, options.signal, options.priority),
      log: services.log,
    }),
  );
}

/** Options for showing an answer: the contract's types and errors, the user's names, and the coin's label. */
export function shownWith(
  services: Services,
  { words }: ContractAnswer,
): SummaryOptions & { origin?: string } {
  return { accountName: accountName(services), coinLabel: coinLabel(), ...words };
}
