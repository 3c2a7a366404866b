import type { Access } from '../access/createAccess';
import type { Network } from '../access/network';
import { linkedAccount } from '../address/parseAddressInput';
import type { AccountsByName } from '../address/resolveAccount';
import { bareName, domainsIn, isDomain, resolveAccount } from '../address/resolveAccount';
import { WorkbenchError } from '../base/errors';
import { limits, overLimitError } from '../base/limits';
import { visibleText } from '../base/text';

/** The part of Access that is needed here. */
export interface DomainAccess {
  readonly network: Network;
  readonly v3: Partial<Pick<Access['v3'], 'dnsRecords'>>;
}

/**
 * Resolves a text to an account of a network: a known name, a TON DNS domain such as `foundation.ton`, an address in
 * any form, or a link that names one. Only domains need a request.
 * @returns raw, lowercase
 * @throws WorkbenchError `account-unknown`, `address-invalid` (input), and those of the network
 */
export async function findAccount(
  access: DomainAccess,
  text: string,
  names: AccountsByName,
  signal?: AbortSignal,
): Promise<string> {
  const name = linkedAccount(text.trim());
  return !isDomain(name) || names.has(bareName(name))
    ? resolveAccount(name, names)
    : resolveDomain(access, name, signal);
}

/**
 * The account that a TON DNS domain's wallet record names, by the network's index.
 * @returns raw, lowercase
 * @throws WorkbenchError `account-unknown` (input), and those of the network
 */
export async function resolveDomain(
  access: DomainAccess,
  domain: string,
  signal?: AbortSignal,
): Promise<string> {
  const { network, v3 } = access;
  if (network.v3 === undefined || v3.dnsRecords === undefined) {
    throw domainUnknownError(domain, `${network.name} has no v3 API to look it up.`);
  }
  const asked = domain.toLowerCase();
  const { records } = await v3.dnsRecords({ domain: asked }, { signal, priority: 'user' });
  const record = records?.find((one) => one.domain?.toLowerCase() === asked && one.dns_wallet != null);
  if (record?.dns_wallet == null) {
    throw domainUnknownError(domain, `It has no wallet record on ${network.name}.`);
  }
  return record.dns_wallet;
}

/**
 * Adds the TON DNS domains among the words of a text to the names of accounts, for the readers that take names. A domain
 * without an account is left out, because the word may be part of a comment.
 * @throws WorkbenchError `over-limit` (input) with too many domains, and those of the network
 */
export async function withDomains(
  access: DomainAccess,
  text: string,
  names: AccountsByName,
  signal?: AbortSignal,
): Promise<AccountsByName> {
  const domains = domainsIn(text).filter((domain) => !names.has(domain));
  if (domains.length > limits.domains.most) {
    throw overLimitError('domains');
  }
  const found = await Promise.all(
    domains.map(async (domain): Promise<[string, string][]> => {
      try {
        return [[domain, await resolveDomain(access, domain, signal)]];
      } catch (error) {
        if (WorkbenchError.is(error, 'account-unknown')) {
          return [];
        }
        throw error;
      }
    }),
  );
  // First, so that every other name of such an account takes precedence where accounts are shown.
  return domains.length === 0 ? names : new Map([...found.flat(), ...names]);
}

function domainUnknownError(name: string, reason: string): WorkbenchError {
  return new WorkbenchError({
    code: 'account-unknown',
    kind: 'input',
    message: `The domain “${visibleText(name)}” does not name an account. ${reason}`,
    hint: 'Use the address instead.',
    details: { name },
  });
}

/** Names of accounts by their addresses; of several names, the last. */
export function namesByAddress(
  accounts: Iterable<readonly [name: string, address: string]>,
): Map<string, string> {
  return new Map([...accounts].map(([name, address]) => [address, name]));
}
