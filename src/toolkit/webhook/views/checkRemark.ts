import { visibleText } from '../../text';

/**
 * What a check has not seen.
 * @param reference of the order whose fields the payloads used
 * @param ordersUrl where the shop told of its orders
 */
export function checkRemark(reference: string | undefined, ordersUrl?: string): string {
  if (ordersUrl !== undefined) {
    return `What your shop does with its orders was seen at ${ordersUrl}.`;
  }
  const look =
    reference === undefined
      ? 'give the reference of an open order to find out'
      : `look at the order ${visibleText(reference, 100)}`;
  return `A status only shows what the sender sees. To find out whether your application marked the right order as paid, exactly once, check its own data: ${look}.`;
}
