import type { ServiceFees } from './estimateFees';
import type { Rehearsal } from './rehearsal';
import type { SendableMessage } from './sendableMessage';

/** What is known before a message is sent. */
export interface PreparedSend<Message extends SendableMessage = SendableMessage> {
  message: Message;
  rehearsal: Rehearsal;
  /** The service's own estimate, if available: only for external messages. */
  serviceFees: ServiceFees | undefined;
}
