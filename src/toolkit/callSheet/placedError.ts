import { WorkbenchError } from '../errors';

/** An error and its position in the text. */
export interface PlacedError {
  error: WorkbenchError;
  offset: number;
  length: number;
}

/** The position of an error in a text; rethrows any other error. */
export function placedError(error: unknown): PlacedError {
  if (!WorkbenchError.is(error) || typeof error.details.offset !== 'number') {
    throw error;
  }
  const { offset, length = 0 } = error.details as { offset: number; length?: number };
  return { error, offset, length };
}
