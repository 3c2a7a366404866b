import { WorkbenchError } from '../../errors';

/** An error answer with the service's own status and words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The HTTP status of a failed answer: 502 if a fork's source network failed. */
export function statusOfError(error: unknown): number {
  if (error instanceof ApiError) {
    return error.status;
  }
  return WorkbenchError.is(error, 'fork-read-failed') ? 502 : 500;
}
