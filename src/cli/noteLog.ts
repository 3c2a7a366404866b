import { createLog, Redactor } from '../toolkit/log';
import type { Log, LogLevel } from '../toolkit/log';
import { writeNote } from './output';
import { keepRun } from './surroundings';

/** The warnings and errors of a service, as notes. */
export function noteLog(): Log {
  return createLog(
    keepRun((level: LogLevel, line: string) => {
      if (level === 'warn' || level === 'error') {
        writeNote(line);
      }
    }),
    new Redactor(),
  );
}
