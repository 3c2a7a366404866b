import type { PaymentSummary } from '../delivery/delivery';
import type { SecretForm } from '../delivery/secretForm';
import type { HeaderList, SignatureEncoding, SignatureVerdict, WebhookSecret } from '../delivery/signature';
import type { OrderLookup } from '../orders/orderBook';
import type { ParsedPayload, TransferPayload } from '../payload/payload';
import type { ReceiverCode } from '../receiver/receiverSource';
import type { Judgment } from './judgeTransfer';

/** How a service delivers, and which answers it accepts. */
export interface DeliveryPolicy {
  /** Milliseconds until an attempt without a complete answer counts as failed. */
  timeoutMs: number;
  /** Milliseconds before each retry. */
  retryDelaysMs: readonly number[];
  /** Whether an HTTP status means delivered. */
  isDelivered(status: number): boolean;
}

/** What a service's deliveries carry; tests about anything else make no sense for it. */
export type DeliveryTrait =
  | 'credential'
  | 'signed-body'
  | 'signed-time'
  | 'reference'
  | 'amount'
  | 'asset'
  | 'status'
  | 'event'
  | 'account';

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
  readonly carries: readonly DeliveryTrait[];
  /** Where a body names its order; undefined if it never does. */
  readonly referencePath?: readonly string[];
  /** What the service's own fields are called in a payload of the payment service, for those who set them. */
  readonly fieldNames?: Readonly<Record<string, string>>;
  /** The answer that means delivered. */
  readonly accepts: '2xx' | '200';
  /** What the service does about any other answer, as a sentence. */
  readonly whenRefused: string;
  /** Whether it also delivers without any secret. */
  readonly isSecretOptional: boolean;
  readonly secretForm: SecretForm;
  /** Whether it may sign with the API key instead, which is then a second secret. */
  readonly mayUseApiKey?: true;
  /** @param now Unix milliseconds, for signatures that expire; default: the machine's clock */
  verify(
    headers: HeaderList,
    body: Buffer,
    secrets: readonly WebhookSecret[],
    signatureHeaders: readonly string[],
    encoding?: SignatureEncoding,
    now?: number,
  ): SignatureVerdict;
  /**
   * The bytes that tell of a transfer: the opposite of `parse`.
   * @param lt logical time of its transaction, which payloads do not have; default: made up
   */
  encode(payload: TransferPayload, lt?: bigint): Buffer;
  /** @param headers of the delivery, where they tell repeats */
  parse(body: Buffer, headers?: HeaderList): ParsedPayload;
  /** @param coin additional name of the native coin */
  judge(payload: TransferPayload, orders: OrderLookup, coin?: string): Judgment;
  /** As {@link judge}: some services tell neither the asset nor its units. */
  summarize(payload: TransferPayload, orders?: OrderLookup, coin?: string): PaymentSummary;
  /** What a processed delivery is remembered by; default: the reference. */
  stateKey?(payload: TransferPayload): string;
  /**
   * The headers that sign a body; none with an empty secret, if that is optional.
   * @param now Unix milliseconds, for signatures that expire; default: the machine's clock
   */
  sign(body: Buffer, secret: string, signatureHeaders: readonly string[], now?: number): HeaderList;
  /** What a receiver of its deliveries consists of. */
  receiver(): ReceiverCode;
}

/** What a service calls a field of the payment service's payload: `account_id` for TONAPI's `recipientAddr`. */
export function ownFieldName(
  { fieldNames = {} }: Pick<WebhookProvider, 'fieldNames'>,
  field: string,
): string {
  return Object.entries(fieldNames).find(([, name]) => name === field)?.[0] ?? field;
}

type SecretRule = Pick<WebhookProvider, 'secretForm'>;

/** The secrets that the service can have; the others are of another one. */
export function usableSecrets<Secret extends { value: string }>(
  { secretForm }: SecretRule,
  secrets: readonly Secret[],
): readonly Secret[] {
  return secrets.filter(({ value }) => secretForm.problem(value) === undefined);
}
