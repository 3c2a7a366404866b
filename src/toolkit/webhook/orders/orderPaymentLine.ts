import { WorkbenchError } from '../../base/errors';
import { toBaseUnits } from '../values/amount';
import { isNativeAsset, knownDecimals } from '../values/asset';
import type { Order } from './parseOrders';

/** Who pays an order, and to whom. */
export interface OrderPayer {
  /** Name of the wallet that signs. */
  wallet: string;
  /** Its address. */
  address: string;
  /** Where the payment goes. */
  recipient: string;
  /** The payer's wallet of the order's jetton; undefined for the native coin. */
  jettonWallet?: string | undefined;
}

/** Pays for the work of a jetton transfer; what is left comes back. */
const jettonFee = '0.1ton';
/** Arrives with the notification of the recipient. */
const forwarded = '0.01ton';

/**
 * The line that composes the payment of an order: its amount in its asset, with its reference as the comment. Jettons
 * are transferred as TEP-74 says.
 * @throws WorkbenchError `order-unpayable` (input) if the amount in base units is not known
 */
export function orderPaymentLine(
  order: Order,
  { wallet, address, recipient, jettonWallet }: OrderPayer,
  coin?: string,
): string {
  const units = orderUnits(order, coin);
  const comment = JSON.stringify(order.reference);
  return jettonWallet === undefined
    ? `${recipient} ${units} comment ${comment} from ${wallet} no-bounce`
    : `${jettonWallet} ${jettonFee} body b(u32 0x0f8a7ea5, u64 0, coins ${units}, addr ${recipient}, ` +
        `addr ${address}, u1 0, coins ${forwarded}, u1 1, ref b(u32 0, str ${comment})) from ${wallet} bounce`;
}

/**
 * What an order asks for, in base units.
 * @throws WorkbenchError `order-unpayable` (input)
 */
export function orderUnits(order: Order, coin?: string): bigint {
  const { rawAmount, amount = '', asset, reference } = order;
  const decimals = order.decimals ?? (isNativeAsset(asset, coin) ? 9 : knownDecimals(asset, coin));
  const units =
    rawAmount === undefined
      ? decimals === undefined
        ? undefined
        : toBaseUnits(amount, decimals)
      : BigInt(rawAmount);
  if (units === undefined) {
    throw new WorkbenchError({
      code: 'order-unpayable',
      kind: 'input',
      message: `The amount of ${JSON.stringify(reference)} in base units is not known.`,
      hint: 'Give the order rawAmount, or the decimals of its asset.',
    });
  }
  return units;
}
