import { ownValue } from '../../base/collections';
import { visibleText } from '../../base/text';
import type { OnPurpose } from './onPurpose';
import type {
  DeliveryTest,
  HeaderList,
  SignatureProblem,
  SignatureVerdict,
  WebhookSecret,
} from './signature';

/** A delivery's verdict in one word. The words are part of the command line's contract. */
export type Verdict =
  | 'accepted'
  | 'repeat'
  | 'unknown-order'
  | 'mismatch'
  | 'transfer-failed'
  | 'unknown-status'
  | 'on-purpose'
  | 'wrong-event'
  | 'bad-signature'
  | 'malformed'
  | 'too-large';

/** Every verdict, best first. */
export const verdicts: readonly Verdict[] = [
  'accepted',
  'repeat',
  'unknown-order',
  'mismatch',
  'transfer-failed',
  'unknown-status',
  'on-purpose',
  'wrong-event',
  'bad-signature',
  'malformed',
  'too-large',
];

/** The receiver rules, in the order in which they decide. */
export type RuleName = 'event' | 'reference' | 'amount' | 'asset' | 'recipient' | 'status' | 'repeat';

/** One receiver rule and the delivery's result. */
export interface RuleResult {
  rule: RuleName;
  /** `skip`: nothing to compare with; `warn`: wrong, but no reason to reject. */
  verdict: 'pass' | 'fail' | 'warn' | 'skip';
  expected?: string;
  got?: string;
  /** One sentence for people. */
  text: string;
}

/** The payment in a payload, spelled as in the payload. */
export interface PaymentSummary {
  amount: string;
  /** Base units. */
  rawAmount: string;
  /** `TON` or a jetton master. */
  asset: string;
  ticker: string | null;
  sender: string;
  recipient: string;
  txHash: string;
  traceId: string;
  /** Null in deliveries stored by an older version. */
  bodyBase64Hash: string | null;
  /** ISO 8601. */
  date: string;
  comment: string | null;
  errorCode: number | null;
  errorMessage: string | null;
}

/** The forward target's answer. */
export interface ForwardResult {
  url: string;
  /** HTTP status; null without a complete answer. */
  status: number | null;
  /** Milliseconds from the first byte sent to the end of the answer. */
  ms: number;
  /** Why there is no status. */
  error: string | null;
  /** Beginning of the answer's body, as text. */
  answer: string;
  /** When it came, ISO 8601; missing in deliveries stored by an older version. */
  at?: string | undefined;
}

/** A request to the path, without its bytes: for lists and streams. */
export interface Delivery {
  id: string;
  /** ISO 8601 with milliseconds, UTC. */
  receivedAt: string;
  provider: string;
  method: string;
  /** Path and query as requested, secrets redacted. */
  target: string;
  /** HTTP status answered; 0 if the sender was already gone. */
  status: number;
  verdict: Verdict;
  /** Why, as one sentence; null only for `accepted`. */
  reason: string | null;
  /** Null if the request was rejected before its body was read. */
  signature: SignatureVerdict | null;
  /** Name of the matching secret. */
  secret: string | null;
  rules: readonly RuleResult[];
  warnings: readonly string[];
  /** Paths of undocumented fields. */
  unknownFields: readonly string[];
  event: string | null;
  /** What it is told by: of most services the order's reference. */
  reference: string | null;
  /** The order's reference, if `reference` is something else; missing in deliveries stored by an older version. */
  orderReference?: string | undefined;
  /** The order that the body of a refused delivery names. Nothing vouches for it, so nothing may depend on it. */
  claimedReference?: string | undefined;
  /** `data.status` of the payload. */
  transfer: string | null;
  payment: PaymentSummary | null;
  bodyBytes: number;
  /** SHA-256 of the bytes, in hex: attempts carry the same. Missing in deliveries stored by an older version. */
  bodyHash?: string | undefined;
  /** Milliseconds from the head of the request to the verdict. */
  elapsedMs: number;
  /** A forward result is still to come. */
  forwarding: boolean;
  forwarded: ForwardResult | null;
  /** Only for test deliveries. Claimed by the sender, so nothing may depend on it. */
  test?: DeliveryTest | undefined;
  /** Only if it was refused or delayed on purpose. */
  onPurpose?: OnPurpose | undefined;
}

/** A delivery with its headers (secrets redacted) and its bytes. */
export interface FullDelivery extends Delivery {
  headers: HeaderList;
  /** The raw body; empty if rejected as too large, partial if interrupted. */
  body: Buffer;
  /** The body contained a secret, which was removed from the stored copy. */
  bodyRedacted: boolean;
}

const refusing: ReadonlySet<Verdict> = new Set(['bad-signature', 'malformed', 'wrong-event', 'too-large']);

/** Whether a delivery was refused before any rule about orders: what it says of an order counts for nothing. */
export function isRefused({ verdict }: Pick<Delivery, 'verdict'>): boolean {
  return refusing.has(verdict);
}

/** Why a delivery was refused, in a few words: `no secret matches`. */
export function refusalWords({ signature, reason, verdict }: Delivery): string {
  const words = signature?.ok === false ? ownValue(briefly, signature.problem) : undefined;
  return words ?? clauseOf(visibleText(reason ?? verdict, 200));
}

/** `claims order-3, not verified`, or `names order-3` if its signature is valid; empty if it names none. */
export function claimWords({ claimedReference, signature }: Delivery): string {
  if (claimedReference === undefined) {
    return '';
  }
  const name = visibleText(claimedReference, 60);
  return signature?.ok === true ? `names ${name}` : `claims ${name}, not verified`;
}

/** Rejected signatures in a few words, without the reason. */
const briefly: Readonly<Record<SignatureProblem, string>> = {
  'no-secret': 'no secret is set',
  missing: 'header missing',
  several: 'several signatures',
  'no-prefix': 'no prefix',
  base64: 'base64',
  'upper-case': 'uppercase',
  'wrong-length': 'wrong length',
  'not-hex': 'not hex',
  're-serialized': 'body was re-serialized',
  'trailing-newline': 'trailing newline',
  'other-secret': 'matches another secret',
  'too-old': 'not signed within the allowed time',
  'no-match': 'no secret matches',
};

/** A sentence as part of a row: no capital, no period. */
export function clauseOf(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

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
