import type { TraceServices } from '../traces/traceServices';
import type { SentTests } from './sentTests';
import type { Webhooks } from './webhooks';

/** Shared by the parts of this feature: the services, the traces to show payments in, and the listener. */
export interface WebhookServices extends TraceServices {
  webhooks: Webhooks;
  /** What was sent to the developer's own server. */
  sent: SentTests;
}
