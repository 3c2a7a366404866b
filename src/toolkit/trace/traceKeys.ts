import { canonicalAddress } from '../address/canonicalAddress';
import { canonicalHash } from '../address/canonicalHash';
import { readBigint } from '../api/wire';

/** The account that a text in data without a description names, raw and in lower case; other text as it is. */
export function accountIn(text: string): string {
  return canonicalAddress(text) ?? text;
}

/** The hash that a text in data without a description is, in lower-case hex; other text as it is. */
export function hashIn(text: string): string {
  return canonicalHash(text) ?? text;
}

/** A whole number in data without a description, of which JSON may have made text; undefined for anything else. */
export function amountIn(value: unknown): bigint | undefined {
  return readBigint(value);
}

/** Compares two logical times; what has none comes first. */
export function compareLt(a: bigint | null | undefined, b: bigint | null | undefined): number {
  const left = a ?? -1n;
  const right = b ?? -1n;
  return left < right ? -1 : left > right ? 1 : 0;
}
