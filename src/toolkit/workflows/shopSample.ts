import { requireOrderChecks, tellsAmount } from '../webhook/check/shopRules';
import type { WebhookProvider } from '../webhook/provider/provider';
import { tonPay } from '../webhook/provider/tonPay';
import type { SendScenarioParameters } from '../webhook/send/sendScenario';
import { payTestOrder } from './payTestOrder';
import { shopOrdersAt, usualUnits } from './shopOrders';
import type { ShopToCheck } from './shopOrders';

/**
 * What the samples for a shop tell of. Where deliveries tell no amount, a receiver must find each on the chain: it is a
 * payment to the shop then that pays none of its orders. Opens an order for that, because it says who is paid.
 * @throws WorkbenchError `payment-local-only`, `shop-orders-unusable` (input), and those of the network
 */
export async function shopSample(
  { access, ordersUrl }: ShopToCheck,
  parameters: Pick<SendScenarioParameters, 'fields' | 'coin' | 'signal'> & { provider?: WebhookProvider },
): Promise<Pick<SendScenarioParameters, 'fields' | 'lt'>> {
  const { provider = tonPay, fields, signal } = parameters;
  requireOrderChecks(provider);
  if (tellsAmount(provider)) {
    return { fields };
  }
  const order = await shopOrdersAt(ordersUrl, parameters).open(usualUnits);
  const { txHash, lt } = await payTestOrder(access, order, { comment: 'a sample, for no order' }, signal);
  return { fields: { recipientAddr: order.recipient, txHash, ...fields }, lt };
}
