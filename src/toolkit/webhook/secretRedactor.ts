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

/** Cuts the secrets of a listener, and credentials, out of what is kept and shown. */
export class SecretRedactor {
  /** As they stand in texts, and inside JSON strings. */
  readonly #texts: readonly string[];
  readonly #jsonTexts: readonly string[];
  readonly #bytes: readonly Buffer[];

  constructor(secrets: readonly WebhookSecret[]) {
    this.#texts = secrets.map(({ value }) => value).filter((value) => value.length >= shortestSecret);
    this.#jsonTexts = this.#texts.map((value) => JSON.stringify(value).slice(1, -1));
    this.#bytes = this.#texts.map((value) => Buffer.from(value, 'utf8'));
  }

  text(text: string): string {
    return cut(text, this.#texts);
  }

  /** A JSON text, in which a secret may stand with escapes. */
  json(json: string): string {
    return cut(json, this.#jsonTexts);
  }

  headers(headers: HeaderList): HeaderList {
    return headers.map((header) => {
      const [name, value] = header;
      const kept = credentialHeaders.has(name.toLowerCase()) ? mark : cut(value, this.#texts);
      return kept === value ? header : [name, kept];
    });
  }

  /** The body itself, or a copy without the secrets that stood in it. */
  body(body: Buffer): { body: Buffer; redacted: boolean } {
    if (!this.#bytes.some((secret) => body.includes(secret))) {
      return { body, redacted: false };
    }
    // Latin-1 keeps every byte as it is, whatever the body's encoding.
    const secrets = this.#bytes.map((secret) => secret.toString('latin1'));
    return { body: Buffer.from(cut(body.toString('latin1'), secrets), 'latin1'), redacted: true };
  }
}

function cut(text: string, secrets: readonly string[]): string {
  let result = text;
  for (const secret of secrets) {
    if (result.includes(secret)) {
      result = result.replaceAll(secret, mark);
    }
  }
  return result;
}
