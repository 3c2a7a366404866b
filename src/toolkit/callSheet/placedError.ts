import { WorkbenchError } from '../errors';

/** An error with its place in the text that it is about. */
export interface PlacedError {
  error: WorkbenchError;
  offset: number;
  length: number;
}

/** Where in a text an error is; any other error is thrown again. */
export function placedError(error: unknown): PlacedError {
  if (!WorkbenchError.is(error) || typeof error.details.offset !== 'number') {
    throw error;
  }
  const { offset, length = 0 } = error.details as { offset: number; length?: number };
  return { error, offset, length };
}
