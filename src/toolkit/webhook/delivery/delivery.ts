import type { HeaderList } from './headerList';
import type { SignatureVerdict } from './signature';

/** What became of a delivery, in one word. The words are part of the command line's contract. */
export type Verdict =
  | 'accepted'
  | 'repeat'
  | 'unknown-order'
  | 'mismatch'
  | 'transfer-failed'
  | 'unknown-status'
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
  'wrong-event',
  'bad-signature',
  'malformed',
  'too-large',
];

/** The receiver rules, in the order in which they decide. */
export type RuleName = 'event' | 'reference' | 'amount' | 'asset' | 'recipient' | 'status' | 'repeat';

/** One receiver rule and how the delivery did. */
export interface RuleResult {
  rule: RuleName;
  /** `skip`: nothing to compare with; `warn`: not as it should be, but no reason to refuse. */
  verdict: 'pass' | 'fail' | 'warn' | 'skip';
  expected?: string;
  got?: string;
  /** One sentence for people. */
  text: string;
}

/** The payment a payload speaks of, in the payload's own spelling. */
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
  /** Null in deliveries that an older version kept. */
  bodyBase64Hash: string | null;
  /** ISO 8601. */
  date: string;
  comment: string | null;
  errorCode: number | null;
  errorMessage: string | null;
}

/** What the forward target answered. */
export interface ForwardResult {
  url: string;
  /** HTTP status; null when there was no complete answer. */
  status: number | null;
  /** Milliseconds from the first byte sent to the end of the answer. */
  ms: number;
  /** Why there is no status. */
  error: string | null;
  /** Beginning of the answer's body, as text. */
  answer: string;
}

/** A request that reached the path, without its bytes: what lists and streams show. */
export interface Delivery {
  id: string;
  /** ISO 8601 with milliseconds, UTC. */
  receivedAt: string;
  provider: string;
  method: string;
  /** Path and query as requested, secrets redacted. */
  target: string;
  /** HTTP status answered; 0 when the sender had gone before it. */
  status: number;
  verdict: Verdict;
  /** Why, in one sentence; null only for `accepted`. */
  reason: string | null;
  /** Null when the request was refused before its body was read. */
  signature: SignatureVerdict | null;
  /** Name of the secret that matched. */
  secret: string | null;
  rules: readonly RuleResult[];
  warnings: readonly string[];
  /** Paths of fields that the description does not know. */
  unknownFields: readonly string[];
  event: string | null;
  reference: string | null;
  /** `data.status` of the payload. */
  transfer: string | null;
  payment: PaymentSummary | null;
  bodyBytes: number;
  /** Milliseconds from the head of the request to the verdict. */
  elapsedMs: number;
  /** A forward result is still to come. */
  forwarding: boolean;
  forwarded: ForwardResult | null;
}

/** A delivery with its headers (secrets redacted) and its bytes. */
export interface FullDelivery extends Delivery {
  headers: HeaderList;
  /** The raw body; of a refused oversized one nothing, of an interrupted one what had come. */
  body: Buffer;
  /** A secret stood in the body and was cut out of what is kept. */
  bodyRedacted: boolean;
}
