import type { ChainLink } from '../address/parseAddressInput';
import { isLink, readHashOrAccount, readLink } from '../address/parseAddressInput';
import type { AccountsByName } from '../address/resolveAccount';
import { bareName, isDomain, readsLikeName, resolveAccount } from '../address/resolveAccount';
import { looksLikeBoc } from '../cell/parseBocInput';
import { WorkbenchError } from '../base/errors';
import { hashOfSent } from './sentHashIn';

/** Possible meanings of a text from a field, a link, or the clipboard. */
export type TraceQuery =
  /** `workchain:hex`, lower case. */
  | { kind: 'account'; account: string }
  /** A transaction, a message (raw or normalized), or a trace: 64 lowercase hex digits. */
  | { kind: 'hash'; hash: string };

/**
 * Reads an account in any form, a hash in any form, a link with one of them (`readLink`), or the BoC of a message or a
 * transaction, which names its trace by its hash.
 *
 * @param names with these, a name resolves to its account
 * @throws WorkbenchError `trace-query-invalid`, with names `account-unknown` (input), and the errors of reading a BoC
 */
export function parseTraceQuery(text: string, names?: AccountsByName): TraceQuery {
  const trimmed = text.trim();
  const isName = (): boolean => names?.has(bareName(trimmed)) === true || readsLikeName(trimmed);
  if (names !== undefined && (isName() || isDomain(trimmed))) {
    return { kind: 'account', account: resolveAccount(trimmed, names) };
  }
  const found = isLink(trimmed) ? readLink(trimmed) : readHashOrAccount(trimmed);
  const query = queryOf(found ?? {}) ?? queryOf(looksLikeBoc(trimmed) ? { hash: hashOfSent(trimmed) } : {});
  if (query === undefined) {
    throw new WorkbenchError({
      code: 'trace-query-invalid',
      kind: 'input',
      message: `${JSON.stringify(trimmed.slice(0, 90))} is not an account, hash, or explorer link.`,
      hint: 'Give an address, the hash of a transaction or message (hex or base64), an explorer link, or the BoC that was sent.',
    });
  }
  return query;
}

/** A transaction's page also names its account: the hash says more. */
function queryOf({ hash, account }: ChainLink): TraceQuery | undefined {
  if (hash !== undefined) {
    return { kind: 'hash', hash };
  }
  return account === undefined ? undefined : { kind: 'account', account };
}
