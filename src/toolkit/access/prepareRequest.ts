import { readAddressForm, toFriendlyAddress } from '../address/canonicalAddress';
import type { AccountsByName } from '../address/resolveAccount';
import { bareName } from '../address/resolveAccount';
import { upperHex } from '../address/hash';
import { WorkbenchError } from '../base/errors';
import type { Endpoint, Layer, Method } from './endpoint/endpoint';
import type { Canonical, Parameter } from './endpoint/parameter';
import { parameterInvalidError } from './errors';

/** A request without a host. */
export interface PreparedRequest {
  method: Method;
  /** Path and query, to append to the base URL. */
  target: string;
  body?: string;
}

/** Longer queries use POST if the endpoint accepts it: gateways reject lines above 8 KiB. */
const longestTarget = 4096;

/**
 * Checks the parameters of a call and converts them to the service's format. Undefined parameters are omitted;
 * unknown ones are rejected.
 * @throws WorkbenchError `parameter-invalid` (input) with details {field, offset?}
 */
export function prepareRequest(
  endpoint: Endpoint,
  given: Readonly<Record<string, unknown>>,
  {
    method,
    variant,
    otherNames = false,
  }: {
    method?: Method | undefined;
    variant?: V2Variant | undefined;
    /** Sends parameters under the names of other versions of the service. */
    otherNames?: boolean | undefined;
  } = {},
): PreparedRequest {
  if (method !== undefined && !endpoint.methods.includes(method)) {
    throw methodUnknownError(endpoint, method);
  }
  const values = readParameters(endpoint, withMainNames(endpoint, given));
  if (variant === 'Python') {
    checkPythonLimits(endpoint, values);
  }
  if (endpoint.methods.includes('GET') && method !== 'POST') {
    const target = endpoint.path + queryOf(endpoint, values, otherNames);
    if (method === 'GET' || target.length <= longestTarget || !endpoint.methods.includes('POST')) {
      return { method: 'GET', target };
    }
  }
  return { method: 'POST', target: endpoint.path, body: bodyOf(endpoint, values, otherNames) };
}

function checkPythonLimits(endpoint: Endpoint, values: ReadonlyMap<string, Canonical | Canonical[]>): void {
  for (const [name, value] of values) {
    const maximum = endpoint.parameters[name]?.maximumOnPython;
    if (maximum !== undefined && typeof value === 'number' && value > maximum) {
      const reason = `this service (API 2.0, Python) takes at most ${maximum}, not ${value}.`;
      throw parameterInvalidError(endpoint, name, reason);
    }
  }
}

function methodUnknownError(endpoint: Endpoint, method: Method): WorkbenchError {
  return new WorkbenchError({
    code: 'method-not-taken',
    kind: 'input',
    message: `${endpoint.layer} ${endpoint.path} does not take ${method}.`,
    hint: `It takes ${endpoint.methods.join(' and ')}.`,
  });
}

/** Whether a parameter of the endpoint has another name on other versions of the service. */
export function hasOtherNames({ parameters }: Endpoint): boolean {
  return Object.values(parameters).some(({ otherName }) => otherName !== undefined);
}

/** The same parameters under the names of the table. */
function withMainNames(
  endpoint: Endpoint,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let renamed: Record<string, unknown> | undefined;
  for (const [name, { otherName }] of Object.entries(endpoint.parameters)) {
    if (otherName !== undefined && given[otherName] !== undefined) {
      if (given[name] !== undefined) {
        throw parameterInvalidError(endpoint, otherName, `it is the same as ${name}; give only one of them.`);
      }
      renamed ??= { ...given };
      renamed[name] = renamed[otherName];
      delete renamed[otherName];
    }
  }
  return renamed ?? given;
}

/** Every given parameter in its canonical form; lists for repeated ones. */
function readParameters(
  endpoint: Endpoint,
  given: Readonly<Record<string, unknown>>,
): Map<string, Canonical | Canonical[]> {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(endpoint.parameters, name));
  if (unknown !== undefined) {
    const names = Object.keys(endpoint.parameters);
    const known = names.length === 0 ? 'it takes none.' : `it takes ${names.join(', ')}.`;
    throw parameterInvalidError(endpoint, unknown, `there is no such parameter; ${known}`);
  }
  const values = new Map<string, Canonical | Canonical[]>();
  for (const [name, parameter] of Object.entries(endpoint.parameters)) {
    const value = given[name] ?? (parameter.required ? parameter.default : undefined);
    if (value === undefined) {
      if (parameter.required) {
        throw parameterInvalidError(endpoint, name, 'it is required and missing.');
      }
      continue;
    }
    values.set(name, readParameter(endpoint, name, parameter, value));
  }
  return values;
}

/**
 * One parameter value, as given by code or typed by a person, in its canonical form.
 * @throws WorkbenchError `parameter-invalid` (input) with details {field, offset?}
 */
export function readParameter(
  endpoint: Endpoint,
  name: string,
  parameter: Parameter,
  value: unknown,
): Canonical | Canonical[] {
  if (!parameter.repeated) {
    return readOne(endpoint, name, parameter, value);
  }
  const items = Array.isArray(value) ? (value as unknown[]) : [value];
  if (items.length === 0 && parameter.required) {
    throw parameterInvalidError(endpoint, name, 'it needs at least one value.');
  }
  return items.map((item) => readOne(endpoint, name, parameter, item));
}

function readOne(endpoint: Endpoint, name: string, parameter: Parameter, value: unknown): Canonical {
  const result = parameter.schema.safeParse(value);
  if (result.success) {
    return result.data;
  }
  const [issue] = result.error.issues;
  const details = issue?.code === 'custom' ? issue.params : undefined;
  throw parameterInvalidError(endpoint, name, issue?.message ?? 'it has the wrong format.', details);
}

function queryOf(
  endpoint: Endpoint,
  values: ReadonlyMap<string, Canonical | Canonical[]>,
  otherNames: boolean,
): string {
  const pairs: string[] = [];
  for (const [name, value] of values) {
    const parameter = parameterNamed(endpoint, name);
    const items = parameter.repeated ? (value as Canonical[]) : [value];
    for (const item of items) {
      const wire = wireForm(endpoint.layer, parameter, item);
      const text = typeof wire === 'object' ? JSON.stringify(wire) : String(wire);
      const sent = (otherNames ? parameter.otherName : undefined) ?? name;
      pairs.push(`${encodeURIComponent(sent)}=${encodeURIComponent(text)}`);
    }
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function bodyOf(
  endpoint: Endpoint,
  values: ReadonlyMap<string, Canonical | Canonical[]>,
  otherNames: boolean,
): string {
  const body: Record<string, unknown> = {};
  for (const [name, value] of values) {
    const parameter = parameterNamed(endpoint, name);
    body[(otherNames ? parameter.otherName : undefined) ?? name] = parameter.repeated
      ? (value as Canonical[]).map((item) => wireForm(endpoint.layer, parameter, item))
      : wireForm(endpoint.layer, parameter, value);
  }
  return JSON.stringify(body);
}

function parameterNamed(endpoint: Endpoint, name: string): Parameter {
  const parameter = endpoint.parameters[name];
  if (parameter === undefined) {
    throw new WorkbenchError({ code: 'internal-error', kind: 'internal', message: `no parameter ${name}` });
  }
  return parameter;
}

/**
 * Converts a canonical value to the layer's format: v3 addresses raw with uppercase hex, v2 addresses user-friendly
 * (the form its oldest clients send), v3 shards hex, v2 shards signed decimal, 64-bit numbers decimal text.
 */
function wireForm(layer: Layer, { kind, asTyped }: Parameter, value: Canonical): Canonical {
  if (typeof value === 'bigint') {
    return value.toString();
  }
  if (kind === 'address' && typeof value === 'string' && !asTyped && value !== 'null') {
    const form = readAddressForm(value);
    // The user-friendly form has only one byte for the workchain.
    const isFriendly = layer === 'v2' && Math.abs(form.workchain) < 128;
    return isFriendly ? toFriendlyAddress(form, { bounceable: true, testOnly: false }) : upperHex(value);
  }
  if (kind === 'shard' && typeof value === 'string' && layer === 'v2') {
    return BigInt.asIntN(64, BigInt(`0x${value}`)).toString();
  }
  if (kind === 'method' && layer === 'v3') {
    return typeof value === 'number' ? value.toString() : value;
  }
  return value;
}

/** The two services that implement API v2. */
export type V2Variant = 'Python' | 'C++';

/**
 * Which service answers, by the minor number of its version, such as `2.1.11` or `v2.0.63`: 0 is Python, 1 is
 * C++. Undefined for any other, which is unspecified. What a service lacks is not derived from its version:
 * see askIfPresent.
 */
export function v2Variant(version: string | undefined): V2Variant | undefined {
  const minor = /^v?2\.(\d+)(?:\.|$)/.exec(version ?? '')?.[1];
  return minor === '0' ? 'Python' : minor === '1' ? 'C++' : undefined;
}

/** The endpoint's id in commands: `v3 traces`. */
export function endpointId(endpoint: Endpoint): string {
  return `${endpoint.layer} ${endpoint.path.slice(1)}`;
}

/** Converts text to a parameter: a list if it may be repeated, the address if it is an account's name or domain. */
export function parameterValue(
  { kind, repeated }: Pick<Parameter, 'kind' | 'repeated'>,
  text: string,
  accounts: AccountsByName,
): string | string[] {
  const one = (part: string): string => (kind === 'address' ? (accounts.get(bareName(part)) ?? part) : part);
  return repeated
    ? text
        .split(/[\s,]+/)
        .filter(Boolean)
        .map(one)
    : one(text.trim());
}
