import { WorkbenchError } from '../errors';

/** The text is not the ABI that its name promises: `abi-unreadable` (input). */
export function abiUnreadableError(what: string, reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'abi-unreadable',
    kind: 'input',
    message: `This is no ${what}: ${reason}.`,
    hint: 'Build the contract again, or choose another file.',
    cause,
  });
}
