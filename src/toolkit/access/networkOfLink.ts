import type { Network } from './network';

/** The network of a link. */
export interface LinkedNetwork {
  /** The host of the link, with its port if it has one. */
  host: string;
  origin: string;
  /** Undefined if none of the networks is known to be this host's. */
  network: Network | undefined;
}

/** Sites that show the public networks, or answer for them: the test network has its own subdomain or parameter. */
const publicSites = [
  ...['tonviewer.com', 'tonscan.org', 'tonscan.com', 'toncenter.com', 'tonapi.io', 'dton.io', 'ton.cx'],
  ...['toncoin.org', 'ton.org', 'tonwhales.com', 'getgems.io', 'tonkeeper.com'],
];

/**
 * The network that a link of an explorer or an API names: by the hosts of the given networks, and by the sites of the
 * public ones.
 *
 * @param networks the first of a kind counts for the public sites
 * @returns undefined for a text that names no host: it is no link, or one to pay (`ton://`)
 * @example networkOfLink('https://testnet.tonviewer.com/transaction/3f…', publicNetworks)?.network?.name; // 'Testnet'
 */
export function networkOfLink(text: string, networks: readonly Network[]): LinkedNetwork | undefined {
  const trimmed = text.trim();
  const url = /^https?:\/\//i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (url === undefined) {
    return undefined;
  }
  const own = networks.find((network) => originsOf(network).includes(url.origin));
  const kind = own === undefined && isPublic(url.hostname) ? publicKind(url) : undefined;
  return {
    host: url.host,
    origin: url.origin,
    network: own ?? networks.find((network) => network.kind === kind),
  };
}

function originsOf({ v2, v3, explorer }: Network): string[] {
  return [v2, v3, explorer].flatMap((one) => (one === undefined ? [] : [new URL(one).origin]));
}

function isPublic(host: string): boolean {
  return publicSites.some((site) => host === site || host.endsWith(`.${site}`));
}

function publicKind({ hostname, searchParams }: URL): Network['kind'] {
  const isNamed = /^test(?:net)?[.-]|[.-]testnet\./.test(hostname);
  const isAsked =
    ['true', '1', ''].includes(searchParams.get('testnet') ?? 'no') ||
    searchParams.get('network') === 'testnet';
  return isNamed || isAsked ? 'testnet' : 'mainnet';
}
