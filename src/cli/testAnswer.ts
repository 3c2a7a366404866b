import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import type { ExplainedTest } from './explainTest';
import type { GasChange } from './gasSnapshot';
import { shownFile } from './linesHere';
import type { TestsRun } from '../toolkit/testRuns/runProjectTests';
import type { GasRow } from './testGas';

const failureSchema = z.strictObject({
  name: z.string().nullable().describe('Full name; null if the file itself failed.'),
  file: z.string(),
  line: z.int().optional().describe("Where it failed, if the runner's message says so."),
  message: z.string().optional().describe("In the runner's words."),
  about: z
    .strictObject({
      record: z.string().describe('As replay, debug, and profile take it.'),
      ran: z.string(),
      line: z.int().nullable().describe('Of the call in the test.'),
      exitCode: jsonFacts.exitCode,
      gasUsed: jsonFacts.gas.nullable(),
      result: z.string(),
      isExact: z.boolean().describe('It ran again with the same result as in the test.'),
      doubts: z.array(z.string()).describe('Why it did not.'),
      thrownAt: z
        .strictObject({
          file: z.string(),
          line: z.int(),
          text: z.string(),
          values: z.array(
            z.strictObject({ name: z.string(), value: z.string(), kind: z.string().optional() }),
          ),
        })
        .optional(),
    })
    .optional()
    .describe('What it was about; missing if it ran no code.'),
});

/** The schema of what `test --json` prints. */
export const testAnswerSchema = z
  .strictObject({
    runner: z.enum(['jest', 'vitest', 'mocha', 'node']),
    status: z.int().describe('Exit status of the runner.'),
    passed: z.int(),
    failed: z.int(),
    skipped: z.int(),
    recordings: z.array(z.string()),
    records: z.int().describe('Transactions, get-methods, and refused messages that were recorded.'),
    leftOut: z.int().describe('Records that no recording had room for.'),
    failures: z.array(failureSchema),
    gasRows: z
      .array(
        z.strictObject({
          contract: z.string(),
          ran: z.string(),
          runs: z.int(),
          least: z.int(),
          mean: z.int(),
          most: z.int(),
        }),
      )
      .optional()
      .describe('With --gas: gas of messages and get-methods.'),
    gasChanges: z
      .array(
        z.strictObject({
          contract: z.string(),
          ran: z.string(),
          before: z.int().nullable().describe('Mean gas; null if it did not run before.'),
          after: z.int().nullable().describe('Mean gas; null if it does not run any more.'),
        }),
      )
      .optional()
      .describe('With --gas-diff: what takes other gas than in the snapshot, the largest change first.'),
  })
  .meta({ title: "A run of a project's tests" });

/** A run for programs. */
export function testAnswer(
  run: TestsRun,
  explained: readonly ExplainedTest[],
  facts: Pick<z.infer<typeof testAnswerSchema>, 'recordings' | 'records' | 'leftOut'>,
  { rows, changes }: { rows?: readonly GasRow[] | undefined; changes?: readonly GasChange[] | undefined },
): z.infer<typeof testAnswerSchema> {
  const count = (state: string): number => run.results.filter((one) => one.state === state).length;
  return {
    ...{ runner: run.runner, status: run.status },
    ...{ passed: count('passed'), failed: count('failed'), skipped: count('skipped') },
    ...facts,
    failures: explained.map(failure),
    ...(rows === undefined ? {} : { gasRows: [...rows] }),
    ...(changes === undefined ? {} : { gasChanges: [...changes] }),
  };
}

function failure({ result, file, line, about }: ExplainedTest): z.infer<typeof failureSchema> {
  return {
    ...{ name: result.name, file },
    ...(line === undefined ? {} : { line }),
    ...(result.message === undefined ? {} : { message: result.message }),
    ...(about === undefined
      ? {}
      : {
          about: {
            record: about.name,
            ran: about.words,
            line: about.record.at?.line ?? null,
            exitCode: about.exitCode ?? null,
            gasUsed: about.gasUsed ?? null,
            result: about.exit,
            isExact: about.isExact,
            doubts: [...about.doubts],
            ...(about.thrown === undefined
              ? {}
              : {
                  thrownAt: {
                    file: shownFile(about.thrown.place.file),
                    line: about.thrown.place.line,
                    text: about.thrown.place.text,
                    values: [...about.thrown.values],
                  },
                }),
          },
        }),
  };
}
