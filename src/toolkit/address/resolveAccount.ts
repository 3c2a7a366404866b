import { WorkbenchError } from '../base/errors';
import { closestWord, visibleText } from '../base/text';
import { readAddressForm, toRawAddress } from './canonicalAddress';

/** Addresses, in any form, by the names a person may use for them. */
export type AccountsByName = ReadonlyMap<string, string>;

/** Maximum number of names listed in an error. */
const mostListed = 12;

/** Normalizes a name: `@alice` and `alice` mean the same account. */
export function bareName(text: string): string {
  const trimmed = text.trim();
  return trimmed.startsWith('@') ? trimmed.slice(1) : trimmed;
}

/** Whether a text can only be a name: it is far too short for an address, or begins with @. */
export function readsLikeName(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('@') || (trimmed.length < 40 && /^[\p{L}_][\p{L}\d_-]*$/u.test(trimmed));
}

/**
 * Resolves a text, wherever an address is expected: a known name with or without @, or an address in any usual form.
 * Domains are among the names once they are looked up: see `withDomains`.
 * @returns raw, lowercase
 * @throws WorkbenchError `account-unknown` (input) with details.name, `address-invalid` (input)
 * @example resolveAccount('@alice', new Map([['alice', '0:8c95…']])); // '0:8c95…' resolveAccount('UQ…', new Map());
 *   // '0:…'
 */
export function resolveAccount(text: string, names: AccountsByName): string {
  const known = addressNamed(bareName(text), names);
  if (known === undefined && (readsLikeName(text) || isDomain(text))) {
    throw accountUnknownError(text, names);
  }
  return toRawAddress(readAddressForm(known ?? text));
}

/** An unknown name; the error suggests the closest name, or the known ones. */
function accountUnknownError(text: string, names: AccountsByName): WorkbenchError {
  const name = bareName(text);
  const known = [...names.keys()];
  const closest = closestWord(name, known);
  const listed = known.length > 0 && known.length <= mostListed ? ` Known here: ${known.join(', ')}.` : '';
  return new WorkbenchError({
    code: 'account-unknown',
    kind: 'input',
    message: name === '' ? 'A name is missing after @.' : `No account is called “${visibleText(name)}”.`,
    hint:
      closest === undefined
        ? `Give an address in any form (EQ…, UQ…, 0:…).${listed}`
        : `Did you mean ${closest}?`,
    details: { name },
  });
}

/**
 * The address of a name: as it is written, else of the only account whose name has the same letters and digits, because
 * a contract's source, its wrapper, and its deployment spell one name in different ways (`func_counter`,
 * `FuncCounter`).
 */
export function addressNamed(name: string, accounts: ReadonlyMap<string, string>): string | undefined {
  const exact = accounts.get(name);
  const plain = lettersOf(name);
  if (exact !== undefined || plain === '') {
    return exact;
  }
  const alike = new Set(
    [...accounts].flatMap(([one, address]) => (lettersOf(one) === plain ? [address] : [])),
  );
  return alike.size === 1 ? [...alike][0] : undefined;
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[_-]+/g, '');
}

const domainForm = /^(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+(?:ton|t\.me)$/i;

/** The longest name that TON DNS can hold, in characters. */
const longest = 126;

/** Whether a text is a TON DNS domain: `foundation.ton`, `someone.t.me`. */
export function isDomain(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.length <= longest && domainForm.test(trimmed);
}

/** The domains among the words of a text, each once, as written there. */
export function domainsIn(text: string): string[] {
  return [...new Set(text.split(/[^\w.-]+/).filter(isDomain))];
}
