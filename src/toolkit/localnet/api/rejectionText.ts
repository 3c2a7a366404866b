import type { RejectedMessageError } from '../chain/rejectedMessageError';

/** The service's words for a rejected message, on both APIs. */
export function rejectionText({ reason }: RejectedMessageError): string {
  return `LITE_SERVER_UNKNOWN: cannot apply external message to current state : ${reason}`;
}
