import type { Endpoint } from './endpoint/endpoint';

/** The endpoint's id in commands: `v3 traces`. */
export function endpointId(endpoint: Endpoint): string {
  return `${endpoint.layer} ${endpoint.path.slice(1)}`;
}
