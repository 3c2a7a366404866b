import type { WebhookProvider } from './provider';

/** What a service calls a field of the payment service's payload: `account_id` for TONAPI's `recipientAddr`. */
export function ownFieldName(
  { fieldNames = {} }: Pick<WebhookProvider, 'fieldNames'>,
  field: string,
): string {
  return Object.entries(fieldNames).find(([, name]) => name === field)?.[0] ?? field;
}
