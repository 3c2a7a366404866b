import { WorkbenchError } from '../errors';
import { bareName, readsLikeName, resolveAccount } from '../address/resolveAccount';
import type { AccountsByName } from '../address/resolveAccount';
import { isDomain } from '../address/isDomain';
import { parseAddressInput } from '../address/parseAddressInput';
import { parseHashInput } from '../address/hash';

/** Possible meanings of a text from a field, a link, or the clipboard. */
export type TraceQuery =
  /** `workchain:hex`, lower case. */
  | { kind: 'account'; account: string }
  /** A transaction, a message (raw or normalized), or a trace: 64 lowercase hex digits. */
  | { kind: 'hash'; hash: string };

/**
 * Reads an account in any form, a hash in any form, or an explorer link with one of them (tonviewer, tonscan, TON
 * Center's and others: the last part of the path or query that reads as a hash or an address counts).
 *
 * @param names with these, a name resolves to its account
 * @throws WorkbenchError `trace-query-invalid`, with names `account-unknown` (input)
 */
export function parseTraceQuery(text: string, names?: AccountsByName): TraceQuery {
  const trimmed = text.trim();
  const isName = (): boolean => names?.has(bareName(trimmed)) === true || readsLikeName(trimmed);
  if (names !== undefined && (isName() || isDomain(trimmed))) {
    return { kind: 'account', account: resolveAccount(trimmed, names) };
  }
  const found = /^(?:https?|ton):\/\//i.test(trimmed) ? readLink(trimmed) : readPlain(trimmed);
  if (found === undefined) {
    throw new WorkbenchError({
      code: 'trace-query-invalid',
      kind: 'input',
      message: `${JSON.stringify(trimmed.slice(0, 90))} is not an account, hash, or explorer link.`,
      hint: 'Give an address, the hash of a transaction or message (hex or base64), or an explorer link.',
    });
  }
  return found;
}

function readPlain(text: string): TraceQuery | undefined {
  try {
    return { kind: 'hash', hash: parseHashInput(text) };
  } catch {
    // Not a hash, but maybe an address.
  }
  try {
    return { kind: 'account', account: parseAddressInput(text).toRawString() };
  } catch {
    return undefined;
  }
}

function readLink(text: string): TraceQuery | undefined {
  if (!URL.canParse(text)) {
    return undefined;
  }
  const url = new URL(text);
  const parts = [url.host, ...url.pathname.split('/'), ...url.searchParams.values(), url.hash.slice(1)];
  const found = parts.flatMap((part) => {
    const plain = decode(part);
    // Some explorers write lt:hash:account or lt_hash.
    const whole = readPlain(plain);
    return [whole, ...(whole === undefined ? plain.split(/[:,;]/).map(readPlain) : [])].filter(
      (query) => query !== undefined,
    );
  });
  return found.find((query) => query.kind === 'hash') ?? found.at(-1);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
