import type { StreamFinality, StreamType } from '../../api/v3Traces';
import { streamFinalities, streamTypes } from '../../api/v3Traces';
import { limits } from '../../base/limits';
import { ApiError, parseHash } from '../api/apiError';
import { parseAddress } from '../api/requestParameters';

/** What a client of a stream wants to be told. */
export interface Subscription {
  types: ReadonlySet<StreamType>;
  /** Raw, in the chain's form. */
  addresses: ReadonlySet<string>;
  /** Normalized hashes of external messages, lowercase hex. */
  traces: ReadonlySet<string>;
  /** Of actions; empty for all. */
  actionTypes: ReadonlySet<string>;
  /** Types of actions that the client knows; empty for all. */
  supportedTypes: ReadonlySet<string>;
  minFinality: StreamFinality;
  withAddressBook: boolean;
  withMetadata: boolean;
}

/** Of a new connection: nothing is told until the first subscription. */
export const noSubscription: Subscription = {
  types: new Set(),
  addresses: new Set(),
  traces: new Set(),
  actionTypes: new Set(),
  supportedTypes: new Set(),
  minFinality: 'finalized',
  withAddressBook: false,
  withMetadata: false,
};

/** Who subscribed to what: an event is told without looking at everybody. */
export class Subscribers<Client> {
  readonly #subscriptions = new Map<Client, Subscription>();
  /** By address, and by the hash of a trace. */
  readonly #byTarget = new Map<string, Set<Client>>();

  /** Replaces what a client wants; undefined removes it. */
  set(client: Client, subscription: Subscription | undefined): void {
    for (const target of targetsOf(this.#subscriptions.get(client))) {
      const clients = this.#byTarget.get(target);
      clients?.delete(client);
      if (clients?.size === 0) {
        this.#byTarget.delete(target);
      }
    }
    if (subscription === undefined) {
      this.#subscriptions.delete(client);
      return;
    }
    this.#subscriptions.set(client, subscription);
    for (const target of targetsOf(subscription)) {
      const clients = this.#byTarget.get(target);
      if (clients === undefined) {
        this.#byTarget.set(target, new Set([client]));
      } else {
        clients.add(client);
      }
    }
  }

  get size(): number {
    return this.#subscriptions.size;
  }

  get(client: Client): Subscription | undefined {
    return this.#subscriptions.get(client);
  }

  clients(): Client[] {
    return [...this.#subscriptions.keys()];
  }

  /** Whether somebody wants this. */
  some(isWanted: (subscription: Subscription) => boolean): boolean {
    for (const subscription of this.#subscriptions.values()) {
      if (isWanted(subscription)) {
        return true;
      }
    }
    return false;
  }

  /** Whoever subscribed to one of these addresses or traces. */
  of(targets: Iterable<string>): Set<Client> {
    const found = new Set<Client>();
    for (const target of targets) {
      this.#byTarget.get(target)?.forEach((client) => found.add(client));
    }
    return found;
  }
}

function* targetsOf(subscription: Subscription | undefined): Generator<string, void> {
  if (subscription !== undefined) {
    yield* subscription.addresses;
    yield* subscription.traces;
  }
}

type Body = Readonly<Record<string, unknown>>;

/** The two transports say the same in other words. */
const words = {
  sse: {
    types: 'types are required for subscription',
    addresses: 'addresses are required for subscription',
    request: 'subscription request',
  },
  ws: {
    types: 'types are required',
    addresses: 'addresses are required',
    request: 'subscribe request',
  },
};

/**
 * Reads a subscription in the service's order, and refuses it in the service's words. It replaces an earlier one,
 * except for options that are left out.
 * @throws ApiError 400
 */
export function readSubscription(
  body: Body,
  transport: keyof typeof words,
  earlier: Subscription = noSubscription,
): Subscription {
  const say = words[transport];
  const types = texts(body, 'types', say.request);
  if (types.length === 0) {
    throw refused(say.types);
  }
  const known = types.map((type) => (isStreamType(type) ? type : fail(`invalid event type: ${type}`)));
  const { addresses, traces } = readTargets(body, say.request);
  const wantsTrace = known.includes('trace');
  if (traces.size > 0 && !wantsTrace) {
    throw refused('trace_external_hash_norms requires type "trace"');
  }
  if (wantsTrace && traces.size === 0) {
    throw refused('trace_external_hash_norms are required for trace subscription');
  }
  if (known.some((type) => type !== 'trace') && addresses.size === 0) {
    throw refused(say.addresses);
  }
  const most = limits.streamAddresses.most;
  if (Math.max(addresses.size, traces.size) > most) {
    const what = addresses.size > most ? 'addresses' : 'traces';
    const size = Math.max(addresses.size, traces.size);
    throw refused(
      transport === 'sse'
        ? `too many ${what}: ${size} > max ${most}`
        : `${what === 'addresses' ? 'address' : 'trace'} limit exceeded: current 0 + new ${size} > max ${most}`,
    );
  }
  const finality = body.min_finality ?? earlier.minFinality;
  const supported = texts(body, 'supported_action_types', say.request);
  const actionTypes = texts(body, 'action_types', say.request);
  return {
    types: new Set(known),
    ...{ addresses, traces },
    actionTypes: actionTypes.length === 0 ? earlier.actionTypes : new Set(actionTypes),
    supportedTypes: supported.length === 0 ? earlier.supportedTypes : expanded(supported),
    minFinality:
      streamFinalities.find((one) => one === finality) ??
      fail(`invalid ${say.request}: min_finality is pending, confirmed, or finalized`),
    withAddressBook: flag(body.include_address_book, earlier.withAddressBook),
    withMetadata: flag(body.include_metadata, earlier.withMetadata),
  };
}

/** What is left of a subscription. @throws ApiError 400 */
export function withoutTargets(subscription: Subscription, body: Body): Subscription {
  const request = 'unsubscribe request';
  const { addresses, traces } = readTargets(body, request);
  if (addresses.size === 0 && traces.size === 0) {
    throw refused('addresses or trace_external_hash_norms are required');
  }
  return {
    ...subscription,
    addresses: new Set([...subscription.addresses].filter((one) => !addresses.has(one))),
    traces: new Set([...subscription.traces].filter((one) => !traces.has(one))),
  };
}

function readTargets(body: Body, request: string): { addresses: Set<string>; traces: Set<string> } {
  const given = texts(body, 'addresses', request);
  return {
    addresses: new Set(given.map((text) => parseAddress(text) ?? fail(`invalid address: ${text}`))),
    traces: new Set(
      texts(body, 'trace_external_hash_norms', request).map((text) => {
        const hash = text.trim();
        return hash === ''
          ? fail('trace_external_hash_norms contains empty value')
          : (parseHash(hash) ?? hash);
      }),
    ),
  };
}

/** `latest` and versions such as `v1` stand for all types: this network has one classification. */
function expanded(supported: readonly string[]): ReadonlySet<string> {
  return supported.some((one) => /^(?:latest|v\d+)$/.test(one)) ? new Set() : new Set(supported);
}

function flag(value: unknown, earlier: boolean): boolean {
  return typeof value === 'boolean' ? value : earlier;
}

function isStreamType(text: string): text is StreamType {
  return (streamTypes as readonly string[]).includes(text);
}

function texts(body: Body, name: string, request: string): string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
    throw refused(`invalid ${request}: ${name} is a list of texts`);
  }
  return value;
}

function refused(text: string): ApiError {
  return new ApiError(400, text);
}

function fail(text: string): never {
  throw refused(text);
}
