import { WorkbenchError } from '../errors';
import { withoutTrailing } from '../withoutTrailing';
import type { NetworkProbe } from './probeNetwork';

/** The URLs of a network to add. */
export interface NetworkUrls {
  v2?: string | undefined;
  v3?: string | undefined;
  /** The APIs whose URL was not given, but is assumed next to the other one or below the origin. */
  guessed: readonly ('v2' | 'v3')[];
}

/** An entry of the setting `tonWorkbench.networks`. */
export interface NetworkEntry {
  name: string;
  v2?: string;
  v3?: string;
  kind?: 'mainnet' | 'testnet';
  globalId?: number;
}

/**
 * Reads an origin (`https://ton.example.com`), the URL of one API (`https://ton.example.com/api/v2`), or
 * those of both APIs, separated by a space. If only one is given, the other API is assumed next to it.
 * @throws WorkbenchError `network-unknown` (input)
 */
export function readNetworkUrls(text: string): NetworkUrls {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  const read = words.map(readUrl);
  const [first, second] = read;
  if (first === undefined || words.length > 2) {
    throw urlError('Enter the URL of the service, or the URLs of its v2 and v3 APIs.');
  }
  if (second !== undefined) {
    if (first.api === undefined || second.api === undefined || first.api === second.api) {
      throw urlError('Of two URLs, one must end in /v2 and one in /v3.');
    }
    return { [first.api]: first.url, [second.api]: second.url, guessed: [] };
  }
  if (first.api === undefined) {
    return { v2: `${first.url}/api/v2`, v3: `${first.url}/api/v3`, guessed: ['v2', 'v3'] };
  }
  const other = first.api === 'v2' ? 'v3' : 'v2';
  return { [first.api]: first.url, [other]: first.url.replace(/v[23]$/, other), guessed: [other] };
}

/**
 * The entry for a network, based on its answers: kind and global id are its own, and an assumed API is left
 * out if it did not answer but the other one did.
 */
export function networkEntry(name: string, urls: NetworkUrls, probe: NetworkProbe): NetworkEntry {
  const answering = probe.apis.filter(({ error }) => error === undefined).map(({ api }) => api);
  const isKept = (api: 'v2' | 'v3'): boolean =>
    answering.length === 0 || answering.includes(api) || !urls.guessed.includes(api);
  const { identity, globalId } = probe;
  return {
    name,
    ...(urls.v2 === undefined || !isKept('v2') ? {} : { v2: urls.v2 }),
    ...(urls.v3 === undefined || !isKept('v3') ? {} : { v3: urls.v3 }),
    ...(identity === 'mainnet' || identity === 'testnet' ? { kind: identity } : {}),
    ...(globalId === undefined ? {} : { globalId }),
  };
}

function readUrl(text: string): { url: string; api: 'v2' | 'v3' | undefined } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw urlError(`${JSON.stringify(text)} is not an http or https URL.`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw urlError('A network URL must not carry a password or a query. API keys are asked for later.');
  }
  const plain = withoutTrailing(url.href, '/');
  const api = /\/(v[23])$/.exec(plain)?.[1];
  if (api !== 'v2' && api !== 'v3' && !/^\/*$/.test(url.pathname)) {
    throw urlError('The URL has a path that does not end in /v2 or /v3.');
  }
  return { url: plain, api: api === 'v2' || api === 'v3' ? api : undefined };
}

function urlError(message: string): WorkbenchError {
  return new WorkbenchError({
    code: 'network-unknown',
    kind: 'input',
    message,
    hint: 'Such as https://ton.example.com or https://ton.example.com/api/v2.',
  });
}
