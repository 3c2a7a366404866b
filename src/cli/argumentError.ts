import { WorkbenchError } from '../toolkit/base/errors';
import { visibleText } from '../toolkit/base/text';

/**
 * An error in arguments that were joined by spaces to one text: it names the argument, because the user wrote no such
 * text. Other errors are returned as they are.
 */
export function argumentError(error: unknown, args: readonly string[]): unknown {
  if (!WorkbenchError.is(error) || typeof error.details['offset'] !== 'number') {
    return error;
  }
  const { code, kind, message, hint } = error;
  const { offset, ...details } = error.details;
  let start = 0;
  for (const [index, text] of args.entries()) {
    const at = Number(offset) - start;
    if (at <= text.length) {
      const inside = at > 0 && /\s/.test(text) ? `, position ${at + 1}` : '';
      const place = `Argument ${index + 1} (${visibleText(text, 40)})${inside}`;
      return new WorkbenchError({
        ...{ code, kind, hint, message: `${place}: ${message}`, cause: error },
        details: { ...details, argument: index },
      });
    }
    start += text.length + 1;
  }
  return new WorkbenchError({ code, kind, message, hint, details, cause: error });
}
