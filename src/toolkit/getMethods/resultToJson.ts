import type { GetMethodSignature } from '../abi/getMethodSignature';
import { entryToJson } from './entryToJson';
import type { JsonEntry } from './entryToJson';
import { isSuccess } from './getMethodResult';
import type { GetMethodResult } from './getMethodResult';
import { typedJson } from './typedJson';
import type { JsonTypedResult } from './typedJson';

/** The result as printed by the `run` command; its keys are stable. */
export interface JsonResult extends Pick<
  GetMethodResult,
  'address' | 'method' | 'network' | 'api' | 'exitCode' | 'exitMeaning' | 'gasUsed'
> {
  stack: JsonEntry[];
  /** The answer by its type, with named fields; only with a signature, null if the answer does not match it. */
  typed?: JsonTypedResult | null;
  /** The method's debug output, if the network reports it. */
  printed?: readonly string[];
}

/** The result without the parts meant only for people. */
export function resultToJson(result: GetMethodResult, signature?: GetMethodSignature): JsonResult {
  const { address, method, network, api, exitCode, exitMeaning, gasUsed, stack } = result;
  return {
    address,
    method,
    network,
    api,
    exitCode,
    exitMeaning,
    gasUsed,
    stack: stack.map(entryToJson),
    ...(signature === undefined || !isSuccess(result) ? {} : { typed: typedJson(result, signature.result) }),
    ...(result.printed === undefined ? {} : { printed: result.printed }),
  };
}
