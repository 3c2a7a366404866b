import type { Network } from '../../toolkit/access/network';
import { domainsIn } from '../../toolkit/address/resolveAccount';
import { shortAddress } from '../../toolkit/address/shortAddress';
import { WorkbenchError } from '../../toolkit/base/errors';
import { inputReason } from '../../toolkit/base/text';
import { learnResolved, resolvedDomains } from '../networks/domainNames';
import type { NetworkServices } from '../networks/diagnoseNetworkCommand';
import type { LookUp } from '../ui/askText';

/**
 * Looks up the TON DNS domains in texts that are being typed: then they are names like any other in `accountsByName`.
 * A domain that names no account is asked for once per box.
 */
export function domainLookUp(
  services: NetworkServices,
  network: Pick<Network, 'name' | 'kind'> = services.networks.current(),
): LookUp {
  const problems = new Map<string, string>();
  const look = async (domain: string): Promise<void> => {
    try {
      learnResolved(services, network.name, domain, await resolve(services, network, domain));
    } catch (error) {
      problems.set(domain, WorkbenchError.is(error, 'account-unknown') ? error.message : inputReason(error));
    }
  };
  const known = (): Map<string, string> => new Map(resolvedDomains(services, network.name));
  return {
    begin: (text) => {
      const missing = domainsIn(text).filter((domain) => !known().has(domain));
      const [problem] = missing.flatMap((domain) => problems.get(domain) ?? []);
      return missing.length === 0 || problem !== undefined
        ? problem
        : Promise.all(missing.map(look)).then(() => undefined);
    },
    shown: (text) => {
      const addresses = known();
      return text.replace(/[\w.-]+/g, (word) => {
        const address = addresses.get(word);
        return address === undefined ? word : `${word} (${shortAddress(address)})`;
      });
    },
  };
}

/** Looks up the domains in a text that was not typed into a box; those that name no account are left to its reader. */
export async function lookUpDomains(
  services: NetworkServices,
  text: string,
  network?: Pick<Network, 'name' | 'kind'>,
): Promise<void> {
  await domainLookUp(services, network).begin(text);
}

async function resolve(
  { connections, networks }: NetworkServices,
  network: Pick<Network, 'name' | 'kind'>,
  domain: string,
): Promise<string> {
  const whole = networks.find(network.name) ?? networks.current();
  const [access, { resolveDomain }] = await Promise.all([
    connections.open(whole),
    import('../../toolkit/accounts/findAccount'),
  ]);
  return resolveDomain(access, domain);
}
