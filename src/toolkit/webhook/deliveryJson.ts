import type { Delivery } from './delivery';
import { rulesJson } from './fixedRules';

const text = (value: string | null): string => (value === null ? 'null' : JSON.stringify(value));
const list = (values: readonly string[]): string => (values.length === 0 ? '[]' : JSON.stringify(values));

/** The same JSON as JSON.stringify makes of a summary, in half the time: it is made for every delivery. */
export function deliveryJson(delivery: Delivery): string {
  const { signature, payment, forwarded } = delivery;
  return (
    `{"id":"${delivery.id}","receivedAt":"${delivery.receivedAt}","provider":${text(delivery.provider)},` +
    `"method":${text(delivery.method)},"target":${text(delivery.target)},"status":${delivery.status},` +
    `"verdict":"${delivery.verdict}","reason":${text(delivery.reason)},` +
    `"signature":${signature === null ? 'null' : JSON.stringify(signature)},"secret":${text(delivery.secret)},` +
    `"rules":${rulesJson(delivery.rules)},"warnings":${list(delivery.warnings)},` +
    `"unknownFields":${list(delivery.unknownFields)},"event":${text(delivery.event)},` +
    `"reference":${text(delivery.reference)},"transfer":${text(delivery.transfer)},` +
    `"payment":${payment === null ? 'null' : JSON.stringify(payment)},"bodyBytes":${delivery.bodyBytes},` +
    `"elapsedMs":${delivery.elapsedMs},"forwarding":${delivery.forwarding},` +
    `"forwarded":${forwarded === null ? 'null' : JSON.stringify(forwarded)}}`
  );
}
