import { streamTypes } from '../../api/streamEvents';
import type { StreamType } from '../../api/streamEvents';
import { limits } from '../../limits';
import { ApiError } from '../api/apiError';
import { parseAddress } from '../api/parseAddress';
import { parseHash } from '../api/parseHash';

/** What a client of a stream wants to be told. */
export interface Subscription {
  types: ReadonlySet<StreamType>;
  /** Raw, in the chain's form. */
  addresses: ReadonlySet<string>;
  /** Normalized hashes of external messages, lowercase hex. */
  traces: ReadonlySet<string>;
  /** Of actions; empty for all. */
  actionTypes: ReadonlySet<string>;
  withAddressBook: boolean;
  withMetadata: boolean;
}

/**
 * Reads a subscription in the service's order, and refuses it in the service's words.
 * @throws ApiError 400
 */
export function readSubscription(body: Readonly<Record<string, unknown>>): Subscription {
  const types = texts(body, 'types');
  if (types.length === 0) {
    throw refused('types are required for subscription');
  }
  for (const type of types) {
    if (!isStreamType(type)) {
      throw refused(`invalid event type: ${type}`);
    }
  }
  const given = texts(body, 'addresses');
  if (given.length > limits.streamAddresses.most) {
    throw refused(`too many addresses: ${given.length} > max ${limits.streamAddresses.most}`);
  }
  const addresses = new Set(given.map((text) => parseAddress(text) ?? fail(`invalid address: ${text}`)));
  const traces = new Set(
    texts(body, 'trace_external_hash_norms').map((text) => {
      const hash = text.trim();
      return hash === '' ? fail('trace_external_hash_norms contains empty value') : (parseHash(hash) ?? hash);
    }),
  );
  if (traces.size > limits.streamAddresses.most) {
    throw refused(`too many traces: ${traces.size} > max ${limits.streamAddresses.most}`);
  }
  const wantsTrace = types.includes('trace');
  if (traces.size > 0 && !wantsTrace) {
    throw refused('trace_external_hash_norms requires type "trace"');
  }
  if (wantsTrace && traces.size === 0) {
    throw refused('trace_external_hash_norms are required for trace subscription');
  }
  if (types.some((type) => type !== 'trace') && addresses.size === 0) {
    throw refused('addresses are required for subscription');
  }
  const finality = body.min_finality ?? 'finalized';
  if (finality !== 'pending' && finality !== 'confirmed' && finality !== 'finalized') {
    throw refused('invalid subscription request: min_finality is pending, confirmed, or finalized');
  }
  return {
    types: new Set(types.filter(isStreamType)),
    ...{ addresses, traces },
    actionTypes: new Set(texts(body, 'action_types')),
    withAddressBook: body.include_address_book === true,
    withMetadata: body.include_metadata === true,
  };
}

function isStreamType(text: string): text is StreamType {
  return (streamTypes as readonly string[]).includes(text);
}

function texts(body: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
    throw refused(`invalid subscription request: ${name} is a list of texts`);
  }
  return value;
}

function refused(text: string): ApiError {
  return new ApiError(400, text);
}

function fail(text: string): never {
  throw refused(text);
}
