import { toWorkbenchError } from '../errors';
import type { WorkbenchErrorParameters } from '../errors';

/** An error as data that can cross threads: `new WorkbenchError(plain)` restores it, without its cause. */
export type PlainError = Omit<WorkbenchErrorParameters, 'cause'>;

/** Any thrown value as data; details that cannot be cloned are omitted. */
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
