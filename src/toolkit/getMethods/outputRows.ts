import type { GetMethodSignature } from '../abi/getMethodSignature';
import { isJettonMethod } from '../opcodes/countsJettons';
import { entryRow } from './entryRows';
import type { Row, ShowOptions } from './entryRows';
import { isSuccess } from './getMethodResult';
import type { GetMethodResult } from './getMethodResult';
import { typedRows } from './typedRows';

/**
 * The rows of an answer: by its types if they fit, else by each entry's recognized meaning. A failed method
 * has none, because what the TVM left on the stack is not an answer.
 */
export function outputRows(
  result: GetMethodResult,
  signature: GetMethodSignature | undefined,
  options: ShowOptions,
): { rows: Row[]; isTyped: boolean } {
  if (!isSuccess(result)) {
    return { rows: [], isTyped: false };
  }
  const shown = { ...options, ofJetton: options.ofJetton === true || isJettonMethod(result.method) };
  const typed = signature === undefined ? undefined : typedRows('out', result, signature, shown);
  return {
    rows: typed ?? result.stack.map((entry, index) => entryRow('out', index, entry, shown)),
    isTyped: typed !== undefined,
  };
}
