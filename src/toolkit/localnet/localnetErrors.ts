import { fromNano } from '@ton/core';
import { WorkbenchError } from '../base/errors';
import { localnetHost } from './localnetHost';
import type { LocalAccount } from '../accounts/localAccount';
import type { Genesis } from './system/systemAccounts';

/** @param free a port that is currently free, to suggest instead */
export function portTakenError(port: number, free: number): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-port-taken',
    kind: 'input',
    message: `Port ${port} on ${localnetHost} is in use by another program.`,
    hint: `Port ${free} is free; use it, or 0 for any free port.`,
    details: { port, host: localnetHost, free },
  });
}

export function workerFailedError(cause: unknown): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-worker-failed',
    kind: 'internal',
    message: `The local network stopped unexpectedly: ${cause instanceof Error ? cause.message : String(cause)}`,
    hint: 'Start it again; see the log for details.',
    cause,
  });
}

/** A start never overwrites a saved state. */
export function loadMismatchError(folder: string): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-load-mismatch',
    kind: 'input',
    message: `${folder} already holds a state, so nothing was loaded.`,
    hint: 'Leave out --load to continue with it, choose another folder, or replace it with control/load.',
    details: { folder },
  });
}

export function loadConflictError(): WorkbenchError {
  return new WorkbenchError({
    code: 'localnet-load-mismatch',
    kind: 'input',
    message: 'A loaded state has its own accounts, so it cannot be a fork or have other wallets.',
    hint: 'Leave out --fork, --mnemonic, --accounts, and --balance, or leave out --load.',
  });
}

/** @param wished the requested wallets, not all of which are in the state */
export function otherWalletsError(
  folder: string,
  { accounts, balance }: Genesis,
  wished: readonly LocalAccount[],
): WorkbenchError {
  const count = (number: number): string => (number === 1 ? 'one wallet' : `${number} wallets`);
  const kept = new Set(accounts.map(({ address }) => address));
  const strange = wished.filter(({ address }) => !kept.has(address));
  const shown = strange.slice(0, 3).map(({ name, address }) => `${name} (${address})`);
  const more = strange.length > shown.length ? ` and ${strange.length - shown.length} more` : '';
  return new WorkbenchError({
    code: 'localnet-wallets-mismatch',
    kind: 'input',
    message:
      `The state in ${folder} was made with ${count(accounts.length)} of ${fromNano(balance)} TON each. ` +
      `You asked for ${count(wished.length)}, but it does not have ${shown.join(', ')}${more}.`,
    hint: 'To continue with its own wallets, leave out --mnemonic and --accounts. For other wallets, use another folder.',
    details: { folder },
  });
}
