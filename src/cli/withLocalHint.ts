import { WorkbenchError } from '../toolkit/errors';
import { localOrigin } from '../toolkit/access/resolveNetwork';

/** No answer at the local network's address nearly always means that it was not started. */
export function withLocalHint(error: WorkbenchError): WorkbenchError {
  if (error.code !== 'unreachable' || error.details['origin'] !== localOrigin) {
    return error;
  }
  const { code, kind, message, details, cause } = error;
  const hint = 'Start the local network with: ton-workbench localnet. Or choose another with --network.';
  return new WorkbenchError({ code, kind, message, hint, details, cause });
}
