import { readJsonObject } from './readJsonObject';

/** Bytes of a body that is read although nobody vouches for it: a genuine one has about a thousand. */
const mostBytes = 16 * 1024;

const longestReference = 200;

/**
 * The order that a body names, which is not verified and may be malformed elsewhere. For people to see what the
 * delivery is about; nothing may be decided by it.
 *
 * @param path of the field, such as `data`, `reference`
 */
export function claimedReference(body: Buffer, path: readonly string[] | undefined): string | undefined {
  if (path === undefined || body.length > mostBytes) {
    return undefined;
  }
  const read = readJsonObject(body);
  let value: unknown = 'object' in read ? read.object : undefined;
  for (const name of path) {
    value = isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return typeof value === 'string' && value !== '' && value.length <= longestReference ? value : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
