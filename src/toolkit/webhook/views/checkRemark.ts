import { visibleText } from '../../text';

/** The limits of a check. @param reference of the order whose fields the payloads used */
export function checkRemark(reference: string | undefined): string {
  const look =
    reference === undefined
      ? 'give the reference of an open order to find out'
      : `look at the order ${visibleText(reference, 100)}`;
  return `A status only shows what the sender sees. To find out whether your application marked the right order as paid, exactly once, check its own data: ${look}.`;
}
