import { toWorkbenchError } from '../errors';
import type { WorkbenchErrorParameters } from '../errors';

/** An error as data that crosses a thread border: `new WorkbenchError(plain)` is the error again, without its cause. */
export type PlainError = Omit<WorkbenchErrorParameters, 'cause'>;

/** Any thrown value as data; details that cannot cross are left out. */
export function toPlainError(thrown: unknown): PlainError {
  const { code, kind, message, hint, details } = toWorkbenchError(thrown);
  return { code, kind, message, hint, details: Object.fromEntries(Object.entries(details).filter(canCross)) };
}

function canCross([, value]: [string, unknown]): boolean {
  try {
    structuredClone(value);
    return true;
  } catch {
    return false;
  }
}
