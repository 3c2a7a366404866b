/** How often a folder was opened while nothing of it was found; `found` once something was, or once it was said. */
export type FoundState = number | 'found';

/**
 * What to keep of a folder that is opened, and whether the diagnosis is offered now: the second time that nothing is found,
 * and only then.
 *
 * @param isFound whether a contract of the folder has get-methods, messages, or code
 */
export function foundState(
  before: FoundState | undefined,
  isFound: boolean,
): { kept: FoundState; isOffered: boolean } {
  if (before === 'found' || isFound) {
    return { kept: 'found', isOffered: false };
  }
  const opened = (before ?? 0) + 1;
  return opened < 2 ? { kept: opened, isOffered: false } : { kept: 'found', isOffered: true };
}
