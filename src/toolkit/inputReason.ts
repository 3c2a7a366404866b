import { errorSentences, WorkbenchError } from './errors';

/** An input error's message and position, as a validation message shows them. */
export function inputReason(error: unknown): string {
  if (!WorkbenchError.is(error)) {
    return String(error);
  }
  const { offset } = error.details;
  const place = typeof offset === 'number' ? `Position ${offset + 1}: ` : '';
  return place + errorSentences(error);
}
