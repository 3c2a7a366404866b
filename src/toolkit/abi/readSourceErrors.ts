import { limits } from '../limits';
import { plainSource } from './plainSource';

/** `const ERROR_NOT_OWNER = 401`, `const int error::not_owner = 401;`, `const ERR_X: Int = 0xFFFF;` */
const declaration =
  /\bconst\s(?:int\s)?([A-Za-z_][\w:.?]{0,99})\s?(?::\s?[A-Za-z]\w{0,49}\s?)?=\s?(0x[0-9a-fA-F]{1,9}|\d{1,9})(?!\w| ?[.*+/<>|&-])/g;

/** Naming convention for error constants in all three languages. */
const isErrorName = (name: string): boolean => /err(or)?(?![a-z])|^exit_?code/i.test(name);

/**
 * The exit codes that a Tolk, FunC, or Tact text names: constants with "err" in their name. This is a convention, not
 * a language rule: codes written as plain numbers, or computed, are not found.
 */
export function readSourceErrors(text: string): Map<number, string> {
  const errors = new Map<number, string>();
  for (const [, name = '', value = ''] of plainSource(text).matchAll(declaration)) {
    const code = Number(value);
    if (errors.size === limits.sourceNames.most) {
      break;
    }
    if (isErrorName(name) && code > 1 && code <= 0xffff && !errors.has(code)) {
      errors.set(code, name);
    }
  }
  return errors;
}
