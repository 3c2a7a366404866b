import { createAccess as createToolkitAccess } from '../toolkit/access/createAccess';
import { networkAt, resolveNetwork } from '../toolkit/access/resolveNetwork';
import type { Network } from '../toolkit/access/network';
import { WorkbenchError } from '../toolkit/base/errors';
import type { V2Api, V3Api } from './apiTypes';

export type { V2Api, V3Api } from './apiTypes';

/** Base URLs of a network's two APIs, without a trailing slash. A running local network can be passed as is. */
export interface NetworkUrls {
  readonly v2?: string | undefined;
  readonly v3?: string | undefined;
}

/** How to reach a network. */
export interface AccessOptions {
  /** `mainnet`, `testnet`, `local` (http://127.0.0.1:8081), an origin, or the URLs of the two APIs. */
  network: string | NetworkUrls;
  /** Sent as X-API-Key. Public networks get one request per second without a key, ten with one. */
  apiKey?: string | undefined;
  /** Overrides the rate, if your plan has another. */
  requestsPerSecond?: number | undefined;
  /** Timeout of one attempt, in milliseconds; default 20,000. Attempts that may succeed later are retried. */
  timeoutMs?: number | undefined;
}

/** A network's two APIs, typed, paced, and retried. */
export interface Access {
  /** For display. */
  readonly network: {
    readonly name: string;
    readonly v2?: string | undefined;
    readonly v3?: string | undefined;
  };
  readonly v2: V2Api;
  readonly v3: V3Api;
}

/**
 * Typed access to the APIs of one network. Amounts and logical times are bigints, hashes are lowercase hex,
 * and addresses are raw and lowercase; undocumented fields are kept as the service sent them.
 *
 * @throws WorkbenchError `network-unknown` (input); calls throw `unauthorized`, `rate-limited`,
 * `unreachable`, and so on
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
