import { WorkbenchError } from '../base/errors';
import { isLoopbackHost } from '../base/loopback';
import { publicNetworks } from './network';
import type { Network } from './network';

/** What a name or URL refers to. */
export interface NetworkChoice {
  network: Network;
  /** The API whose URL was given: preferred where it can do the work. */
  preferredApi?: 'v2' | 'v3';
}

/** The default address of `localnet`. */
const localOrigin = 'http://127.0.0.1:8081';

/** Networks with a reserved name, the local one first. */
export const configuredNetworks: readonly Network[] = [networkAt(localOrigin, 'Local'), ...publicNetworks];

/**
 * The network of a name or URL: `local` (http://127.0.0.1:8081), `mainnet`, `testnet`, case-insensitive; an origin;
 * or any URL ending in /api/v2 or /api/v3, with the other API expected next to it.
 * @param own the user's own networks, which have names, too
 * @throws WorkbenchError `network-unknown` (input)
 */
export function resolveNetwork(nameOrUrl: string, own: readonly Network[] = []): NetworkChoice {
  const name = nameOrUrl.trim();
  const named = [...configuredNetworks, ...own];
  const known = named.find((network) => network.name.toLowerCase() === name.toLowerCase());
  if (known !== undefined) {
    return { network: known };
  }
  const { base, api } = splitUrl(name, own);
  const network = publicNetworks.find(({ v2 }) => v2 === `${base}/api/v2`) ?? networkAt(base, base);
  return api === undefined ? { network } : { network, preferredApi: api };
}

/** Whether a name is that of a network that is always there. */
export function isReservedName(text: string): boolean {
  return configuredNetworks.some(({ name }) => name.toLowerCase() === text.trim().toLowerCase());
}

/** The network with both APIs below `base`; local for this machine's own addresses. */
export function networkAt(base: string, name: string): Network {
  return {
    name,
    kind: isLoopbackHost(new URL(base).hostname) ? 'local' : 'custom',
    v2: `${base}/api/v2`,
    v3: `${base}/api/v3`,
    globalId: -239,
  };
}

function splitUrl(text: string, own: readonly Network[]): { base: string; api: 'v2' | 'v3' | undefined } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    const names = ['local', 'mainnet', 'testnet', ...own.map(({ name }) => name)].join(', ');
    throw networkUnknownError(text, `is neither ${names} nor an http(s) URL`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw networkUnknownError(
      url.origin,
      'carries credentials, a query or a fragment, which a network URL must not',
    );
  }
  const match = /^(.*)\/api\/(v[23])\/*$/.exec(url.pathname);
  if (match !== null) {
    return { base: `${url.origin}${match[1]}`, api: match[2] === 'v2' ? 'v2' : 'v3' };
  }
  if (!/^\/*$/.test(url.pathname)) {
    throw networkUnknownError(text, 'has a path that does not end in /api/v2 or /api/v3');
  }
  return { base: url.origin, api: undefined };
}

function networkUnknownError(text: string, reason: string): WorkbenchError {
  return new WorkbenchError({
    code: 'network-unknown',
    kind: 'input',
    message: `The network ${JSON.stringify(text)} ${reason}.`,
    hint: 'Give local, mainnet, testnet, a name of TON_NETWORKS, an origin such as http://127.0.0.1:8081, or a URL ending in /api/v2 or /api/v3.',
  });
}
