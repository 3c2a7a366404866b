/** @typedef {Record<string, unknown>} Fields */
/** @typedef {(value: unknown) => unknown} Reduce */

/**
 * @param {unknown} value
 * @returns {value is Fields}
 */
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Keeps the named fields of an object, each reduced in its own way; everything else is left out.
 * @param {() => Record<string, Reduce>} kept a function, because schemas hold schemas
 * @returns {Reduce}
 */
const fields = (kept) => (value) => {
  if (!isObject(value)) {
    return value;
  }
  const known = kept();
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const reduce = Object.hasOwn(known, name) ? known[name] : undefined;
      return reduce === undefined ? [] : [[name, reduce(inner)]];
    }),
  );
};

/**
 * An object whose keys the description chooses, such as property names: all are kept.
 * @param {Reduce} reduce
 * @returns {Reduce}
 */
const named = (reduce) => (value) =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, reduce(inner)]))
    : value;

/**
 * @param {Reduce} reduce
 * @returns {Reduce}
 */
const each = (reduce) => (value) => (Array.isArray(value) ? value.map(reduce) : value);

/** @type {Reduce} */
const asIs = (value) => value;

/**
 * @param {string[]} names
 * @returns {Record<string, Reduce>}
 */
const plain = (...names) => Object.fromEntries(names.map((name) => [name, asIs]));

const schema = fields(() => ({
  ...plain('$ref', 'type', 'format', 'nullable', 'enum', 'const', 'default', 'required'),
  ...plain('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'pattern'),
  ...plain('minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems'),
  properties: named(schema),
  additionalProperties: schema,
  items: schema,
  oneOf: each(schema),
  anyOf: each(schema),
  allOf: each(schema),
  discriminator: fields(() => plain('propertyName', 'mapping')),
}));
const content = named(fields(() => ({ schema })));
const parameter = fields(() => ({
  ...plain('$ref', 'name', 'in', 'required', 'explode', 'style'),
  schema,
}));
const body = fields(() => ({ ...plain('$ref', 'required'), content }));
const operation = fields(() => ({
  parameters: each(parameter),
  requestBody: body,
  responses: named(body),
}));
const pathItem = fields(() => ({
  parameters: each(parameter),
  ...Object.fromEntries(['get', 'put', 'post', 'delete', 'patch', 'head'].map((verb) => [verb, operation])),
}));
const document = fields(() => ({
  openapi: asIs,
  info: fields(() => plain('version')),
  paths: named(pathItem),
  components: fields(() => ({
    parameters: named(parameter),
    responses: named(body),
    requestBodies: named(body),
    schemas: named(schema),
  })),
}));

/**
 * An OpenAPI description without its prose: paths, methods, parameters, bodies, statuses and schemas are kept, with
 * names, types, limits, allowed values, and required fields; summaries, descriptions, titles, examples, and tags are
 * dropped.
 * @param {unknown} description a parsed OpenAPI 3 document
 * @returns {unknown}
 */
export const reduceDescription = (description) => document(description);
