import type { GetMethodSignature } from '../abi/getMethodSignature';
import { entryToJson } from './entryToJson';
import type { JsonEntry } from './entryToJson';
import { isSuccess } from './getMethodResult';
import type { GetMethodResult } from './getMethodResult';
import { typedJson } from './typedJson';
import type { JsonTypedResult } from './typedJson';

/** The result as the `run` command prints it; the names of its keys are a promise. */
export interface JsonResult {
  address: string;
  method: string;
  network: string;
  api: 'v2' | 'v3';
  /** Null where the service does not say. */
  exitCode: number | null;
  exitMeaning: string;
  gasUsed: number | null;
  stack: JsonEntry[];
  /** The answer by its type, with the names of its fields; only with a signature, null where the answer does not fit it. */
  typed?: JsonTypedResult | null;
  /** What the method printed, where the network tells. */
  printed?: readonly string[];
}

/** The result without what only people need. */
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
