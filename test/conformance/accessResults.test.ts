import assert from 'node:assert/strict';
import type * as z from 'zod';
import { allEndpoints } from '../../src/toolkit/access/listEndpoints';
import { leafOf } from '../../src/toolkit/api/wire';
import { readDescription } from '../support/readDescription';

interface Schema {
  $ref?: string;
  type?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  oneOf?: Schema[];
  allOf?: Schema[];
}
interface Description {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
}

/**
 * Where the service differs from its description (the reference names each): we follow the service.
 * Path of the field: what is different.
 */
const differences: Record<string, string> = {
  'v3 /masterchainBlockShardState': 'answers blocks, not transactions',
  'v3 /masterchainBlockShards': 'answers blocks, not transactions',
  'v3 /runGetMethod': 'answers gas_used, exit_code and stack, not the request',
  'v2 /unpackAddress': 'answers a text',
};

/** Fields kept as sent: what they hold depends on a type that changes without notice. */
const leftOpen =
  /\.(?:in_msg|transaction)$|^v2 .*\.(?:account_state|content|data|config|state|unlocked_balance|description)\b|\.stack\[\]\./;

describe('the result schemas against the published descriptions', () => {
  for (const layer of ['v2', 'v3'] as const) {
    const description = readDescription(layer) as Description;
    for (const { endpoint } of allEndpoints().filter((one) => one.endpoint.layer === layer)) {
      const place = `${layer} ${endpoint.path}`;
      const operations = description.paths[`/api/${layer}${endpoint.path}`] ?? {};
      const described = Object.values(operations)[0]?.responses['200']?.content?.['application/json']?.schema;
      if (described === undefined || place in differences) {
        continue;
      }
      it(`${place}: every described field is in the schema, with its type`, () => {
        const envelope = resolve(description, described);
        const body = layer === 'v2' ? envelope.properties?.result : envelope;
        const problems: string[] = [];
        compare(description, body ?? {}, endpoint.result, place, problems, new Set());
        assert.deepEqual(problems, []);
      });
    }
  }
});

function compare(
  description: Description,
  described: Schema,
  schema: z.core.$ZodType,
  place: string,
  problems: string[],
  open: Set<string>,
): void {
  const inner = unwrap(schema);
  const mark = `${described.$ref ?? ''}`;
  if (mark !== '' && open.has(mark)) {
    return;
  }
  const within = new Set(open).add(mark);
  const expected = resolve(description, described);
  const leaf = leafOf(inner);
  const { def } = (inner as z.core.$ZodTypes)._zod;
  if (
    def.type === 'unknown' ||
    (expected.type === undefined && expected.properties === undefined && expected.oneOf === undefined)
  ) {
    return;
  }
  if (def.type === 'union') {
    // A description's oneOf against our union: each of theirs must fit one of ours.
    for (const option of expected.oneOf ?? [expected]) {
      const fits = def.options.some((one) => {
        const trial: string[] = [];
        compare(description, option, one, place, trial, within);
        return trial.length === 0;
      });
      if (!fits) {
        problems.push(`${place}: ${option.$ref ?? option.type} fits none of ours`);
      }
    }
    return;
  }
  if (expected.oneOf !== undefined) {
    expected.oneOf.forEach((option) => compare(description, option, inner, place, problems, within));
    return;
  }
  switch (expected.type) {
    case 'array':
      if (def.type !== 'array') {
        problems.push(`${place}: a list, ours is ${def.type}`);
        return;
      }
      compare(description, expected.items ?? {}, def.element, `${place}[]`, problems, within);
      return;
    case 'string':
    case 'integer':
    case 'number':
    case 'boolean': {
      const ours = leaf === undefined ? def.type : undefined;
      const wanted = expected.type === 'integer' ? 'number' : expected.type;
      const fits =
        ours === undefined
          ? wanted !== 'boolean' && accepts(leaf, wanted)
          : ours === wanted || ours === 'literal';
      if (!fits) {
        problems.push(`${place}: ${expected.type}, ours is ${ours ?? leaf?.expected}`);
      }
      return;
    }
    default:
      compareObject(description, expected, inner, place, problems, within);
  }
}

function compareObject(
  description: Description,
  expected: Schema,
  schema: z.core.$ZodType,
  place: string,
  problems: string[],
  open: Set<string>,
): void {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (expected.properties === undefined && def.type === 'record') {
    const values = expected.additionalProperties;
    if (typeof values === 'object') {
      compare(description, values, def.valueType, `${place}{}`, problems, open);
    }
    return;
  }
  if (def.type !== 'object') {
    problems.push(`${place}: an object, ours is ${def.type}`);
    return;
  }
  for (const [name, property] of Object.entries(expected.properties ?? {})) {
    const ours = def.shape[name];
    if (ours !== undefined) {
      compare(description, property, ours, `${place}.${name}`, problems, open);
    } else if (!leftOpen.test(`${place}.${name}`)) {
      problems.push(`${place}.${name} is missing`);
    }
  }
}

/** Whether a converted value takes what the description says travels. */
function accepts(leaf: ReturnType<typeof leafOf>, type: string): boolean {
  const samples = type === 'string' ? ['0', `${'A'.repeat(43)}=`, `0:${'A'.repeat(64)}`, 'pending'] : [0, 1];
  return samples.some((sample) => leaf?.check(sample));
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === 'optional' || def.type === 'nullable' ? unwrap(def.innerType) : schema;
}

function resolve(description: Description, schema: Schema): Schema {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return resolve(description, description.components.schemas[name] ?? {});
  }
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.flatMap((part) => Object.entries(resolve(description, part).properties ?? {}));
    return { type: 'object', properties: Object.fromEntries(parts) };
  }
  return schema;
}
