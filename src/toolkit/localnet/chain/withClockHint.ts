import { RejectedMessageError } from './rejectedMessageError';

/** Exit codes of wallets for a message that came too late: v2 34, v3 35, v4 36, v5 136. */
const expired: ReadonlySet<number | undefined> = new Set([34, 35, 36, 136]);

/**
 * Adds a hint to a rejection caused by the network's clock. @param ahead seconds that the network's clock is ahead of
 * the machine's
 */
export function withClockHint(error: unknown, ahead: number): unknown {
  if (ahead <= 0 || !(error instanceof RejectedMessageError) || !expired.has(error.exitCode)) {
    return error;
  }
  return new RejectedMessageError(
    `${error.reason}\nThe clock of this local network is ${ahead} s ahead of the machine's, so a valid_until based on the ` +
      "machine's time may have passed: base it on the time of the last block, or move the clock back (control/time).",
    error.exitCode,
    error.printed,
  );
}
