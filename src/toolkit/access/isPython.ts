/** Whether a v2 version is that of the Python service (2.0.x). */
export function isPython(version: string | undefined): boolean {
  return version !== undefined && /^v?2\.0(?:\.|$)/.test(version);
}
