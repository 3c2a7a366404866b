import type { HeaderList } from './headerList';
import type { OnPurpose } from './onPurpose';
import type { DeliveryTest } from './testMark';
import type { SignatureVerdict } from './signature';

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
  /** `skip`: nothing to compare with; `warn`: not as it should be, but no reason to reject. */
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
