import { knownMethods } from '../abi/knownInterfaces';
import type { GetMethodSignature } from '../abi/getMethodSignature';
import { readTyped } from '../typed/readTyped';
import { isSuccess } from './getMethodResult';
import type { GetMethodResult } from './getMethodResult';

/** The signature of a well-known interface that fits this call and its answer, if any. */
export function knownSignature(result: GetMethodResult): GetMethodSignature | undefined {
  if (!isSuccess(result)) {
    return undefined;
  }
  const values = result.stack.map(({ value }) => value);
  return knownMethods(result.method).find(
    ({ method }) =>
      method.result.kind !== 'unknown' &&
      readTyped(values, method.result) !== undefined &&
      readTyped(result.arguments, { kind: 'struct', name: '', fields: method.parameters }) !== undefined,
  )?.method;
}
