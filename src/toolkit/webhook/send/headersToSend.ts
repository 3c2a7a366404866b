import type { WebhookProvider } from '../provider/webhookProvider';

/** The headers for signing a test, of those that a listener reads: the documented ones if included. */
export function headersToSend(
  { documentedHeaders, signatureHeaders }: WebhookProvider,
  read: readonly string[] = signatureHeaders,
): readonly string[] {
  const documented = read.filter((name) => isOneOf(name, documentedHeaders));
  return documented.length === 0 ? read : documented;
}

/** The headers that are read for a signature, of those that the user names: only a service with several has a choice. */
export function headersToRead(
  { signatureHeaders }: WebhookProvider,
  named: readonly string[],
): readonly string[] {
  return signatureHeaders.length > 1 ? named : signatureHeaders;
}

/** Whether a header has one of these names. */
export function isOneOf(name: string, names: readonly string[]): boolean {
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}
