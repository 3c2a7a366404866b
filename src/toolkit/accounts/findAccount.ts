import type { AccountsByName } from '../address/resolveAccount';
import { bareName, resolveAccount } from '../address/resolveAccount';
import type { Access } from '../access/createAccess';
import type { Network } from '../access/network';
import { WorkbenchError } from '../errors';
import { visibleText } from '../text';

const domainForm = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:ton|t\.me)$/i;

/** Whether a text is a TON DNS domain. */
export function isDomain(text: string): boolean {
  return domainForm.test(text.trim());
}

/** The part of Access that is needed here. */
export interface DomainAccess {
  readonly network: Network;
  readonly v3: Partial<Pick<Access['v3'], 'dnsRecords'>>;
}

/**
 * Resolves a text to an account of a network: a known name, a TON DNS domain such as `foundation.ton`, or an address
 * in any form. Only domains need a request.
 * @returns raw, lowercase
 * @throws WorkbenchError `account-unknown`, `address-invalid` (input), and those of the network
 */
export async function findAccount(
  access: DomainAccess,
  text: string,
  names: AccountsByName,
  signal?: AbortSignal,
): Promise<string> {
  const name = text.trim();
  if (!isDomain(name) || names.has(bareName(name))) {
    return resolveAccount(text, names);
  }
  if (access.network.v3 === undefined || access.v3.dnsRecords === undefined) {
    throw domainUnknownError(name, `${access.network.name} has no v3 API to look it up.`);
  }
  const { records } = await access.v3.dnsRecords(
    { domain: name.toLowerCase() },
    { signal, priority: 'user' },
  );
  const wallet = records?.find((record) => record.dns_wallet != null)?.dns_wallet;
  if (wallet == null) {
    throw domainUnknownError(name, `It has no wallet record on ${access.network.name}.`);
  }
  return wallet;
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
