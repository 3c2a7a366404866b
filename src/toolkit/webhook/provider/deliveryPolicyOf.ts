import type { Delivery } from '../delivery/delivery';
import type { DeliveryPolicy } from './provider';
import { providerNames, providerOf } from './providerOf';

/** How the service of a kept delivery delivers; of one that this version does not know, the payment service's way. */
export function deliveryPolicyOf({ provider: name }: Pick<Delivery, 'provider'>): DeliveryPolicy {
  return providerOf(providerNames.includes(name) ? { name } : undefined).delivery;
}
