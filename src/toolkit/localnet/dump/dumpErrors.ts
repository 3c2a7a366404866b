import { WorkbenchError } from '../../errors';
import { visibleText } from '../../text';
import { dumpVersion } from './stateDump';

/** @param what the part and its problem; may contain text of the dump */
export function dumpInvalidError(what: string, cause?: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-dump-invalid',
    kind: 'input',
    message: `This state cannot be loaded: ${visibleText(what, 300)}. Nothing was changed.`,
    hint: 'Load an answer of control/dump.',
    ...(cause === undefined ? {} : { cause }),
  });
}

export function dumpVersionError(version: unknown): WorkbenchError {
  const given = visibleText(JSON.stringify(version) ?? 'undefined', 40);
  return new WorkbenchError({
    code: 'localnet-dump-version',
    kind: 'input',
    message: `This state has version ${given}; this TON Workbench reads version ${dumpVersion}. Nothing was changed.`,
    hint: 'Update TON Workbench, or dump the state again with this version.',
  });
}

/** A fork cannot be dumped: most of its state is on the other network. */
export function dumpOfForkError(): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-dump-fork',
    kind: 'input',
    message:
      'A fork reads its accounts from another network when needed, so it does not have the whole state.',
    hint: 'Dump and load on a local network that is not a fork; keep a fork with --state.',
  });
}

/** Pending messages would be lost. */
export function dumpBusyError(pending: number): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-dump-busy',
    kind: 'input',
    message: `${pending} messages or changes are waiting for a block and would be missing.`,
    hint: 'Make the blocks first (control/mine), or drop what is waiting (control/dropPending).',
  });
}
