import type { ErrorCode } from './errorCodes';

/**
 * How the command line ends when an error reaches it:
 * `failed` 1 (the thing itself failed), `input` 2, `network` 3 (no complete answer), `service` 4 (an answer that is
 * refused or unusable). `internal` is a fault of ours and ends with 1 too.
 */
export type ErrorKind = 'failed' | 'input' | 'network' | 'service' | 'internal';

/** What a {@link WorkbenchError} is made of. */
export interface WorkbenchErrorParameters {
  /** Stable, kebab-case; tests and callers compare this, never the text. */
  code: ErrorCode;
  kind: ErrorKind;
  /** One sentence for people: what happened. */
  message: string;
  /** One sentence for people: what to do next. */
  hint?: string | undefined;
  /** Facts for logs and documents, free of secrets. */
  details?: Readonly<Record<string, unknown>> | undefined;
  cause?: unknown;
}

/** The one error class of the product. Made by small factories next to where the errors arise. */
export class WorkbenchError extends Error {
  override readonly name = 'WorkbenchError';
  readonly code: ErrorCode;
  readonly kind: ErrorKind;
  readonly hint: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(parameters: WorkbenchErrorParameters) {
    super(parameters.message, parameters.cause === undefined ? undefined : { cause: parameters.cause });
    this.code = parameters.code;
    this.kind = parameters.kind;
    this.hint = parameters.hint;
    this.details = parameters.details ?? {};
  }

  /** Whether `error` is one of ours and, with `code`, this one. */
  static is(error: unknown, code?: ErrorCode): error is WorkbenchError {
    return error instanceof WorkbenchError && (code === undefined || error.code === code);
  }
}

/** Any thrown value as a WorkbenchError; what is not ours becomes `internal-error`. */
export function toWorkbenchError(error: unknown): WorkbenchError {
  if (error instanceof WorkbenchError) {
    return error;
  }
  if (error instanceof RangeError && error.message.startsWith('Maximum call stack')) {
    return tooDeepError(error);
  }
  return new WorkbenchError({
    code: 'internal-error',
    kind: 'internal',
    message: error instanceof Error ? error.message : String(error),
    hint: 'This is a bug in TON Workbench; the log has the details.',
    cause: error,
  });
}

/** What a proxy answers, or a service that is busy or being restarted. */
const passingCodes: ReadonlySet<ErrorCode> = new Set([
  'rate-limited',
  'service-failure',
  'not-json',
  'cut-json',
]);

/** Whether the same request may well succeed a little later: no connection, too many requests, a failing service. */
export function isPassing({ kind, code }: WorkbenchError): boolean {
  return code !== 'aborted' && (kind === 'network' || (kind === 'service' && passingCodes.has(code)));
}

/** `too-deep`: the input stands inside itself further than this program can follow. */
function tooDeepError(cause: RangeError): WorkbenchError {
  return new WorkbenchError({
    code: 'too-deep',
    kind: 'input',
    message: 'This is nested too deeply to read.',
    hint: 'Values, brackets, and cells can be nested a few hundred levels deep.',
    cause,
  });
}

/** The work was cancelled by its AbortSignal. */
export function abortedError(cause?: unknown): WorkbenchError {
  return new WorkbenchError({ code: 'aborted', kind: 'network', message: 'Cancelled.', cause });
}
