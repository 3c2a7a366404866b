import type { Services } from '../services';
import type { Webhooks } from './webhooks';

/** What the parts of this feature share: the services, and the listener. */
export interface WebhookServices extends Services {
  webhooks: Webhooks;
}
