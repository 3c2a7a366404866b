/** A message that the emulator could not execute. It keeps its coins and waits until it is tried again or dropped. */
export interface FailedMessage {
  /** Lower-case hex. */
  hash: string;
  /** BoC, base64. */
  boc: string;
  /** Raw, in lower case. */
  destination: string;
  ignoreSignatures?: boolean;
  /** The emulator's reason, for people. */
  error: string;
}
