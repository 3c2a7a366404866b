import type { ExternalMessage } from './externalMessage';
import type { InternalMessage } from './internalMessage';

/** What can be rehearsed and sent. */
export type SendableMessage = ExternalMessage | InternalMessage;
