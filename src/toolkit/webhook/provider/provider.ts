import type { PaymentSummary } from '../delivery/delivery';
import type { HeaderList } from '../delivery/headerList';
import type { OrderLookup } from '../orders/orderBook';
import type { ParsedPayload, TransferPayload } from '../payload/payload';
import type { Judgment } from './judgeTransfer';
import type { SignatureEncoding, SignatureVerdict, WebhookSecret } from '../delivery/signature';

/** How a service delivers, and which answers it accepts. */
export interface DeliveryPolicy {
  /** Milliseconds until an attempt without a complete answer counts as failed. */
  timeoutMs: number;
  /** Milliseconds before each retry. */
  retryDelaysMs: readonly number[];
  /** Whether an HTTP status means delivered. */
  isDelivered(status: number): boolean;
}

/** One service that sends webhooks: how to verify, read, judge, and sign its deliveries. */
export interface WebhookProvider {
  /** Stable, as stored in the journal. */
  readonly name: string;
  /** As shown. */
  readonly title: string;
  /** Headers that may carry the signature. */
  readonly signatureHeaders: readonly string[];
  /** Those named in the service's documentation: tests are sent with these. */
  readonly documentedHeaders: readonly string[];
  readonly delivery: DeliveryPolicy;
  verify(
    headers: HeaderList,
    body: Buffer,
    secrets: readonly WebhookSecret[],
    signatureHeaders: readonly string[],
    encoding?: SignatureEncoding,
  ): SignatureVerdict;
  parse(body: Buffer): ParsedPayload;
  /** @param coin additional name of the native coin */
  judge(payload: TransferPayload, orders: OrderLookup, coin?: string): Judgment;
  summarize(payload: TransferPayload): PaymentSummary;
  /** The headers that sign a body. */
  sign(body: Buffer, secret: string, signatureHeaders: readonly string[]): HeaderList;
}
