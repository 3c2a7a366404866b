import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import { readDescription } from '../../support/readDescription';

/** Something that is not as the description says. */
export interface Finding {
  /** The described object it is about, such as `Message`, or an operation such as `GET /blocks`. */
  schema: string;
  /** The field inside it: `/source`, `/token_info[]`; empty for the object itself. */
  pointer: string;
  /** For example `is null`, `is missing`, `is not described`. */
  finding: string;
}

export interface Schema {
  $ref?: string;
  type?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  oneOf?: Schema[];
  allOf?: Schema[];
  enum?: unknown[];
}
interface ParameterObject {
  $ref?: string;
  name: string;
  required?: boolean;
  schema: Schema;
}
interface Content {
  $ref?: string;
  content?: Record<string, { schema: Schema }>;
}
export interface Operation {
  parameters?: ParameterObject[];
  requestBody?: Content;
  responses: Record<string, Content>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters?: Record<string, ParameterObject>;
    responses?: Record<string, Content>;
  };
}

/** A published OpenAPI description, ready to check requests and answers against. */
export class ApiDescription {
  readonly #document: Document;
  readonly #ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    discriminator: true,
    validateFormats: false,
  });
  readonly #coercing = new Ajv2020({ strict: false, coerceTypes: true, validateFormats: false });
  readonly #places: ReadonlyMap<Schema, string>;
  readonly #validators = new Map<string, ValidateFunction>();

  constructor(readonly layer: 'v2' | 'v3') {
    this.#document = readDescription(layer) as Document;
    const { schemas } = this.#document.components;
    visit(this.#document, (schema) => {
      if (typeof schema.type === 'string' && schema.type.startsWith('#')) {
        // A reference in the wrong place.
        schema.$ref = schema.type;
        delete schema.type;
      }
    });
    visit(schemas, (schema) => {
      this.#merge(schema);
      // v3 leaves its objects open, which would let any misspelt field through.
      if (schema.properties !== undefined && layer === 'v3') {
        schema.additionalProperties ??= false;
      }
      if (schema.discriminator?.mapping !== undefined) {
        const { propertyName, mapping } = schema.discriminator;
        schema.type = 'object';
        schema.required = [propertyName];
        for (const target of Object.values(mapping)) {
          const option = this.resolve({ $ref: target });
          option.required = [...new Set([...(option.required ?? []), propertyName])];
        }
        delete schema.discriminator.mapping;
      }
    });
    this.#places = placesOf(schemas);
    this.#ajv.addSchema(this.#document, layer);
    this.#coercing.addSchema(this.#document, layer);
  }

  /** Parts of a whole that each allow nothing but themselves fit nothing: they are made one. */
  #merge(schema: Schema): void {
    if (schema.allOf === undefined) {
      return;
    }
    const parts = schema.allOf.map((part) => this.resolve(part));
    delete schema.allOf;
    schema.type = 'object';
    schema.additionalProperties = false;
    schema.properties = Object.assign({}, ...parts.map(({ properties }) => properties)) as Record<
      string,
      Schema
    >;
    schema.required = parts.flatMap(({ required = [] }) => required);
  }

  /** Every operation, paths without the prefix. */
  operations(): { verb: 'GET' | 'POST'; path: string; operation: Operation }[] {
    return Object.entries(this.#document.paths).flatMap(([full, operations]) =>
      Object.entries(operations).map(([verb, operation]) => ({
        verb: verb.toUpperCase() as 'GET' | 'POST',
        path: full.slice(`/api/${this.layer}`.length),
        operation,
      })),
    );
  }

  /** Names of the parameters of a query, or of the fields of a body. */
  parameterNames(operation: Operation): string[] {
    const body = operation.requestBody?.content?.['application/json']?.schema;
    return [
      ...this.#parameters(operation).map(({ name }) => name),
      ...Object.keys(body === undefined ? {} : (this.resolve(body).properties ?? {})),
    ];
  }

  #parameters(operation: Operation): ParameterObject[] {
    const { parameters = {} } = this.#document.components;
    return (operation.parameters ?? []).map((one) =>
      one.$ref === undefined ? one : (parameters[lastPart(one.$ref)] as ParameterObject),
    );
  }

  /** Checks a query's parameters: names, presence, and types as far as text tells them. */
  checkQuery(place: string, operation: Operation, query: Readonly<Record<string, unknown>>): Finding[] {
    const described = this.#parameters(operation);
    const findings: Finding[] = [];
    for (const name of Object.keys(query)) {
      if (!described.some((one) => one.name === name)) {
        findings.push({ schema: place, pointer: `?${name}`, finding: 'is not described' });
      }
    }
    for (const { name, required, schema } of described) {
      const value = query[name];
      if (value === undefined) {
        if (required === true) {
          findings.push({ schema: place, pointer: `?${name}`, finding: 'is missing' });
        }
      } else if (!this.#fits(schema, value)) {
        findings.push({ schema: place, pointer: `?${name}`, finding: `is ${wordOf(value)}` });
      }
    }
    return findings;
  }

  #fits(schema: Schema, value: unknown): boolean {
    const text = JSON.stringify(schema).replaceAll('"#/', `"${this.layer}#/`);
    const validate = this.#validators.get(text) ?? this.#coercing.compile(JSON.parse(text) as Schema);
    this.#validators.set(text, validate);
    return validate({ value }.value);
  }

  /** Checks a body against a described object (`name`), or the operation's own request. */
  checkBody(place: string, name: string | Operation, body: unknown): Finding[] {
    const schema =
      typeof name === 'string'
        ? { $ref: `#/components/schemas/${name}` }
        : name.requestBody?.content?.['application/json']?.schema;
    return schema === undefined ? [] : this.check(place, schema, body);
  }

  /** The schema of an answer with this status; undefined where the description has none. */
  answerSchema(operation: Operation, status: number): Schema | undefined {
    const found = operation.responses[status];
    const response =
      found?.$ref === undefined ? found : this.#document.components.responses?.[lastPart(found.$ref)];
    return response?.content?.['application/json']?.schema;
  }

  check(place: string, schema: Schema, value: unknown): Finding[] {
    const text = `strict ${JSON.stringify(schema)}`;
    let validate = this.#validators.get(text);
    if (validate === undefined) {
      const absolute = JSON.stringify(schema).replaceAll('"#/', `"${this.layer}#/`);
      validate = this.#ajv.compile(JSON.parse(absolute) as Schema);
      this.#validators.set(text, validate);
    }
    return validate(value) ? [] : this.#findings(place, validate.errors ?? []);
  }

  hasSchema(name: string): boolean {
    return Object.hasOwn(this.#document.components.schemas, name);
  }

  resolve(schema: Schema): Schema {
    return schema.$ref === undefined
      ? schema
      : this.resolve(this.#document.components.schemas[lastPart(schema.$ref)] ?? {});
  }

  /** Calls back for every described field of an object that is present in the value, and for every one that could be. */
  visitFields(schema: Schema, value: unknown, seen: (field: string, present: boolean) => void): void {
    const name = schema.$ref === undefined ? undefined : lastPart(schema.$ref);
    const { properties, items, additionalProperties } = this.resolve(schema);
    if (Array.isArray(value)) {
      value.forEach((item) => this.visitFields(items ?? {}, item, seen));
    } else if (typeof value === 'object' && value !== null) {
      const fields = value as Record<string, unknown>;
      for (const [key, inner] of Object.entries(properties ?? {})) {
        if (name !== undefined) {
          seen(`${name}/${key}`, fields[key] !== undefined && fields[key] !== null);
        }
        this.visitFields(inner, fields[key], seen);
      }
      if (typeof additionalProperties === 'object') {
        Object.values(fields).forEach((item) => this.visitFields(additionalProperties, item, seen));
      }
    }
  }

  /** What is wrong, by the described object it is wrong about. */
  #findings(place: string, errors: readonly ErrorObject[]): Finding[] {
    const choices = errors.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'discriminator');
    // What the options of a failed choice complain about says nothing.
    const telling = errors.filter(
      (error) =>
        choices.includes(error) ||
        !choices.some(({ instancePath }) => error.instancePath.startsWith(instancePath)),
    );
    const findings = telling.map((error) => {
      const found = this.#places.get(error.parentSchema as Schema);
      const [schema = '', pointer = ''] = found?.split(' ') ?? [place];
      return findingOf(schema, pointer, error);
    });
    return [...new Map(findings.map((one) => [JSON.stringify(one), one])).values()];
  }
}

function findingOf(schema: string, pointer: string, error: ErrorObject): Finding {
  const parameters = error.params as Record<string, string>;
  switch (error.keyword) {
    case 'required':
      return { schema, pointer: `${pointer}/${parameters['missingProperty']}`, finding: 'is missing' };
    case 'additionalProperties':
      return {
        schema,
        pointer: `${pointer}/${parameters['additionalProperty']}`,
        finding: 'is not described',
      };
    case 'type':
      return { schema, pointer, finding: `is ${wordOf(error.data)}` };
    default:
      return { schema, pointer, finding: `fails ${error.keyword}` };
  }
}

/** `Message /source` for each part of each described object. */
function placesOf(schemas: Record<string, Schema>): Map<Schema, string> {
  const places = new Map<Schema, string>();
  const note = (schema: Schema | boolean | undefined, place: string): void => {
    if (typeof schema !== 'object') {
      return;
    }
    places.set(schema, place);
    Object.entries(schema.properties ?? {}).forEach(([name, inner]) => note(inner, `${place}/${name}`));
    note(schema.items, `${place}[]`);
    note(schema.additionalProperties, `${place}{}`);
    [...(schema.oneOf ?? []), ...(schema.allOf ?? [])].forEach((inner) => note(inner, place));
  };
  Object.entries(schemas).forEach(([name, schema]) => note(schema, `${name} `));
  return places;
}

function wordOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}

function visit(schemas: unknown, callback: (schema: Schema) => void): void {
  if (typeof schemas === 'object' && schemas !== null) {
    if (!Array.isArray(schemas)) {
      callback(schemas);
    }
    Object.values(schemas).forEach((inner) => visit(inner, callback));
  }
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
