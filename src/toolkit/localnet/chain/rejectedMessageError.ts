import type { DebugOutput } from '../../emulator/emulator';

/** Why an external message was not taken; the text continues the service's "cannot apply external message …". */
export class RejectedMessageError extends Error {
  constructor(
    readonly reason: string,
    /** Exit code of the contract that did not accept, when it ran. */
    readonly exitCode?: number,
    /** What the contract printed before. */
    readonly printed: DebugOutput = [],
  ) {
    super(reason);
  }
}
