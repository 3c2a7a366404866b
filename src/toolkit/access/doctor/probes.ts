import * as z from 'zod';
import type { Endpoint } from '../endpoint/endpoint';
import { integer, list, required, text } from '../endpoint/parameter';
import { v2Endpoints } from '../v2/v2Endpoints';
import { v3Endpoints } from '../v3/v3Endpoints';

/** The same endpoint with nothing to fill in: where it exists, it refuses that. */
function bare(endpoint: Endpoint): Endpoint {
  return { ...endpoint, parameters: {}, result: z.unknown(), changesChain: false };
}

/**
 * Methods of v2 that parts of the product stand on, asked without parameters. An empty `sendBoc` carries no message,
 * so nothing can be sent by it.
 */
export const v2Probes = {
  sendBoc: bare(v2Endpoints.sendBoc),
  runGetMethod: bare(v2Endpoints.runGetMethod),
  getShardAccountCell: bare(v2Endpoints.getShardAccountCell),
  getLibraries: bare(v2Endpoints.getLibraries),
  /** Of block 0, which no service takes: the whole configuration would be large. */
  getConfigAll: { ...bare(v2Endpoints.getConfigAll), parameters: { seqno: integer('0') } },
} satisfies Record<string, Endpoint>;

/** The same for v3. */
export const v3Probes = {
  traces: { ...bare(v3Endpoints.traces), parameters: { limit: integer('1') } },
  pendingTraces: bare(v3Endpoints.pendingTraces),
} satisfies Record<string, Endpoint>;

/** What fails without one of the probed methods. */
export const useOf: Readonly<Record<keyof typeof v2Probes | keyof typeof v3Probes, string>> = {
  sendBoc: 'messages cannot be sent',
  runGetMethod: 'get-methods run over v3 only',
  getShardAccountCell: 'forks and replays rebuild states from their parts (partial)',
  getLibraries: 'code in libraries is not found',
  getConfigAll: 'forks, rehearsals, and replays lack the configuration',
  traces: 'traces cannot be opened',
  pendingTraces: 'traces show once they are in a block',
};

/** A parameter of the configuration by one of its two names. */
export function configParameter(name: 'config_id' | 'param'): Endpoint {
  return {
    ...v2Endpoints.getConfigParam,
    parameters: { [name]: required(integer('Number of the parameter.')) },
  };
}

/** Streaming v2, next to the other APIs, with no subscription: it refuses that. */
export const streamingProbe: Endpoint = {
  ...bare(v2Endpoints.sendBoc),
  path: '/../streaming/v2/sse',
};

/** Addresses in one request: no more than gateways take in a URL. */
export const batchSize = 100;

export const batchProbe: Endpoint = {
  ...v3Endpoints.addressBook,
  parameters: { address: required(list(text('An address.'))) },
  result: z.unknown(),
};
