import { WorkbenchError } from '../errors';

/** The text is not the kind of ABI that its file name says: `abi-unreadable` (input). */
export function abiUnreadableError(what: string, reason: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'abi-unreadable',
    kind: 'input',
    message: `This is not a ${what}: ${reason}.`,
    hint: 'Build the contract again, or choose another file.',
    cause,
  });
}

/** No file in the project contains the code of the contract to deploy. */
export function contractNotBuilt(contract: string): WorkbenchError {
  return new WorkbenchError({
    code: 'contract-not-built',
    kind: 'input',
    message: `This workspace has no compiled code for ${contract}.`,
    hint: `Build it first (for example \`npx blueprint build ${contract}\`), so that there is a ${contract}.compiled.json or Tact's ${contract}.pkg; or choose "Another address…" for one that is already deployed.`,
  });
}
