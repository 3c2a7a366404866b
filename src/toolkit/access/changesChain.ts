import type { Endpoint } from './endpoint/endpoint';
import { v2Endpoints } from './v2/v2Endpoints';
import { ownValue } from '../ownValue';

/**
 * Whether a call sends something to the chain: on the main network it needs consent, and it is never retried. For
 * JSON-RPC its method decides; unknown methods count as sending.
 */
export function changesChain(endpoint: Endpoint, parameters: Readonly<Record<string, unknown>>): boolean {
  if (endpoint !== v2Endpoints.jsonRPC) {
    return endpoint.changesChain === true;
  }
  const name = String(parameters.method);
  const methods: Readonly<Record<string, Endpoint>> = v2Endpoints;
  const method = ownValue(methods, name);
  return method === undefined || method === endpoint || method.changesChain === true;
}
