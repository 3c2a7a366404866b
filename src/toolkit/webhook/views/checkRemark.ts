import { visibleText } from '../../text';

/** What a check cannot see. @param reference of the order whose fields the payloads carried */
export function checkRemark(reference: string | undefined): string {
  const look =
    reference === undefined
      ? 'give the reference of an open order to find out'
      : `look at the order ${visibleText(reference, 100)}`;
  return `A status says what the sender sees. Whether your application marked the right order as paid, and only once, only its own data can say: ${look}.`;
}
