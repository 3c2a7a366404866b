import { visibleText } from '../../base/text';
import type { WebhookProvider } from '../provider/webhookProvider';
import { tonPay } from '../provider/tonPay';

/**
 * What a check has not seen.
 * @param reference of the order whose fields the payloads used
 * @param ordersUrl where the shop told of its orders
 * @param provider whose deliveries were sent; default: the payment service's
 */
export function checkRemark(
  reference: string | undefined,
  ordersUrl?: string,
  provider: Pick<WebhookProvider, 'carries'> = tonPay,
): string {
  if (ordersUrl !== undefined) {
    return `What your shop does with its orders was seen at ${ordersUrl}.`;
  }
  if (!provider.carries.includes('reference')) {
    return 'A status only shows what the sender sees, not whether your application found a payment on the chain and marked its order as paid, exactly once: check with the test orders of your shop.';
  }
  const look =
    reference === undefined
      ? 'give the reference of an open order, and look at that order afterward'
      : `look at the order ${visibleText(reference, 100)}`;
  return `A status only shows what the sender sees, not whether your application marked the right order as paid, exactly once: ${look}.`;
}
