import { createHash, randomBytes } from 'node:crypto';
import { beginCell } from '@ton/core';
import type { Access } from '../access/createAccess';
import { traceSourceOf } from '../access/traceSourceOf';
import { canonicalAddress } from '../address/canonicalAddress';
import { WorkbenchError } from '../errors';
import { callControl } from '../localnet/callControl';
import { localControlOf } from '../localnet/controlOf';
import { paymentLocalOnlyError } from '../payments/paymentErrors';
import { whileThrowing } from '../payments/throwingAccount';
import type { Clock } from '../time';
import { chainOf } from '../webhook/chain/chainOf';
import { happenedTransfers } from '../webhook/chain/happenedTransfers';
import type { HappenedTransfer } from '../webhook/payload/transferPayload';
import { fromBaseUnits } from '../webhook/values/amount';
import { nativeAsset } from '../webhook/values/asset';
import type { TestOrder } from './shopOrders';

/** How a test order is paid; by default as it should be. */
export interface TestPayment {
  /** Base units; default: the order's. */
  units?: bigint;
  /** The text comment, instead of what the order's payment carries. */
  comment?: string;
  /** To somebody else than the order's recipient. */
  toAnother?: boolean;
  /** It arrives, and is sent back. */
  bounces?: boolean;
}

/**
 * Pays an order on a local network, as a wallet that is not charged, and finds the transfer on the chain.
 * @throws WorkbenchError `payment-local-only`, `shop-orders-unusable` (input), and those of the network
 */
export async function payTestOrder(
  access: Access,
  order: TestOrder,
  { units = order.units, comment, toAnother = false, bounces = false }: TestPayment,
  signal: AbortSignal = new AbortController().signal,
): Promise<HappenedTransfer> {
  const control = localControlOf(access.network);
  if (control === undefined) {
    throw paymentLocalOnlyError(access.network.name);
  }
  const recipient = canonicalAddress(order.recipient) ?? '';
  const accounts = await callControl(control, 'accounts', {}, signal);
  const [payer = '', another = ''] = accounts.flatMap(({ address }) =>
    address === recipient ? [] : [address],
  );
  const body =
    comment === undefined && order.payload !== undefined
      ? order.payload
      : textComment(comment ?? order.reference);
  const to = toAnother ? another : recipient;
  const message = { from: payer, to, value: units.toString(), body, bounce: bounces };
  const send = async (): Promise<string | null> => {
    const { trace } = await callControl(control, 'sendAs', message, signal);
    return trace;
  };
  const trace = bounces ? await whileThrowing(to, { access, signal }, send) : await send();
  const found = trace === null ? undefined : await chainOf(traceSourceOf(access), signal).trace(trace);
  const transfer = found && happenedTransfers(found).find(({ rawAmount }) => rawAmount === units);
  if (transfer === undefined) {
    throw new WorkbenchError({
      code: 'shop-orders-unusable',
      kind: 'input',
      message: `The payment of ${JSON.stringify(order.reference)} is not on the local network's chain.`,
      hint: 'Let the network make blocks automatically, and give a wallet as the recipient.',
    });
  }
  return { ...transfer, success: !bounces };
}

/** The transfer that would pay an order, but never happened. */
export function madeUpTransfer(order: TestOrder, clock: Clock): HappenedTransfer {
  const txHash = randomBytes(32).toString('hex');
  return {
    amount: fromBaseUnits(order.units, 9),
    rawAmount: order.units,
    asset: nativeAsset,
    sender: `0:${randomBytes(32).toString('hex')}`,
    recipient: order.recipient,
    txHash,
    // No transaction has it: a chain begins with small ones.
    lt: BigInt(clock.now()) * 1_000n,
    traceId: txHash,
    success: true,
    time: Math.floor(clock.now() / 1_000),
    bodyHash: createHash('sha256')
      .update(order.payload ?? order.reference)
      .digest('base64'),
  };
}

function textComment(text: string): string {
  return beginCell().storeUint(0, 32).storeStringTail(text).endCell().toBoc().toString('base64');
}
