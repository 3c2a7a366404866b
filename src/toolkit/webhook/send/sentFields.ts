import { settableFields, withFields } from '../payload/samplePayload';
import type { TransferPayload } from '../payload/payload';
import type { WebhookProvider } from '../provider/provider';

/** The fields of a payload that a service's deliveries tell of: to set another one changes no byte. */
export function sentFields(
  { encode }: Pick<WebhookProvider, 'encode'>,
  payload: TransferPayload,
  coin?: string,
): readonly string[] {
  const bytesWith = (name: string, value: string): Buffer =>
    encode(withFields(payload, { [name]: value }, coin));
  return settableFields.filter((name) => !bytesWith(name, '7').equals(bytesWith(name, '8')));
}
