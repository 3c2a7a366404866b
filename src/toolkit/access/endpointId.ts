import type { Endpoint } from './endpoint/endpoint';

/** How commands name an endpoint: `v3 traces`. */
export function endpointId(endpoint: Endpoint): string {
  return `${endpoint.layer} ${endpoint.path.slice(1)}`;
}

/** Every endpoint of both layers; v3 first, because it answers most questions. */
export async function allEndpoints(): Promise<Endpoint[]> {
  const [{ v3Endpoints }, { v2Endpoints }] = await Promise.all([
    import('./v3/endpoints'),
    import('./v2/endpoints'),
  ]);
  return [...Object.values<Endpoint>(v3Endpoints), ...Object.values<Endpoint>(v2Endpoints)];
}

/** The endpoint with this id, if there is one. */
export async function findEndpoint(id: string): Promise<Endpoint | undefined> {
  return (await allEndpoints()).find((endpoint) => endpointId(endpoint) === id);
}
