import assert from 'node:assert/strict';
import { allEndpoints, findEndpoint, listEndpoints } from '../../src/toolkit/access/listEndpoints';
import type { EndpointListing } from '../../src/toolkit/access/listEndpoints';
import type { Layer, Method } from '../../src/toolkit/access/endpoint/endpoint';
import { readDescription } from '../support/readDescription';

/** The parts of an OpenAPI description this test reads. */
interface Schema {
  $ref?: string;
  type?: string;
  items?: Schema;
  enum?: string[];
  default?: unknown;
  minimum?: number;
  maximum?: number;
  required?: string[];
  properties?: Record<string, Schema>;
}
interface Reference {
  $ref: string;
}
interface ParameterObject {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}
interface Operation {
  parameters?: (Reference | ParameterObject)[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Description {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; parameters?: Record<string, ParameterObject> };
}
type Listed = EndpointListing['parameters'][number];
interface Described {
  name: string;
  required: boolean;
  in: string;
  schema: Schema;
}

describe('the endpoint tables against the published descriptions', () => {
  for (const [layer, paths] of [
    ['v2', 34],
    ['v3', 48],
  ] as const) {
    const description = readDescription(layer) as Description;

    it(`${layer}: the description has the ${paths} paths that this test covers`, () => {
      assert.equal(Object.keys(description.paths).length, paths);
    });

    for (const [fullPath, operations] of Object.entries(description.paths)) {
      for (const [verb, operation] of Object.entries(operations)) {
        const method = verb.toUpperCase() as Method;
        const endpointPath = fullPath.replace(`/api/${layer}`, '');
        it(`${layer} ${method} ${endpointPath}: has every parameter, required if the description says so`, () => {
          checkOperation(layer, method, endpointPath, describedParameters(description, operation));
        });
      }
    }
  }

  it('has two v2 endpoints that are not in the description, and no others', () => {
    const described = new Set(
      (['v2', 'v3'] as const).flatMap((layer) => Object.keys((readDescription(layer) as Description).paths)),
    );
    const besides = allEndpoints().filter(
      ({ endpoint }) => !described.has(`/api/${endpoint.layer}${endpoint.path}`),
    );
    assert.deepEqual(besides.map(({ name }) => name).sort(), ['dnsResolve', 'getShardAccountCell']);
    assert.ok(besides.every(({ endpoint }) => endpoint.isUndescribed));
  });
});

function checkOperation(layer: Layer, method: Method, endpointPath: string, described: Described[]): void {
  const listing = listEndpoints().find(
    (entry) => entry.layer === layer && entry.method === method && entry.path === endpointPath,
  );
  assert.ok(listing, 'missing in the table');
  const { endpoint } = findEndpoint(layer, endpointPath) ?? assert.fail('not found by its path');
  for (const { name, required, in: place, schema } of described) {
    const listed: Listed | undefined = listing.parameters.find((one) => one.name === name);
    const parameter = endpoint.parameters[name];
    assert.ok(listed && parameter, `${name} is missing`);
    assert.equal(listed.in, place, `${name} travels elsewhere`);
    if (required) {
      assert.equal(listed.required, true, `${name} is required`);
    }
    // The stack is one value that is a list; everything else that is a list is repeated.
    if (schema.type === 'array' && parameter.kind !== 'stack') {
      assert.equal(listed.repeated, true, `${name} is a list`);
    }
    const words = schema.enum ?? schema.items?.enum ?? [];
    assert.deepEqual(
      words.filter((word) => !parameter.choices?.includes(word)),
      [],
      `words of ${name}`,
    );
    if (schema.default !== undefined) {
      assert.equal(parameter.default, schema.default, `default of ${name}`);
    }
    if (schema.minimum !== undefined && parameter.kind !== 'time') {
      assert.equal(parameter.minimum, schema.minimum, `minimum of ${name}`);
    }
    if (schema.maximum !== undefined) {
      assert.equal(parameter.maximum ?? parameter.usualMaximum, schema.maximum, `maximum of ${name}`);
    }
  }
  const known = new Set(described.map(({ name }) => name));
  assert.deepEqual(
    listing.parameters.filter(({ name }) => !known.has(name)),
    [],
    'parameters the description lacks',
  );
}

function describedParameters(description: Description, operation: Operation): Described[] {
  const given = (operation.parameters ?? []).map((one): ParameterObject => {
    const found = '$ref' in one ? description.components.parameters?.[lastPart(one.$ref)] : one;
    return found ?? assert.fail('a parameter the description does not define');
  });
  const inQuery = given.map(({ name, required = false, in: place, schema }) => ({
    name,
    required,
    in: place,
    schema: resolve(description, schema),
  }));
  const body = operation.requestBody?.content['application/json']?.schema;
  const { properties = {}, required = [] } = body === undefined ? {} : resolve(description, body);
  const inBody = Object.entries(properties).map(([name, schema]) => ({
    name,
    required: required.includes(name),
    in: 'body',
    schema: resolve(description, schema),
  }));
  return [...inQuery, ...inBody];
}

function resolve(description: Description, schema: Schema): Schema {
  return schema.$ref === undefined
    ? schema
    : resolve(description, description.components.schemas[lastPart(schema.$ref)] ?? {});
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
