import { WorkbenchError } from '../errors';

/** The answer to whoever wants to change a value at a stop. */
export function pastError(): WorkbenchError {
  return new WorkbenchError({
    code: 'debug-request-invalid',
    kind: 'input',
    message: 'A recording is the past: its values cannot be changed.',
    hint: 'To see what other values do, use “Run Again With Changes…”.',
  });
}
