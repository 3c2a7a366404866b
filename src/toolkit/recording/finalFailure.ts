import { isSuccessCode } from '../isSuccessCode';
import type { RecordedException, Recording } from './recording';

/** Whether an exception means that something went wrong: code can also throw a code of success. */
export function isFailure({ code }: RecordedException): boolean {
  return code === undefined || !isSuccessCode(code);
}

/** The exception that made an execution fail; undefined if it succeeded. */
export function finalFailure({ exceptions }: Recording): RecordedException | undefined {
  return exceptions.findLast((exception) => exception.isFinal && isFailure(exception));
}
