import type { ErrorCode } from '../base/errorCodes';
import type { ErrorKind } from '../base/errors';
import { WorkbenchError, withoutTrailing } from '../base/errors';
import type { CallContext } from './errors';
import { missingKeySentence } from './errors';

/** An error answer: the HTTP status (or the body's `code`), and the service's own words. */
export interface Refusal {
  status: number;
  /** The body's `code`, if any. */
  code?: number | undefined;
  text: string;
  isHtml: boolean;
  /** The delay requested by the service, in milliseconds. */
  retryAfterMs?: number | undefined;
}

interface Reading {
  code: ErrorCode;
  kind: ErrorKind;
  what: string;
  hint: string;
  details?: Record<string, unknown>;
}

/**
 * The error for an unsuccessful answer. Codes: `rate-limited`, `unauthorized`, `wrong-network-key`, `forbidden`,
 * `bad-request` (details.field), `not-found`, `conflict`, `history-missing`, `fork-read-failed` (network),
 * `message-rejected` (failed; details.exitCode, gasUsed, vmLog), `service-failure`. v3 statuses are unreliable: see
 * the notes in the readers.
 */
export function serviceError(context: CallContext, refusal: Refusal): WorkbenchError {
  const { code, kind, what, hint, details } = read(context, refusal);
  const { endpoint, origin } = context;
  const words = firstLine(refusal.text);
  const told = words === '' ? '' : `: ${words}`;
  const { status, code: serviceCode } = refusal;
  const number = `status ${status}${serviceCode === undefined || serviceCode === status ? '' : `, code ${serviceCode}`}`;
  return new WorkbenchError({
    code,
    kind,
    message: `${endpoint.layer} ${endpoint.path} ${what} (${number})${told}.`,
    hint,
    details: {
      endpoint: `${endpoint.layer} ${endpoint.path}`,
      origin,
      changesChain: context.changesChain,
      hasKey: context.hasKey,
      status,
      ...(serviceCode === undefined ? {} : { serviceCode }),
      serviceText: refusal.text,
      isHtml: refusal.isHtml,
      ...(refusal.retryAfterMs === undefined ? {} : { retryAfterMs: refusal.retryAfterMs }),
      ...details,
    },
  });
}

/** Milliseconds until a service may be asked again: as long as it wants, but at least `ownMs`. */
export function pauseAfter(error: unknown, ownMs: number): number {
  const asked = error instanceof WorkbenchError ? error.details.retryAfterMs : undefined;
  return typeof asked === 'number' ? Math.max(asked, ownMs) : ownMs;
}

function read(context: CallContext, refusal: Refusal): Reading {
  const { status, text } = refusal;
  const byText = readText(context, text);
  if (byText !== undefined) {
    return byText;
  }
  switch (status) {
    case 401:
      // v3 answers 401 for a missing parameter.
      return /is required/.test(text) ? badRequest(context, text) : unauthorized(context);
    case 403:
      return forbidden(context, text);
    case 404:
      return isUnknownMethod(context, text)
        ? doesNotExist
        : {
            code: 'not-found',
            kind: 'service',
            what: 'found nothing',
            hint: 'Check the values and the network.',
          };
    case 407:
      return {
        code: 'proxy-refused',
        kind: 'network',
        what: 'was refused by the proxy, which requires a user name and password',
        hint: 'Put them in the proxy URL: http://user:password@host:port.',
      };
    case 409:
      return {
        code: 'conflict',
        kind: 'service',
        what: 'does not fit this account',
        hint: 'This endpoint is for another kind of contract.',
      };
    case 429:
      return {
        code: 'rate-limited',
        kind: 'service',
        what: 'was refused because of too many requests',
        ...keyHint(
          missingKeySentence(context, 'refused'),
          context.hasKey
            ? 'Wait a moment; the limit applies to all keys of your plan together.'
            : 'Wait a moment.',
        ),
      };
    default:
      return status < 500 ? badRequest(context, text) : failure(context, refusal);
  }
}

/** Texts more specific than their status. */
function readText(context: CallContext, text: string): Reading | undefined {
  if (/cannot apply external message|External message was not accepted/.test(text)) {
    return messageRejected(text);
  }
  if (/lt not in db|seqno not in db|state already gc/i.test(text)) {
    return {
      code: 'history-missing',
      kind: 'service',
      what: 'needs a block this node no longer has, or does not have yet',
      hint: 'For old transactions use archival=true; for new blocks wait a few seconds.',
    };
  }
  if (/^this fork could not read /.test(text)) {
    return {
      code: 'fork-read-failed',
      kind: 'network',
      what: 'needs the network behind this fork',
      hint: 'Check that the network behind it is running and reachable, then try again. What was read before still works.',
    };
  }
  // v3 wraps rejected limits and sort orders, and unknown routes, as 500.
  if (/limit is not allowed|wrong value for sort/.test(text)) {
    return badRequest(context, text);
  }
  if (/Cannot (?:GET|POST) \/|^unknown method$/i.test(text)) {
    return doesNotExist;
  }
  return undefined;
}

const doesNotExist: Reading = {
  code: 'not-found',
  kind: 'service',
  what: 'does not exist on this service',
  hint: 'The service may be another version, or its URL may be wrong.',
  details: { isMissingMethod: true },
};

/** The C++ service's words for a method that it lacks; what it cannot find, it names. */
function isUnknownMethod({ endpoint }: CallContext, text: string): boolean {
  return endpoint.layer === 'v2' && /^not found$/i.test(text.trim());
}

function unauthorized({ hasKey }: CallContext): Reading {
  return {
    code: 'unauthorized',
    kind: 'service',
    what: 'was refused: the API key is missing or unknown',
    hint: hasKey
      ? 'Check the key; a new one takes up to 10 minutes to work.'
      : 'Set an API key for this network.',
  };
}

function forbidden({ hasKey }: CallContext, text: string): Reading {
  if (hasKey || /network not allowed/i.test(text)) {
    return {
      code: 'wrong-network-key',
      kind: 'service',
      what: 'was refused: the API key is not for this network',
      hint: 'A key belongs to one network: set the key for this network.',
    };
  }
  return {
    code: 'forbidden',
    kind: 'service',
    what: 'was refused',
    hint: 'The service may require an API key.',
  };
}

function badRequest({ endpoint }: CallContext, text: string): Reading {
  const names = Object.keys(endpoint.parameters);
  const quoted = /"([a-z_]+)"/.exec(text)?.[1];
  const field =
    quoted !== undefined && names.includes(quoted)
      ? quoted
      : names.find((name) => new RegExp(`\\b${name}\\b`).test(text));
  return {
    code: 'bad-request',
    kind: 'service',
    what: field === undefined ? 'refused the request' : `refused the parameter ${field}`,
    hint: 'Check the values.',
    ...(field === undefined ? {} : { details: { field } }),
  };
}

/** The contract rejected the message, or it is not a message; the text holds the exit code and the TVM's log. */
function messageRejected(text: string): Reading {
  const numbers = /exitcode=(-?\d+), steps=(\d+), gas_used=(\d+)/.exec(text);
  const log = /VM Log \(truncated\):\n([\s\S]*)$/.exec(text)?.[1];
  if (numbers === null) {
    const isBroken = /failed to parse external message/.test(text);
    return {
      code: 'message-rejected',
      kind: 'failed',
      what: isBroken ? 'refused the message: it is not an external message' : 'refused the message',
      hint: isBroken
        ? 'Check that the BoC is a complete external-in message.'
        : 'Check that the destination exists and holds enough coins to pay for its own execution.',
    };
  }
  const exitCode = Number(numbers[1]);
  return {
    code: 'message-rejected',
    kind: 'failed',
    what: `refused the message: the contract did not accept it, exit code ${exitCode}`,
    hint: 'For a wallet, check its seqno, wallet id, expiration time, and signing key.',
    details: {
      exitCode,
      steps: Number(numbers[2]),
      gasUsed: Number(numbers[3]),
      ...(log === undefined ? {} : { vmLog: log }),
    },
  };
}

/** A hint, or the missing key as the likely cause. */
function keyHint(missingKey: string | undefined, hint: string): Pick<Reading, 'hint' | 'details'> {
  return missingKey === undefined ? { hint } : { hint: missingKey, details: { isKeyLikely: true } };
}

function failure(context: CallContext, { status, text, isHtml }: Refusal): Reading {
  const isTimeout = status === 504 || /time(?:d )?out|deadline exceeded/i.test(text);
  return {
    code: 'service-failure',
    kind: 'service',
    what: isTimeout ? 'timed out on the service' : 'failed on the service',
    ...keyHint(
      status === 503 || isTimeout ? missingKeySentence(context, 'overloaded') : undefined,
      // 542: what the C++ service itself cannot do, such as read a stack entry, or find a lite server that works.
      isHtml || isTimeout || (status !== 500 && status !== 542) || /no workers/.test(text)
        ? 'Try again later.'
        : 'Check the values, or try again later.',
    ),
  };
}

/** One line of at most 200 characters, without control characters or bidi marks. */
function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  const clean = withoutTrailing(line.slice(0, 1000).replace(/[\p{Cc}\p{Cf}]/gu, ''), '.: \u00a0\u2028');
  return clean.length > 200 ? `${clean.slice(0, 200)}…` : clean;
}
