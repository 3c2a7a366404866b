import type { BodyValue, DecodedBody } from './decodedBody';

/** How {@link findSwap} reads a message and the messages that its receiver sent. */
export interface SwapReader<Step> {
  /** By the built-in table. */
  name(step: Step): string | undefined;
  body(step: Step): DecodedBody | undefined;
  /** The receiver, `workchain:hex`. */
  receiver(step: Step): string | undefined;
  /** Whether it was received and its receiver did what it was told. */
  isDone(step: Step): boolean;
  next(step: Step): readonly Step[];
}

/** A swap of one jetton for another. */
export interface Swap<Step> {
  /** The service's name of the exchange. */
  dex: 'stonfi';
  /** All of its messages, from the order to the receipt. */
  steps: readonly Step[];
  /** What the exchange got: the order to the sender's wallet, and the message to the exchange's. */
  given: Transfer<Step>;
  /** What it paid for that. */
  got: Transfer<Step>;
  /** The exchange, `workchain:hex`. */
  router: string;
  /** Who was paid, `workchain:hex`. */
  receiver: string;
}

interface Transfer<Step> {
  order: Step;
  credit: Step;
}

/** The reason with which a pool of STON.fi v1 orders a payment: a swap that was done. Refunds have others. */
const swapOk = 0xc64370e5n;

/**
 * The swap that a jetton transfer began, if the messages say that it was done: the transfer arrived at a router, which
 * asked a pool (`stonfi_swap`); the pool answered with the payment for a swap that was done (`stonfi_payment_request`),
 * and the router paid it, in jettons that arrived. Each message is sent by the receiver of the one before. Anything
 * else, such as a refund, or a swap for coins, stays what its messages are.
 */
export function findSwap<Step>(order: Step, reader: SwapReader<Step>): Swap<Step> | undefined {
  if (reader.name(order) !== 'jetton_transfer' || !reader.isDone(order)) {
    return undefined;
  }
  const follow = (step: Step | undefined, name: string): Step | undefined =>
    step === undefined
      ? undefined
      : reader.next(step).find((one) => reader.name(one) === name && reader.isDone(one));
  const credit = follow(order, 'jetton_internal_transfer');
  const notice = follow(credit, 'jetton_notify');
  const request = follow(notice, 'stonfi_swap');
  const payment = follow(request, 'stonfi_payment_request');
  const payout = follow(payment, 'jetton_transfer');
  const receipt = follow(payout, 'jetton_internal_transfer');
  if (
    credit === undefined ||
    notice === undefined ||
    request === undefined ||
    payment === undefined ||
    payout === undefined ||
    receipt === undefined
  ) {
    return undefined;
  }
  const router = reader.receiver(notice);
  const reason = field(reader.body(payment), 'exit_code');
  const receiver = field(reader.body(payout), 'destination');
  const isPaid = reason?.type === 'int' && reason.value === swapOk && router === reader.receiver(payment);
  if (!isPaid || router === undefined || receiver?.type !== 'address' || receiver.value === undefined) {
    return undefined;
  }
  return {
    dex: 'stonfi',
    steps: [order, credit, notice, request, payment, payout, receipt],
    given: { order, credit },
    got: { order: payout, credit: receipt },
    router,
    receiver: receiver.value,
  };
}

function field(body: DecodedBody | undefined, name: string): BodyValue | undefined {
  return body?.fields.find((one) => one.name === name)?.value;
}
