import { WorkbenchError } from '../errors';
import type { AccountsByName } from '../address/resolveAccount';
import type { FollowParameters } from './followEvents';
import { parseTraceQuery } from './parseTraceQuery';

/** What to follow: messages by hash, or everything of an account. */
export type FollowTarget = Pick<FollowParameters, 'hashes' | 'account'>;

/**
 * Parses what to follow: hashes separated by spaces, or one account, by address, name, or explorer link.
 * @throws WorkbenchError `trace-query-invalid`, `account-unknown` (input)
 */
export function readFollowTarget(text: string, accounts?: AccountsByName): FollowTarget {
  const queries = text
    .trim()
    .split(/\s+/)
    .map((part) => parseTraceQuery(part, accounts));
  const hashes = queries.flatMap((query) => (query.kind === 'hash' ? [query.hash] : []));
  const [account, ...more] = queries.flatMap((query) => (query.kind === 'account' ? [query.account] : []));
  if (more.length > 0) {
    throw new WorkbenchError({
      code: 'trace-query-invalid',
      kind: 'input',
      message: 'You can follow several hashes, but only one account at a time.',
    });
  }
  return { ...(hashes.length === 0 ? {} : { hashes }), ...(account === undefined ? {} : { account }) };
}
