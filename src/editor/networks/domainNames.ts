import type { V3AddressBook } from '../../toolkit/api/v3Objects';
import { keepNewest } from '../../toolkit/base/collections';
import { visibleText } from '../../toolkit/base/text';
import type { OfWindow } from './sourceNames';
import { perWindow } from './sourceNames';

/** More domains than a window ever shows, in each direction; the oldest are dropped. */
const most = 5_000;
/** Milliseconds for which a resolved domain counts as known: its owner can change the record at any time. */
const freshMs = 60_000;

/** Maximum length of a domain that is shown: its owner chooses it freely. */
const longest = 40;

/** What a window knows about domains, by network and then by address or domain. */
const known = perWindow(() => ({
  /** The domains that the network gives addresses in its answers. */
  told: new Map<string, string>(),
  /** The addresses that domains were resolved to, when they were typed. */
  resolved: new Map<string, { address: string; at: number }>(),
}));

/** Remembers the domains in the address book of an answer, and forgets those that are gone. */
export function learnDomains(services: OfWindow, network: string, book: V3AddressBook): void {
  const { told } = known(services);
  for (const [address, row] of Object.entries(book)) {
    const domain = row?.domain;
    if (domain == null || domain === '') {
      told.delete(`${network} ${address}`);
    } else {
      keepNewest(told, `${network} ${address}`, visibleText(domain, longest), most);
    }
  }
}

/** Remembers what a domain was resolved to. */
export function learnResolved(services: OfWindow, network: string, domain: string, address: string): void {
  keepNewest(known(services).resolved, `${network} ${domain}`, { address, at: Date.now() }, most);
}

/** The domain of a raw address on a network, if an answer of the network has named it. */
export function domainOf(services: OfWindow, network: string, address: string): string | undefined {
  return known(services).told.get(`${network} ${address}`);
}

/** The domains that were resolved on a network within the last minute, with their raw addresses. */
export function resolvedDomains(services: OfWindow, network: string): [string, string][] {
  const oldest = Date.now() - freshMs;
  const prefix = `${network} `;
  return [...known(services).resolved].flatMap(([key, { address, at }]): [string, string][] =>
    key.startsWith(prefix) && at >= oldest ? [[key.slice(prefix.length), address]] : [],
  );
}
