import type { DebugOutput } from '../../emulator/emulator';

/** Why an external message was rejected; the text continues the service's "cannot apply external message …". */
export class RejectedMessageError extends Error {
  constructor(
    readonly reason: string,
    /** Exit code of the rejecting contract, if it ran. */
    readonly exitCode?: number,
    /** The contract's debug output before that. */
    readonly printed: DebugOutput = [],
  ) {
    super(reason);
  }
}
