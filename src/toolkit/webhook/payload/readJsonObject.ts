import { isUtf8 } from 'node:buffer';

/** The JSON object in a body, or why there is none. The reason never quotes the body. */
export function readJsonObject(
  body: Buffer,
): { object: Readonly<Record<string, unknown>> } | { reason: string } {
  if (!isUtf8(body)) {
    return { reason: 'not JSON: the body is not valid UTF-8' };
  }
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { object: value as Readonly<Record<string, unknown>> }
      : { reason: 'the body is not a JSON object' };
  } catch {
    return { reason: 'not JSON' };
  }
}
