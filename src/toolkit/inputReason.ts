import { WorkbenchError } from './errors';

/** Message and place of an input error, as a validation message shows it. */
export function inputReason(error: unknown): string {
  if (!WorkbenchError.is(error)) {
    return String(error);
  }
  const { offset } = error.details;
  const place = typeof offset === 'number' ? `Position ${offset + 1}: ` : '';
  return place + error.message + (error.hint === undefined ? '' : ` ${error.hint}`);
}
