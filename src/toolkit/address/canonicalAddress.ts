import { readAddressForm, toRawAddress } from './addressForm';

/** Few accounts occur in most deliveries, and parsing one costs as much as verifying a signature. */
const known = new Map<string, string | undefined>();
const maximumKnown = 1_000;

/** Raw form of an address in any usual form; undefined for anything else. */
export function canonicalAddress(text: string): string | undefined {
  if (text.length > 100) {
    return readAddress(text);
  }
  if (known.has(text)) {
    return known.get(text);
  }
  const raw = readAddress(text);
  if (known.size >= maximumKnown) {
    known.clear();
  }
  known.set(text, raw);
  return raw;
}

function readAddress(text: string): string | undefined {
  if (text.trim() !== text) {
    return undefined;
  }
  try {
    return toRawAddress(readAddressForm(text));
  } catch {
    return undefined;
  }
}

/** Whether two texts name the same account. Texts that are not addresses are equal only if identical. */
export function sameAddress(left: string, right: string): boolean {
  return left === right || (canonicalAddress(left) ?? left) === (canonicalAddress(right) ?? right);
}
