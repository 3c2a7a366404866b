import { createAccess as createToolkitAccess } from '../toolkit/access/createAccess';
import { networkAt, resolveNetwork } from '../toolkit/access/resolveNetwork';
import type { Network } from '../toolkit/access/network';
import { WorkbenchError } from '../toolkit/errors';
import type { V2Api, V3Api } from './apiTypes';

export type { V2Api, V3Api } from './apiTypes';

/** Base URLs of a network's two APIs, without a trailing slash. A running local network is one. */
export interface NetworkUrls {
  readonly v2?: string | undefined;
  readonly v3?: string | undefined;
}

/** How a network is reached. */
export interface AccessOptions {
  /** `mainnet`, `testnet`, `local` (http://127.0.0.1:8081), an origin, or the URLs of the two APIs. */
  network: string | NetworkUrls;
  /** Sent as X-API-Key. Without one the public networks are asked once a second, with one ten times. */
  apiKey?: string | undefined;
  /** The pace of your plan, where it is another. */
  requestsPerSecond?: number | undefined;
  /** Of one attempt, in milliseconds; default 20,000. Attempts that may succeed later are repeated. */
  timeoutMs?: number | undefined;
}

/** A network's two APIs, typed, paced, and retried. */
export interface Access {
  /** As shown to people. */
  readonly network: {
    readonly name: string;
    readonly v2?: string | undefined;
    readonly v3?: string | undefined;
  };
  readonly v2: V2Api;
  readonly v3: V3Api;
}

/**
 * Typed access to the APIs of one network. Amounts and logical times are bigints, hashes lower-case hex, addresses raw
 * and in lower case; fields that are not described are kept as the service sent them.
 *
 * @throws WorkbenchError `network-unknown` (input); the calls throw `unauthorized`, `rate-limited`, `unreachable` and
 * the like
 * @example
 * ```ts
 * import { createAccess } from 'ton-workbench/access';
 *
 * const access = createAccess({ network: 'testnet', apiKey: process.env.TON_API_KEY });
 * const { balance } = await access.v2.getAddressInformation({ address: 'EQ…' });
 * const { transactions } = await access.v3.transactions({ account: 'EQ…', limit: 10 });
 * ```
 */
export function createAccess(options: AccessOptions): Access {
  const { apiKey, requestsPerSecond } = options;
  return createToolkitAccess({
    network: networkOf(options.network),
    apiKey: apiKey === undefined ? undefined : () => Promise.resolve(apiKey),
    requestsPerSecond: requestsPerSecond === undefined ? undefined : () => requestsPerSecond,
    timeoutMs: options.timeoutMs,
  });
}

function networkOf(network: string | NetworkUrls): Network {
  if (typeof network === 'string') {
    return resolveNetwork(network).network;
  }
  const base = network.v2 ?? network.v3;
  if (base === undefined) {
    throw new WorkbenchError({
      code: 'network-unknown',
      kind: 'input',
      message: 'The network has neither a v2 nor a v3 URL.',
      hint: 'Give at least one of the two, or the name of a network.',
    });
  }
  const { v2, v3 } = network;
  return { ...networkAt(new URL(base).origin, new URL(base).origin), v2, v3 };
}
