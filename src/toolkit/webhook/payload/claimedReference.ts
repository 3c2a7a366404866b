import { isUtf8 } from 'node:buffer';

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

/** What the text comment of a payment is made of. */
export interface PaymentText {
  reference: string;
  commentToRecipient?: string | null | undefined;
  commentToSender?: string | null | undefined;
}

/** The text comment that the mock of the payment API asks for: both comments, and the reference. */
export function paymentComment({ reference, commentToRecipient, commentToSender }: PaymentText): string {
  const lines = [commentToRecipient, commentToSender, `Reference: ${reference}`];
  return lines.filter((line) => line != null && line !== '').join('\n');
}

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
