import { WorkbenchError } from '../errors';
import type { GetMethodResult } from './getMethodResult';

/** The network has no URL for the only API that supports this: `network-lacks-api` (input). */
export function networkLacksApiError(
  network: string,
  api: 'v2' | 'v3' | 'both',
  why?: string,
): WorkbenchError {
  const message =
    api === 'both'
      ? `The network ${network} has neither a v2 nor a v3 URL.`
      : `The network ${network} has no ${api} URL, and ${why}.`;
  return new WorkbenchError({
    code: 'network-lacks-api',
    kind: 'input',
    message,
    hint: api === 'both' ? 'Add one.' : `Add a ${api} URL, or choose another network.`,
    details: { network, api },
  });
}

/** The method ran and failed: `get-method-failed` (failed). */
export function getMethodFailedError({
  method,
  exitCode,
  exitMeaning,
  similar,
}: Pick<GetMethodResult, 'method' | 'exitCode' | 'exitMeaning' | 'similar'>): WorkbenchError {
  return new WorkbenchError({
    code: 'get-method-failed',
    kind: 'failed',
    message: `${method} failed with exit code ${exitCode}: ${exitMeaning}.`,
    ...(similar === undefined ? {} : { hint: `Did you mean ${similar}?` }),
    details: { exitCode },
  });
}
