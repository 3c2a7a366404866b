import { createLog, Redactor } from '../toolkit/log';
import type { Log } from '../toolkit/log';
import { writeNote } from './output';

/** The warnings and errors of a service, as notes. */
export function noteLog(): Log {
  return createLog((level, line) => {
    if (level === 'warn' || level === 'error') {
      writeNote(line);
    }
  }, new Redactor());
}
