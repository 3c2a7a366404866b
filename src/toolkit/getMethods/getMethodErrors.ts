import { WorkbenchError } from '../base/errors';
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

/** Why text is not the name of a get-method or a decimal method id; undefined if it is. */
export function methodNameProblem(text: string): string | undefined {
  const method = text.trim();
  if (method === '') {
    return 'Enter the name of a get-method, for example seqno.';
  }
  if (/^-?\d+$/.test(method)) {
    return undefined;
  }
  const characters = [...method];
  const bad = characters.findIndex((character) => !/[\w:.?!'~$%&*+\-/<=>^|]/.test(character));
  return bad < 0
    ? undefined
    : `Character ${bad + 1} ("${characters[bad]}") is not allowed in the name of a get-method.`;
}
