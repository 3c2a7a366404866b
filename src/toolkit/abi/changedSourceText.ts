import { visibleText } from '../text';

/** Said wherever names from a source are shown for a code that was compiled from an earlier text of it. */
export function changedSourceText(file: string): string {
  return `${visibleText(file)} has changed since this code was compiled: get-methods and fields are named as in its current text.`;
}
