/** The two services that speak API v2. */
export type V2Variant = 'Python' | 'C++';

/**
 * Which service answers, by the minor number of the version that it tells, such as `2.1.11` or `v2.0.63`: 0 is Python, 1
 * is C++. Undefined for any other: nobody has said what it stands for.
 */
export function v2Variant(version: string | undefined): V2Variant | undefined {
  const minor = /^v?2\.(\d+)(?:\.|$)/.exec(version ?? '')?.[1];
  return minor === '0' ? 'Python' : minor === '1' ? 'C++' : undefined;
}
