import type { ErrorCode } from './errorCodes';

/**
 * The exit status of the command line for an error: `failed` 1 (the operation failed), `input` 2, `network` 3 (no
 * complete answer), `service` 4 (refused, or an unusable answer). `internal` is our own bug and also exits with 1.
 */
export type ErrorKind = 'failed' | 'input' | 'network' | 'service' | 'internal';

/** The parts of a {@link WorkbenchError}. */
export interface WorkbenchErrorParameters {
  /** Stable, kebab-case; tests and callers compare this, never the text. */
  code: ErrorCode;
  kind: ErrorKind;
  /** One sentence for people: what happened. */
  message: string;
  /** One sentence for people: what to do next. */
  hint?: string | undefined;
  /** Facts for logs and documents, without secrets. */
  details?: Readonly<Record<string, unknown>> | undefined;
  cause?: unknown;
}

/** The product's only error class. Instances come from small factories next to where errors arise. */
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

  /** Whether `error` is ours and, with `code`, has this code. */
  static is(error: unknown, code?: ErrorCode): error is WorkbenchError {
    return error instanceof WorkbenchError && (code === undefined || error.code === code);
  }
}

/** An error in one text: what happened, then what to do next, if that is known. */
export function errorSentences({ message, hint }: Pick<WorkbenchError, 'message' | 'hint'>): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

/** Converts any thrown value to a WorkbenchError; foreign errors become `internal-error`. */
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

/** Statuses of proxies, and of services that are busy or restarting. */
const passingCodes: ReadonlySet<ErrorCode> = new Set([
  'rate-limited',
  'service-failure',
  'not-json',
  'cut-json',
]);

/** Whether the same request may succeed a little later: no connection, too many requests, a failing service. */
export function isPassing({ kind, code }: WorkbenchError): boolean {
  return code !== 'aborted' && (kind === 'network' || (kind === 'service' && passingCodes.has(code)));
}

/** `too-deep`: the input is nested deeper than this program supports. */
function tooDeepError(cause: RangeError): WorkbenchError {
  return new WorkbenchError({
    code: 'too-deep',
    kind: 'input',
    message: 'This is nested too deeply to read.',
    hint: 'Values, brackets, and cells can be nested a few hundred levels deep.',
    cause,
  });
}

/** The work was canceled by its AbortSignal. */
export function abortedError(cause?: unknown): WorkbenchError {
  return new WorkbenchError({ code: 'aborted', kind: 'network', message: 'Canceled.', cause });
}
