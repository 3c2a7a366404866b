import type { Endpoint } from './endpoint/endpoint';

/** How commands name an endpoint: `v3 traces`. */
export function endpointId(endpoint: Endpoint): string {
  return `${endpoint.layer} ${endpoint.path.slice(1)}`;
}
