import type { Endpoint } from './endpoint/endpoint';
import { v2Endpoints } from './v2/v2Endpoints';
import { ownValue } from '../ownValue';

/**
 * Whether a call sends something to the chain: it is asked about on the main network and never retried. JSON-RPC does
 * what its method does; a method that nobody here knows counts as one that sends.
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
