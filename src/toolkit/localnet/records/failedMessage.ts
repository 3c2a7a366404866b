/** A message that the emulator could not execute. It keeps its coins and waits until it is tried again or dropped. */
export interface FailedMessage {
  /** Base64. */
  hash: string;
  /** BoC, base64. */
  boc: string;
  /** `wc:HEX`. */
  destination: string;
  ignoreSignatures?: boolean;
  /** The emulator's reason, for people. */
  error: string;
}
