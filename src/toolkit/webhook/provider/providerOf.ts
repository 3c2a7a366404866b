import { WorkbenchError } from '../../errors';
import { bicycle } from './bicycle';
import { genericHmac } from './genericHmac';
import type { HmacSettings } from './hmacSettings';
import type { WebhookProvider } from './provider';
import { standardWebhooks } from './standardWebhooks';
import { tonapi } from './tonapi';
import { tonPay } from './tonPay';

/** Which service's rules apply. Can cross threads. */
export interface ProviderChoice {
  /** A name of the table below. */
  name: string;
  /** Only for `hmac`. */
  hmac?: HmacSettings | undefined;
}

/** Every service, by name: one entry each. */
const providers: Readonly<Record<string, (choice: ProviderChoice) => WebhookProvider>> = {
  'ton-pay': () => tonPay,
  tonapi: () => tonapi,
  bicycle: () => bicycle,
  'standard-webhooks': () => standardWebhooks,
  hmac: ({ hmac }) => genericHmac(hmac),
};

/** The names of all services. */
export const providerNames: readonly string[] = Object.keys(providers);

/**
 * The service's rules; by default the payment service's.
 * @throws WorkbenchError `provider-unknown` (input)
 */
export function providerOf(choice: ProviderChoice = { name: tonPay.name }): WebhookProvider {
  if (!providerNames.includes(choice.name)) {
    throw new WorkbenchError({
      code: 'provider-unknown',
      kind: 'input',
      message: `There is no provider ${JSON.stringify(choice.name.slice(0, 100))}.`,
      hint: `Providers: ${providerNames.join(', ')}.`,
    });
  }
  return (providers[choice.name] as (choice: ProviderChoice) => WebhookProvider)(choice);
}
