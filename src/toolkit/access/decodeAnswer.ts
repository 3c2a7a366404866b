import type * as z from 'zod';
import { answerReader } from '../api/answerReader';
import type { ShapeFailure } from '../api/answerSteps';
import { ownValue } from '../base/collections';
import type { Endpoint } from './endpoint/endpoint';
import { wrongShapeError } from './errors';
import { v2Endpoints } from './v2/v2Endpoints';

/**
 * Decodes an endpoint's answer; for v2, the `result` inside its envelope. `json` is converted in place and must not
 * be used afterward.
 * @throws WorkbenchError `wrong-shape` (service) with details {path, field, expected}
 */
export function decodeAnswer<E extends Endpoint>(endpoint: E, json: unknown): z.output<E['result']> {
  const reader = answerReader(endpoint.result);
  if (endpoint.layer === 'v3') {
    const read = reader.decode(json);
    if ('failure' in read) {
      throw wrongShapeError(endpoint, read.failure);
    }
    return read.value as z.output<E['result']>;
  }
  const read = reader.decode(resultOf(endpoint, json));
  if ('failure' in read) {
    throw wrongShapeError(endpoint, inResult(read.failure));
  }
  return read.value as z.output<E['result']>;
}

/**
 * Validates like {@link decodeAnswer}, without changing `json`.
 * @throws WorkbenchError `wrong-shape` (service)
 */
export function checkAnswer(endpoint: Endpoint, json: unknown): void {
  const reader = answerReader(endpoint.result);
  const failure =
    endpoint.layer === 'v3' ? reader.check(json) : inResult(reader.check(resultOf(endpoint, json)));
  if (failure !== undefined) {
    throw wrongShapeError(endpoint, failure);
  }
}

function resultOf(endpoint: Endpoint, json: unknown): unknown {
  if (typeof json !== 'object' || json === null || (json as { ok?: unknown }).ok !== true) {
    throw wrongShapeError(endpoint, { path: ['ok'], expected: 'true' });
  }
  return (json as { result?: unknown }).result;
}

function inResult<Failure extends ShapeFailure | undefined>(failure: Failure): Failure {
  return failure && { ...failure, path: ['result', ...failure.path] };
}

/**
 * Whether a call sends something to the chain: on the main network it needs consent, and it is never retried. For
 * JSON-RPC its method decides; unknown methods count as sending.
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
