import { WorkbenchError } from '../errors';

/** Nobody can be asked about a request that is not pending. */
export function requestUnknownError(number: number): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-request-unknown',
    kind: 'input',
    message: `There is no pending request ${number}.`,
    hint: 'It was answered or withdrawn, or it never came.',
  });
}
