/** A message that the emulator could not execute. It keeps its coins and waits until it is retried or dropped. */
export interface FailedMessage {
  /** Lowercase hex. */
  hash: string;
  /** BoC, base64. */
  boc: string;
  /** Raw, in lowercase. */
  destination: string;
  ignoreSignatures?: boolean;
  /** The emulator's reason, for people. */
  error: string;
}
