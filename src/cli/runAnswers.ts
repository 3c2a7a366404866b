import * as z from 'zod';
import { resultSchema, resultToJson } from '../toolkit/getMethods/resultToJson';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import { traceSummary, traceSummarySchema } from '../toolkit/trace/traceSummary';
import type { StepOutcome } from '../toolkit/workflows/sheetRunTypes';

/** The schema of a step of a call sheet. */
export const stepAnswerSchema = z
  .strictObject({
    title: z.string(),
    step: z.enum(['call', 'send', 'deploy', 'replay', 'check']),
    passed: z.boolean(),
    skipped: z.literal(true).optional().describe('A step that it needs failed.'),
    wasDone: z.literal(true).optional().describe('An earlier run has completed it.'),
    failures: z.array(z.string()).describe('One sentence for each unmet expectation.'),
    ...resultSchema.partial().shape,
    deployed: z
      .strictObject({ name: z.string(), address: jsonFacts.account, wasThere: z.boolean() })
      .optional(),
    exitName: z
      .string()
      .nullable()
      .optional()
      .describe("The contract's name for the exit code of a message."),
    trace: traceSummarySchema.optional().describe('Of a message.'),
    error: jsonFacts.error.optional().describe('What prevented the step.'),
  })
  .meta({ title: 'A step of a call sheet' });

/** The schema of what `run --json` prints: one document, or for call sheets one for each step. */
export const runAnswerSchema = z.union([resultSchema, stepAnswerSchema]);

/** A step's outcome for programs; its keys are stable. */
export function stepAnswer(outcome: StepOutcome): z.infer<typeof stepAnswerSchema> {
  const { step, passed, isSkipped, wasDone, result, signature, sent, deployed, failures, error } = outcome;
  return {
    title: step.title,
    step: step.kind,
    passed,
    ...(isSkipped === true ? { skipped: true } : {}),
    ...(wasDone === true ? { wasDone } : {}),
    failures,
    ...(result === undefined ? {} : resultToJson(result, signature)),
    ...(deployed === undefined ? {} : { deployed }),
    ...(sent === undefined
      ? {}
      : {
          exitCode: sent.exitCode,
          exitName: sent.exitName ?? null,
          gasUsed: Number(sent.gasUsed),
          trace: traceSummary(sent.trace),
        }),
    ...(error === undefined ? {} : { error: { code: error.code, message: error.message } }),
  };
}
