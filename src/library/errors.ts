/**
 * The kind of an error, for programs: `input` (wrong input), `network` (no complete answer), `service` (the
 * service refused, or its answer is unusable), `failed` (the operation did not succeed), `internal` (a bug in
 * this package).
 */
export type ErrorKind = 'failed' | 'input' | 'network' | 'service' | 'internal';

/** Every error that this package throws. Test its `code`, never its text. */
export interface WorkbenchError extends Error {
  readonly name: 'WorkbenchError';
  /** Stable, kebab-case: `localnet-port-taken`, `unauthorized`, `trace-not-found`. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** The next step, in one sentence for people. */
  readonly hint: string | undefined;
  /** Facts for logs, without secrets. */
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Whether `error` was thrown by this package and, with `code`, is that error. It checks the error's own fields, so it
 * also recognizes errors from another copy of the package.
 *
 * @example
 * ```ts
 * import { isWorkbenchError } from 'ton-workbench/errors';
 *
 * try {
 *   await startLocalnet({ port: 8081 });
 * } catch (error) {
 *   if (!isWorkbenchError(error, 'localnet-port-taken')) throw error;
 * }
 * ```
 */
export function isWorkbenchError(error: unknown, code?: string): error is WorkbenchError {
  return (
    typeof error === 'object' &&
    error !== null &&
    'name' in error &&
    error.name === 'WorkbenchError' &&
    'code' in error &&
    (code === undefined || error.code === code)
  );
}
