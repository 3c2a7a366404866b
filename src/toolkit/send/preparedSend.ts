import type { ServiceFees } from './estimateFees';
import type { Rehearsal } from './rehearsal';
import type { SendableMessage } from './sendableMessage';

/** What is known before a message is sent. */
export interface PreparedSend<Message extends SendableMessage = SendableMessage> {
  message: Message;
  rehearsal: Rehearsal;
  /** The service's own estimate, where it gives one: of external messages only. */
  serviceFees: ServiceFees | undefined;
}
