import * as z from 'zod';
import type { GetMethodSignature } from '../abi/getMethodSignature';
import { jsonFacts } from '../jsonFacts';
import { entrySchema, entryToJson } from './entryToJson';
import { isSuccess } from './getMethodResult';
import type { GetMethodResult } from './getMethodResult';
import { typedJson, typedResultSchema } from './typedJson';

/** The schema of a get-method's result as `run` prints it; its keys are stable. */
export const resultSchema = z
  .strictObject({
    address: jsonFacts.account,
    method: z.string().describe('Name or number, as requested.'),
    network: z.string(),
    api: z.enum(['v2', 'v3']),
    exitCode: jsonFacts.exitCode,
    exitMeaning: z.string(),
    gasUsed: jsonFacts.gas.nullable(),
    stack: z.array(entrySchema),
    typed: typedResultSchema
      .nullable()
      .optional()
      .describe('The answer by its type, if that is known; null if the answer does not match it.'),
    printed: z.array(z.string()).optional().describe("The method's debug output, if the network reports it."),
  })
  .meta({ title: 'The answer of a get-method' });

/** A get-method's result for programs. */
type JsonResult = z.infer<typeof resultSchema>;

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
    ...(result.printed === undefined ? {} : { printed: [...result.printed] }),
  };
}
