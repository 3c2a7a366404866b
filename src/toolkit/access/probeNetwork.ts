import { WorkbenchError, toWorkbenchError, withoutTrailing } from '../base/errors';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import type { Access, CallOptions } from './createAccess';
import type { NetworkIdentity } from './networkIdentity';
import { identityOf } from './networkIdentity';
import type { Network } from './network';
import { v2Endpoints } from './v2/v2Endpoints';
import { v3Endpoints } from './v3/v3Endpoints';

/** An API's answer to a request for the newest block. */
export interface ApiProbe {
  api: 'v2' | 'v3';
  url: string;
  /** Such as `2.1.11`, if the service reports it. */
  version?: string | undefined;
  /** Of the newest masterchain block. */
  seqno?: number | undefined;
  elapsedMs: number;
  /** Why it did not answer. */
  error?: WorkbenchError | undefined;
}

/** A network, and its APIs' answers. */
export interface NetworkProbe {
  network: Network;
  apis: ApiProbe[];
  /** Which network it is, by its own answer; undefined if no API says so. */
  identity: NetworkIdentity | undefined;
  /** Global id in the newest masterchain block (v3, else v2), if an API reports it. */
  globalId: number | undefined;
}

/** Asks each API of a network for its newest block: availability, version, and which network it is. */
export async function probeNetwork(
  access: Access,
  options: CallOptions = {},
  clock: Clock = systemClock,
): Promise<NetworkProbe> {
  const { network } = access;
  let byZeroState: NetworkIdentity | undefined;
  let globalIdByV2: (() => Promise<number | undefined>) | undefined;
  let globalId: number | undefined;
  const probe = async (
    api: 'v2' | 'v3',
    url: string,
    ask: () => Promise<Pick<ApiProbe, 'version' | 'seqno'>>,
  ): Promise<ApiProbe> => {
    const start = clock.monotonic();
    const took = (): number => clock.monotonic() - start;
    try {
      return { api, url, ...(await ask()), elapsedMs: took() };
    } catch (error) {
      return { api, url, elapsedMs: took(), error: toWorkbenchError(error) };
    }
  };
  const { v2, v3 } = network;
  const apis = await Promise.all([
    ...(v2 === undefined
      ? []
      : [
          probe('v2', v2, async () => {
            const { value, apiVersion } = await access.call(v2Endpoints.getMasterchainInfo, {}, options);
            byZeroState = identityOf({ zeroState: value.init.root_hash });
            const { workchain, shard, seqno } = value.last;
            globalIdByV2 = () =>
              access.call(v2Endpoints.getBlockHeader, { workchain, shard, seqno }, options).then(
                (header) => header.value.global_id,
                () => undefined,
              );
            return { version: apiVersion, seqno };
          }),
        ]),
    ...(v3 === undefined
      ? []
      : [
          probe('v3', v3, async () => {
            const { value, apiVersion } = await access.call(v3Endpoints.masterchainInfo, {}, options);
            const { last } = value;
            globalId = last?.global_id ?? undefined;
            return { version: apiVersion, seqno: last?.seqno ?? undefined };
          }),
        ]),
  ]);
  const identity = byZeroState ?? identityOf({ globalId });
  globalId ??= await globalIdByV2?.();
  // Local networks may have the main network's global id, but never its zero state.
  return { network, apis, identity, globalId };
}

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
