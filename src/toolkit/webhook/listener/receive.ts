import type { Delivery, Verdict } from '../delivery/delivery';
import type { OnPurpose } from '../delivery/onPurpose';
import type { HeaderList } from '../delivery/headerList';
import type { OrderLookup, OrderState } from '../orders/orderBook';
import type { WebhookProvider } from '../provider/provider';
import { claimedReference } from '../payload/claimedReference';
import type { SignatureEncoding, WebhookSecret } from '../delivery/signature';

/** The parts of a verdict on a request. */
export type ReceiveOutcome = Pick<
  Delivery,
  | 'status'
  | 'verdict'
  | 'reason'
  | 'signature'
  | 'secret'
  | 'rules'
  | 'warnings'
  | 'unknownFields'
  | 'event'
  | 'reference'
  | 'orderReference'
  | 'claimedReference'
  | 'transfer'
  | 'payment'
> & {
  /** Path of the field that violates the schema. */
  path: string | null;
  /** The order's state once the journal has the delivery. */
  orderState: OrderState['state'] | null;
  onPurpose?: OnPurpose | undefined;
};

/** What a delivery is judged by. */
export interface ReceiveContext {
  provider: WebhookProvider;
  secrets: readonly WebhookSecret[];
  signatureHeaders: readonly string[];
  orders: OrderLookup;
  /** Additional name of the native coin. */
  coin?: string | undefined;
  /** Accepted encodings of the signature. */
  signatureEncoding?: SignatureEncoding | undefined;
  /** Unix milliseconds; default: the machine's clock. */
  now?: number | undefined;
}

/**
 * Judges the raw bytes of a request: signature, only then JSON and schema, only then the receiver rules. Which order a
 * refused body names is read last, and only told. Has no side effects; the caller stores the outcome before it answers.
 */
export function receive(headers: HeaderList, body: Buffer, context: ReceiveContext): ReceiveOutcome {
  const { provider } = context;
  const { secrets, signatureHeaders, signatureEncoding } = context;
  const signature = provider.verify(headers, body, secrets, signatureHeaders, signatureEncoding, context.now);
  const claim = (): Pick<Delivery, 'claimedReference'> => ({
    claimedReference: claimedReference(body, provider.referencePath),
  });
  if (!signature.ok) {
    return { ...refuse(401, 'bad-signature', signature.text), signature, ...claim() };
  }
  const verified = { signature, secret: signature.secret };
  const parsed = provider.parse(body, headers);
  switch (parsed.kind) {
    case 'malformed':
      return {
        ...refuse(400, 'malformed', parsed.reason),
        ...verified,
        path: parsed.path,
        event: parsed.event,
        ...claim(),
      };
    case 'other-event':
      return {
        ...refuse(400, 'wrong-event', parsed.reason),
        ...verified,
        event: parsed.event,
        ...claim(),
      };
    case 'notification': {
      const { id, event, warnings } = parsed;
      const isRepeat = id !== null && context.orders.state(id) !== undefined;
      return {
        ...refuse(200, isRepeat ? 'repeat' : 'accepted', isRepeat ? repeated : null),
        ...{ ...verified, event, warnings, reference: id },
        orderState: isRepeat || id === null ? null : 'paid',
      };
    }
    case 'transfer': {
      const { payload, unknownFields } = parsed;
      const { verdict, reason, rules, warnings, outcome } = provider.judge(
        payload,
        context.orders,
        context.coin,
      );
      const payment = provider.summarize(payload, context.orders, context.coin);
      const { reference, status } = payload.data;
      // Written out, here and in makeDelivery: spreading objects costs more than everything else here.
      return {
        status: 200,
        verdict,
        reason,
        signature,
        secret: signature.secret,
        rules,
        warnings: parsed.warnings.length === 0 ? warnings : [...parsed.warnings, ...warnings],
        unknownFields,
        event: payload.event,
        reference: provider.stateKey?.(payload) ?? reference,
        orderReference: provider.stateKey === undefined ? undefined : reference,
        transfer: status,
        payment,
        path: null,
        orderState: outcome,
      };
    }
  }
}

const repeated = 'This was already processed: nothing to do.';

/** An outcome without a payload. */
export function refuse(status: number, verdict: Verdict, reason: string | null): ReceiveOutcome {
  return {
    status,
    verdict,
    reason,
    signature: null,
    secret: null,
    rules: [],
    warnings: [],
    unknownFields: [],
    event: null,
    reference: null,
    transfer: null,
    payment: null,
    path: null,
    orderState: null,
  };
}
