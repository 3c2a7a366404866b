import { WorkbenchError } from '../../errors';

/** An answer other than 200, with the service's own status and words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The HTTP status of an answer that could not be made: 502 when a fork asked the network behind it in vain. */
export function statusOfError(error: unknown): number {
  if (error instanceof ApiError) {
    return error.status;
  }
  return WorkbenchError.is(error, 'fork-read-failed') ? 502 : 500;
}
