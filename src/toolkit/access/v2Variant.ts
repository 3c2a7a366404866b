/** The two services that implement API v2. */
export type V2Variant = 'Python' | 'C++';

/**
 * Which service answers, by the minor number of its version, such as `2.1.11` or `v2.0.63`: 0 is Python, 1 is
 * C++. Undefined for any other, which is unspecified. What a service lacks is not derived from its version:
 * see askIfPresent.
 */
export function v2Variant(version: string | undefined): V2Variant | undefined {
  const minor = /^v?2\.(\d+)(?:\.|$)/.exec(version ?? '')?.[1];
  return minor === '0' ? 'Python' : minor === '1' ? 'C++' : undefined;
}
