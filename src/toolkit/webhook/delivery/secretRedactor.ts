import type { Delivery, ForwardResult } from './delivery';
import type { HeaderList } from './headerList';
import type { WebhookSecret } from './signature';

const mark = '[redacted]';

/** Headers whose value is always a credential. */
const credentialHeaders = new Set([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-api-key',
  'x-auth-token',
]);

/** Shorter secrets would redact half of every text. */
const shortestSecret = 4;

/**
 * Removes a listener's secrets, and credentials, from everything stored and shown. Only texts are redacted, each
 * before it becomes JSON: a secret may equal any word that we, or the service, write ourselves.
 */
export class SecretRedactor {
  readonly #texts: readonly string[];
  /** As they may appear in a body: including JSON string escapes. */
  readonly #bytes: readonly Buffer[];
  /** As they may appear in a URL. */
  readonly #urlTexts: readonly string[];
  /** As any of these may appear inside a JSON string. */
  readonly #jsonTexts: readonly string[];

  constructor(secrets: readonly WebhookSecret[]) {
    this.#texts = longestFirst(
      secrets.map(({ value }) => value).filter((value) => value.length >= shortestSecret),
    );
    this.#bytes = longestFirst(this.#texts.flatMap((text) => [text, jsonText(text)])).map((text) =>
      Buffer.from(text),
    );
    this.#urlTexts = longestFirst(
      this.#texts.flatMap((text) => [text, encodeURIComponent(Buffer.from(text).toString())]),
    );
    this.#jsonTexts = this.#urlTexts.map(jsonText);
  }

  text(text: string): string {
    return cut(text, this.#texts);
  }

  /** A path or URL that may contain an escaped secret. */
  url(url: string): string {
    return cut(url, this.#urlTexts);
  }

  /**
   * A summary as JSON with redacted texts. Fields that determine order states, and those with a fixed format
   * (amounts, addresses, hashes, times), are unchanged.
   */
  deliveryJson(delivery: Delivery): string {
    const json = JSON.stringify(delivery);
    // Fast path for the usual case: one search, and nothing to redact.
    return this.#jsonTexts.some((secret) => json.includes(secret))
      ? JSON.stringify(this.#delivery(delivery))
      : json;
  }

  #delivery(delivery: Delivery): Delivery {
    const text = (value: string): string => this.text(value);
    const { signature, payment, verdict } = delivery;
    return {
      ...delivery,
      method: text(delivery.method),
      target: this.url(delivery.target),
      reason: this.#maybe(delivery.reason),
      signature: signature?.ok === false ? { ...signature, text: text(signature.text) } : signature,
      rules: delivery.rules.map((rule) => ({
        ...rule,
        ...(rule.expected === undefined ? {} : { expected: text(rule.expected) }),
        ...(rule.got === undefined ? {} : { got: text(rule.got) }),
        text: text(rule.text),
      })),
      warnings: delivery.warnings.map(text),
      unknownFields: delivery.unknownFields.map(text),
      ...(delivery.claimedReference === undefined
        ? {}
        : { claimedReference: text(delivery.claimedReference) }),
      // Any others are the service's own words.
      event: verdict === 'wrong-event' ? this.#maybe(delivery.event) : delivery.event,
      transfer: verdict === 'unknown-status' ? this.#maybe(delivery.transfer) : delivery.transfer,
      payment: payment && {
        ...payment,
        ticker: this.#maybe(payment.ticker),
        comment: this.#maybe(payment.comment),
        errorMessage: this.#maybe(payment.errorMessage),
      },
    };
  }

  forwarded(result: ForwardResult): ForwardResult {
    const { url, error, answer } = result;
    return { ...result, url: this.url(url), error: this.#maybe(error), answer: this.text(answer) };
  }

  headers(headers: HeaderList): HeaderList {
    return headers.map((header) => {
      const [name, value] = header;
      const kept = credentialHeaders.has(name.toLowerCase()) ? mark : this.url(value);
      return kept === value ? header : [name, kept];
    });
  }

  /** The body itself, or a copy without the secrets in it. */
  body(body: Buffer): { body: Buffer; redacted: boolean } {
    if (!this.#bytes.some((secret) => body.includes(secret))) {
      return { body, redacted: false };
    }
    // Latin-1 keeps every byte as it is, whatever the body's encoding.
    const secrets = this.#bytes.map((secret) => secret.toString('latin1'));
    return { body: Buffer.from(cut(body.toString('latin1'), secrets), 'latin1'), redacted: true };
  }

  #maybe(text: string | null): string | null {
    return text === null ? null : this.text(text);
  }
}

function jsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** One secret may be part of another. */
function longestFirst(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort((left, right) => right.length - left.length);
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
