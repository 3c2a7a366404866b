import type { ShapeFailure } from '../api/answerSteps';
import type { ErrorCode } from '../base/errorCodes';
import type { ErrorKind } from '../base/errors';
import { WorkbenchError } from '../base/errors';
import { isLoopbackHost } from '../base/loopback';
import type { Endpoint } from './endpoint/endpoint';
import { isPublicOrigin } from './network';

/** The call that caused an error. */
export interface CallContext {
  endpoint: Endpoint;
  /** Scheme, host and port of the network. */
  origin: string;
  hasKey: boolean;
  /** Sends something to the chain, so it is never retried. */
  changesChain: boolean;
}

const nameOf = ({ endpoint }: CallContext): string => `${endpoint.layer} ${endpoint.path}`;

function accessError(
  context: CallContext,
  code: ErrorCode,
  kind: ErrorKind,
  message: string,
  hint: string,
  rest: { details?: Record<string, unknown>; cause?: unknown } = {},
): WorkbenchError {
  return new WorkbenchError({
    code,
    kind,
    message,
    hint,
    details: {
      endpoint: nameOf(context),
      origin: context.origin,
      changesChain: context.changesChain,
      ...rest.details,
    },
    cause: rest.cause,
  });
}

/** A parameter that cannot be sent: `parameter-invalid` (input), with its name, the problem in words and, for texts, the offset. */
export function parameterInvalidError(
  endpoint: Endpoint,
  field: string,
  reason: string,
  details: Record<string, unknown> = {},
): WorkbenchError {
  return new WorkbenchError({
    code: 'parameter-invalid',
    kind: 'input',
    message: `The parameter ${field} of ${endpoint.layer} ${endpoint.path} is invalid: ${reason}`,
    hint: 'docs/api.md lists every parameter and its formats.',
    details: { endpoint: `${endpoint.layer} ${endpoint.path}`, field, ...details, problem: reason },
  });
}

/** The network has no URL for this API: `api-missing` (input). */
export function apiMissingError(endpoint: Endpoint, network: string): WorkbenchError {
  return new WorkbenchError({
    code: 'api-missing',
    kind: 'input',
    message: `The network ${network} has no ${endpoint.layer} API, which ${endpoint.path} needs.`,
    hint: `Give the network a ${endpoint.layer} URL or choose another network.`,
    details: { endpoint: `${endpoint.layer} ${endpoint.path}`, network },
  });
}

/** No connection could be made: `unreachable` (network). Nothing was delivered. */
export function unreachableError(context: CallContext, reason: string, cause: unknown): WorkbenchError {
  return accessError(
    context,
    'unreachable',
    'network',
    `${context.origin} cannot be reached: ${reason}.`,
    'Check the network, its address, and the proxy settings.',
    { details: { reason }, cause },
  );
}

/** The connection broke before the answer was complete: `connection-lost` (network). */
export function connectionLostError(context: CallContext, reason: string, cause: unknown): WorkbenchError {
  return accessError(
    context,
    'connection-lost',
    'network',
    `The connection to ${context.origin} broke during ${nameOf(context)}: ${reason}.`,
    'Try again; the request may or may not have been executed.',
    { details: { reason }, cause },
  );
}

/** No complete answer in time: `timeout` (network). */
export function timeoutError(context: CallContext, afterMs: number): WorkbenchError {
  const missingKey = missingKeySentence(context, 'overloaded');
  return accessError(
    context,
    'timeout',
    'network',
    `${context.origin} did not answer ${nameOf(context)} within ${(afterMs / 1000).toLocaleString('en')} s.`,
    missingKey ?? 'Try again, or request less at once.',
    { details: { afterMs, ...(missingKey === undefined ? {} : { isKeyLikely: true }) } },
  );
}

/** The service asked for a longer pause than this call allows: `rate-limited` (service). Nothing was sent. */
export function heldOffError(context: CallContext, heldMs: number): WorkbenchError {
  const missingKey = missingKeySentence(context, 'refused');
  return accessError(
    context,
    'rate-limited',
    'service',
    `${context.origin} asked for a pause of ${Math.ceil(heldMs / 1000)} s more, so ${nameOf(context)} was not sent.`,
    missingKey ?? 'Wait that long.',
    {
      details: {
        hasKey: context.hasKey,
        retryAfterMs: heldMs,
        ...(missingKey === undefined ? {} : { isKeyLikely: true }),
      },
    },
  );
}

/** The answer is larger than the cap: `too-large` (service). */
export function tooLargeError(context: CallContext, maximumBytes: number): WorkbenchError {
  return accessError(
    context,
    'too-large',
    'service',
    `The answer to ${nameOf(context)} is larger than ${maximumBytes.toLocaleString('en')} bytes and was not read to the end.`,
    'Request less with limit, or raise the cap.',
    { details: { maximumBytes } },
  );
}

/** The service redirects to another origin: `redirect-refused` (service). The key was not sent there. */
export function redirectRefusedError(context: CallContext, status: number, target: string): WorkbenchError {
  return accessError(
    context,
    'redirect-refused',
    'service',
    `${context.origin} redirects ${nameOf(context)} to ${target}, which was not followed.`,
    "Change the network's URL to the right address.",
    { details: { status, target } },
  );
}

/** The answer is not JSON: `not-json` (service). */
export function notJsonError(context: CallContext, status: number, excerpt: string): WorkbenchError {
  return accessError(
    context,
    'not-json',
    'service',
    `${context.origin} answered ${nameOf(context)} with something that is not JSON: ${JSON.stringify(excerpt)}.`,
    'Check that the address is a TON Center API.',
    { details: { status, excerpt } },
  );
}

/** The answer is truncated JSON: `cut-json` (service). */
export function cutJsonError(context: CallContext, status: number, length: number): WorkbenchError {
  return accessError(
    context,
    'cut-json',
    'service',
    `The answer to ${nameOf(context)} is cut off after ${length.toLocaleString('en')} characters.`,
    'Try again; if it happens again, a proxy may be cutting off answers.',
    { details: { status, length } },
  );
}

/** The answer is not UTF-8: `not-utf8` (service). */
export function notUtf8Error(context: CallContext, status: number): WorkbenchError {
  return accessError(
    context,
    'not-utf8',
    'service',
    `The answer to ${nameOf(context)} is not valid UTF-8.`,
    'Check that the address is a TON Center API and that no proxy changes answers.',
    { details: { status } },
  );
}

/** The answer is JSON of the wrong shape: `wrong-shape` (service), with the path of the field. */
export function wrongShapeError(endpoint: Endpoint, { path, expected }: ShapeFailure): WorkbenchError {
  const field = path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
  const name = `${endpoint.layer} ${endpoint.path}`;
  return new WorkbenchError({
    code: 'wrong-shape',
    kind: 'service',
    message: `The answer to ${name} ${expected === 'a value' ? `has no ${field}` : `is not as expected: ${field === '' ? 'it' : field} is not ${expected}`}.`,
    hint: 'The service may have a different version.',
    details: { endpoint: name, path, field, expected },
  });
}

/** The places to set a key, in the editor and on the command line. */
const places =
  'TON: API Key… in the editor, or with --api-key-file or the variable TON_API_KEY on the command line';

/** What to do, as a sentence. */
export const setKeySentence = `Set a key with ${places}.`;

/**
 * A sentence that names a missing API key as the likely cause and says how to set one; undefined if that is not likely.
 * Any service may refuse requests without a key (429). The public ones also answer late, with 503, or with 500 and
 * "context deadline exceeded" then; elsewhere, these have other causes.
 */
export function missingKeySentence(
  { origin, hasKey }: { origin: string; hasKey: boolean },
  shape: 'refused' | 'overloaded',
): string | undefined {
  const isLikely =
    !hasKey && !isLoopbackHost(new URL(origin).host) && (shape === 'refused' || isPublicOrigin(origin));
  return isLikely ? `The likely cause is that no API key is set: set one with ${places}.` : undefined;
}
