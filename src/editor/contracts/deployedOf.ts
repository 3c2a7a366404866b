import type { Services } from '../project/services';
import { accountWord } from '../project/accountName';

const key = 'deployedContracts';

/** Where a workspace contract was last run on a network. */
export function deployedOf(
  services: Services,
  network: string,
  contract: string,
): { address: string; label: string } | undefined {
  const known = services.context.workspaceState.get<Record<string, string>>(key, {});
  const address = known[`${network} ${contract}`];
  return address === undefined ? undefined : { address, label: accountWord(services)(address) };
}

/** Remembers this for the lenses. */
export async function rememberDeployed(
  services: Services,
  network: string,
  contract: string,
  address: string,
): Promise<void> {
  const state = services.context.workspaceState;
  const known = state.get<Record<string, string>>(key, {});
  await state.update(key, { ...known, [`${network} ${contract}`]: address });
}
