import type { Emulator, TransactionInput, TransactionOutcome } from '../../emulator/emulator';
import { RejectedMessageError } from './rejectedMessageError';

const notAccepted =
  'External message was not accepted\nCannot run message on account: inbound external message';

/** How the error of a run begins in which the emulator itself broke down (sandboxEmulator.ts). */
const emulatorFailed = 'the emulator failed';

/** The refusal of a message in the words of a lite server, with exit code, steps and the tail of the VM log. */
export async function rejection(
  emulator: Emulator,
  run: TransactionInput,
  destination: string,
  outcome: Extract<TransactionOutcome, { success: false }>,
): Promise<RejectedMessageError> {
  const account = destination.slice(destination.indexOf(':') + 1);
  if (outcome.vm === undefined) {
    const reason = `${notAccepted} rejected by account ${account} before smart-contract execution`;
    return new RejectedMessageError(
      outcome.error.startsWith(emulatorFailed) ? `${reason}: ${outcome.error}` : reason,
    );
  }
  const { exitCode, log } = outcome.vm;
  // The short log is cut; the steps are the instructions of a full one.
  const full = await emulator.runTransaction({ ...run, verbosity: 'full' });
  const fullLog = full.success ? '' : (full.vm?.log ?? '');
  const steps = fullLog.split('\n').filter((line) => line.startsWith('execute ')).length;
  const reason = [
    `${notAccepted} rejected by transaction ${account}:`,
    `exitcode=${exitCode}, steps=${steps}, gas_used=0`,
    `VM Log (truncated):\n...${log}`,
  ].join('\n');
  return new RejectedMessageError(reason, exitCode);
}
