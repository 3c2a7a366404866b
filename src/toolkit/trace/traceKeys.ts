import { canonicalAddress } from '../address/canonicalAddress';
import { canonicalHash } from '../address/canonicalHash';
import { readBigint } from '../api/wire';

/** The account in a text of untyped data, raw and lowercase; other text unchanged. */
export function accountIn(text: string): string {
  return canonicalAddress(text) ?? text;
}

/** The hash in a text of untyped data, lowercase hex; other text unchanged. */
export function hashIn(text: string): string {
  return canonicalHash(text) ?? text;
}

/** An integer in untyped data, possibly text in JSON; undefined for anything else. */
export function amountIn(value: unknown): bigint | undefined {
  return readBigint(value);
}

/** Compares two logical times; missing ones come first. */
export function compareLt(a: bigint | null | undefined, b: bigint | null | undefined): number {
  const left = a ?? -1n;
  const right = b ?? -1n;
  return left < right ? -1 : left > right ? 1 : 0;
}
