import type { ContractDescription } from '../../toolkit/abi/describeContract';
import type { Network } from '../../toolkit/access/network';
import { resolveAccount } from '../../toolkit/address/resolveAccount';
import type { Priority } from '../../toolkit/access/limiter';
import type { GetMethodResult } from '../../toolkit/getMethods/getMethodResult';
import type { SummaryOptions } from '../../toolkit/getMethods/summarizeResult';
import { methodNamed } from '../../toolkit/abi/methodNamed';
import { methodsOf } from '../project/methodsOf';
import type { Services } from '../services';
import { accountName, accountsByName } from '../accounts/knownAccounts';
import type { CompleteCall } from './recentCalls';
import { coinLabel } from '../ui/coinLabel';

/** An answer with what is known of the contract that gave it. */
export interface ContractAnswer {
  result: GetMethodResult;
  description: ContractDescription | undefined;
}

/** Runs a call on a network, which must run; what is known of the contract is looked up beside it. */
export async function callContract(
  services: Services,
  network: Network,
  call: CompleteCall,
  options: { signal?: AbortSignal; priority?: Priority } = {},
): Promise<ContractAnswer> {
  const [access, { parseStackText }, { runGetMethod }] = await Promise.all([
    services.connections.to(network),
    import('../../toolkit/stack/parseStackText'),
    import('../../toolkit/getMethods/runGetMethod'),
  ]);
  const accounts = accountsByName(services, network);
  const address = resolveAccount(call.address, accounts);
  const stack = parseStackText(call.stack, { accounts });
  const [result, description] = await Promise.all([
    runGetMethod(access, { address, method: call.method, stack }, options),
    methodsOf(services, network, address, options.signal, options.priority).catch((error: unknown) => {
      services.log.debug(`methods of ${address}: ${String(error)}`);
      return undefined;
    }),
  ]);
  return { result, description };
}

/** How an answer is shown: with the contract's types and errors, the user's names and the coin's label. */
export function shownWith(
  services: Services,
  { result, description }: ContractAnswer,
): SummaryOptions & { origin?: string } {
  const method = methodNamed(description, result.method);
  return {
    accountName: accountName(services),
    coinLabel: coinLabel(),
    errors: description?.errors,
    ...(method?.signature === undefined ? {} : { signature: method.signature, origin: method.origin }),
  };
}
