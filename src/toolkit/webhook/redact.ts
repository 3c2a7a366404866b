import type { HeaderList } from './delivery';
import type { WebhookSecret } from './signature';

const mark = '[redacted]';

/** Headers whose value is a credential, whoever sent it. */
const credentialHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-auth-token',
]);

/** Shorter secrets would turn half of every text into marks. */
const shortestSecret = 4;

/** Headers as they may be kept: credentials and every known secret cut out. */
export function redactHeaders(headers: HeaderList, secrets: readonly WebhookSecret[]): HeaderList {
  return headers.map(([name, value]) => [
    name,
    credentialHeaders.has(name.toLowerCase()) ? mark : redactText(value, secrets),
  ]);
}

/** A text with every known secret cut out. */
export function redactText(text: string, secrets: readonly WebhookSecret[]): string {
  let result = text;
  for (const { value } of secrets) {
    if (value.length >= shortestSecret && result.includes(value)) {
      result = result.replaceAll(value, mark);
    }
  }
  return result;
}

/** A JSON text with every known secret, as it stands inside a JSON string, cut out. */
export function redactJson(json: string, secrets: readonly WebhookSecret[]): string {
  return redactText(
    json,
    secrets.map((secret) => ({ ...secret, value: JSON.stringify(secret.value).slice(1, -1) })),
  );
}

/** The body, or a copy without the secrets that stood in it. */
export function redactBody(
  body: Buffer,
  secrets: readonly WebhookSecret[],
): { body: Buffer; redacted: boolean } {
  const found = secrets.some(({ value }) => value.length >= shortestSecret && body.includes(value));
  // Latin-1 keeps every byte as it is, whatever the body's encoding.
  const asLatin1 = secrets.map((secret) => ({
    ...secret,
    value: Buffer.from(secret.value, 'utf8').toString('latin1'),
  }));
  return found
    ? { body: Buffer.from(redactText(body.toString('latin1'), asLatin1), 'latin1'), redacted: true }
    : { body, redacted: false };
}
