import { upperHex } from '../../address/upperHex';
import type { FailedOutcome } from '../../emulator/emulator';
import { RejectedMessageError } from './rejectedMessageError';

const notAccepted =
  'External message was not accepted\nCannot run message on account: inbound external message';

/**
 * A rejection in the words of a lite server, with exit code, steps, and the tail of the VM log; then the debug
 * output.
 */
export function rejection(destination: string, outcome: FailedOutcome): RejectedMessageError {
  const account = upperHex(destination.slice(destination.indexOf(':') + 1));
  if (outcome.engineFailed === true) {
    return new RejectedMessageError(
      `${outcome.error}. It was not accepted here, but another network might accept it.`,
    );
  }
  if (outcome.vm === undefined) {
    return new RejectedMessageError(
      `${notAccepted} rejected by account ${account} before smart-contract execution`,
    );
  }
  const { exitCode, log, steps, debugOutput } = outcome.vm;
  const reason = [
    `${notAccepted} rejected by transaction ${account}:`,
    `exitcode=${exitCode}, steps=${steps}, gas_used=0`,
    `VM Log (truncated):\n...${log}`,
    ...(debugOutput.length === 0 ? [] : ['Printed:', ...debugOutput]),
  ].join('\n');
  return new RejectedMessageError(reason, exitCode, debugOutput);
}
