import type { Services } from '../services';
import type { Webhooks } from './webhooks';

/** Shared by the parts of this feature: the services and the listener. */
export interface WebhookServices extends Services {
  webhooks: Webhooks;
}
