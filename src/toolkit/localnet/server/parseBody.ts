/** A JSON object from a request's body; empty without a body, null if it is something else. */
export function parseBody(body: unknown): Record<string, unknown> | null {
  if (body === undefined || body === null || body === '') {
    return {};
  }
  try {
    const value: unknown = typeof body === 'string' ? JSON.parse(body) : body;
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}
