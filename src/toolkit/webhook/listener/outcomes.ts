import { limits } from '../../limits';
import type { Delivery } from '../delivery/delivery';
import { tooLarge } from './httpGate';
import type { Interruption } from './readBody';
import { refuse } from './receive';
import type { ReceiveOutcome } from './receive';
import { isHttpSuccess } from '../values/isHttpSuccess';

/** The effect of a connection or parser error on the request being read. */
export function interruptionOf(error: NodeJS.ErrnoException): Interruption {
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'slow';
    case 'HPE_INVALID_EOF_STATE':
      return 'cut';
    case 'ECONNRESET':
      return 'gone';
    default:
      return 'broken';
  }
}

/** The answer to an incomplete body. */
export function interrupted(interruption: Interruption, bodyTimeoutMs: number): ReceiveOutcome {
  switch (interruption) {
    case 'too-large': {
      const { status, verdict, reason } = tooLarge();
      return refuse(status, verdict, reason);
    }
    case 'too-many-pieces': {
      const { most } = limits.webhookBodyPieces;
      return refuse(413, 'too-large', `too many pieces: the body has more than ${most} pieces`);
    }
    case 'too-much-framing': {
      const { most } = limits.webhookBodyFraming;
      return refuse(413, 'too-large', `too much framing: more than ${most} bytes in addition to the body`);
    }
    case 'no-room':
      return refuse(
        503,
        'malformed',
        'not accepted: the memory for bodies is full, so this is answered with 503 and may be retried',
      );
    case 'slow':
      return refuse(408, 'malformed', `slow: the body was incomplete after ${bodyTimeoutMs / 1_000} s`);
    case 'broken':
      return refuse(400, 'malformed', "broken: the body's framing is not valid HTTP");
    case 'cut':
      return refuse(
        400,
        'malformed',
        'interrupted: the sender closed the connection in the middle of the body',
      );
    case 'gone':
      return refuse(0, 'malformed', 'interrupted: the sender disconnected before the body was complete');
  }
}

type Judged = Pick<Delivery, 'status' | 'verdict' | 'reason'>;

/** An unwritten delivery is not acknowledged: the service is asked to retry. Rejections stay as they are. */
export function notStored({ status, verdict, reason }: Judged): Judged {
  return isHttpSuccess(status)
    ? {
        status: 503,
        verdict: 'malformed',
        reason: `not stored: the journal cannot be written, so this is answered with 503 and not processed (would be ${verdict})`,
      }
    : { status, verdict, reason };
}
