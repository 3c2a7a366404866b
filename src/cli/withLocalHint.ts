import { WorkbenchError } from '../toolkit/errors';
import { networkHere } from './networkHere';
import { originsOf } from './network';

/** If nothing answers at the local network's address, it nearly always was not started. */
export function withLocalHint(error: WorkbenchError): WorkbenchError {
  if (error.code !== 'unreachable' || !isLocal(error.details['origin'])) {
    return error;
  }
  const { code, kind, message, details, cause } = error;
  const hint =
    'Start the local network in the editor, or with: ton-workbench localnet. Or choose another with --network.';
  return new WorkbenchError({ code, kind, message, hint, details, cause });
}

function isLocal(origin: unknown): boolean {
  try {
    return typeof origin === 'string' && originsOf(networkHere('local').network).has(origin);
  } catch {
    return false;
  }
}
