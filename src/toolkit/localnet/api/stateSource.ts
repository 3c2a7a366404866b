import type { StateFidelity } from '../../accounts/accountSource';
import type { LocalChain } from '../chain/localChain';

/**
 * The origin of an account's state: created on this network (`local`), or read from the forked network, `exact` or
 * `partial`. Later transactions do not make a partial state exact.
 */
export function stateSource({ fork }: LocalChain, address: string): StateFidelity | 'local' {
  return fork?.fidelity(address) ?? 'local';
}

/** The same as a field of an answer; absent without a fork. */
export function stateSourceField(chain: LocalChain, address: string): { fork_state?: string } {
  return chain.fork === undefined ? {} : { fork_state: stateSource(chain, address) };
}
