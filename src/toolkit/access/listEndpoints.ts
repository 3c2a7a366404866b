import * as z from 'zod';
import type { Endpoint, Layer } from './endpoint/endpoint';
import { endpointId } from './prepareRequest';
import { v2Endpoints } from './v2/v2Endpoints';
import { v3Endpoints } from './v3/v3Endpoints';

/** What `api --list --json` prints of each method of each endpoint. */
export const endpointListSchema = z.array(
  z.strictObject({
    layer: z.enum(['v2', 'v3']),
    method: z.enum(['GET', 'POST']),
    path: z.string().describe('As in the published description, without `/api/v2` or `/api/v3`.'),
    parameters: z.array(
      z.strictObject({
        name: z.string(),
        required: z.boolean(),
        repeated: z.boolean(),
        in: z.enum(['query', 'body']),
      }),
    ),
  }),
);

/** One method of one endpoint. */
export type EndpointListing = z.infer<typeof endpointListSchema>[number];

/** An endpoint with its client method's name. */
export interface NamedEndpoint {
  name: string;
  endpoint: Endpoint;
}

/** Every row of both tables, in order. */
export function allEndpoints(): NamedEndpoint[] {
  return [v2Endpoints, v3Endpoints].flatMap((table: Readonly<Record<string, Endpoint>>) =>
    Object.entries(table).map(([name, endpoint]) => ({ name, endpoint })),
  );
}

/** The endpoint of a layer with this client name or path, case-insensitive, with or without a leading slash. */
export function findEndpoint(layer: Layer, nameOrPath: string): NamedEndpoint | undefined {
  const wanted = nameOrPath.trim().replace(/^\//, '').toLowerCase();
  return allEndpoints().find(
    ({ name, endpoint }) =>
      endpoint.layer === layer &&
      (name.toLowerCase() === wanted || endpoint.path.slice(1).toLowerCase() === wanted),
  );
}

/** The endpoint with this id, see {@link endpointId}. */
export function endpointById(id: string): Endpoint | undefined {
  return allEndpoints().find(({ endpoint }) => endpointId(endpoint) === id)?.endpoint;
}

/** Both tables, flattened: one entry for each method of each endpoint. */
export function listEndpoints(): EndpointListing[] {
  return allEndpoints().flatMap(({ endpoint }) =>
    endpoint.methods.map((method) => ({
      layer: endpoint.layer,
      method,
      path: endpoint.path,
      parameters: Object.entries(endpoint.parameters).map(([name, { required, repeated }]) => ({
        name,
        required,
        repeated,
        in: method === 'GET' ? ('query' as const) : ('body' as const),
      })),
    })),
  );
}
