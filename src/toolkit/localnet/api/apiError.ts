import type { StateFidelity } from '../../accounts/libraryShelf';
import { canonicalHash } from '../../address/canonicalAddress';
import { WorkbenchError } from '../../base/errors';
import type { RejectedMessageError } from '../chain/inboundMessage';
import type { LocalChain } from '../chain/localChain';

/** An error answer with the service's own status and words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** The HTTP status of a failed answer: 502 if a fork's source network failed. */
export function statusOfError(error: unknown): number {
  if (error instanceof ApiError) {
    return error.status;
  }
  return WorkbenchError.is(error, 'fork-read-failed') ? 502 : 500;
}

/** `0x2a`, `-0x1`. */
export function hexNumber(value: bigint): string {
  return value < 0n ? `-0x${(-value).toString(16)}` : `0x${value.toString(16)}`;
}

/**
 * A hash of 32 bytes as 64 lowercase hex digits; null if the text is not a hash. Both APIs accept 64 hex digits, with
 * or without `0x`, and 44 characters of base64 in either alphabet.
 * @param unpadded also accepts 43 characters of base64url, like the non-indexed API
 */
export function parseHash(text: string, unpadded = false): string | null {
  if (text.length === 43 && (!unpadded || /[+/]/.test(text))) {
    return null;
  }
  return canonicalHash(text) ?? null;
}

/** The service's words for a rejected message, on both APIs. */
export function rejectionText({ reason }: RejectedMessageError): string {
  return `LITE_SERVER_UNKNOWN: cannot apply external message to current state : ${reason}`;
}

/**
 * The origin of an account's state: created on this network (`local`), or read from the forked network, `exact` or
 * `partial`. Later transactions do not make a partial state exact.
 */
export function stateSource({ fork }: LocalChain, address: string): StateFidelity | 'local' {
  return fork?.fidelity(address) ?? 'local';
}

/** The same as a field of an answer; absent without a fork. */
export function stateSourceField(chain: LocalChain, address: string): { fork_state?: string } {
  return chain.fork === undefined ? {} : { fork_state: stateSource(chain, address) };
}
