import * as z from 'zod';
import type { GasComparison } from '../toolkit/gas/compareGas';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import type { CoverageTally } from '../toolkit/replay/coverAll';
import type { SourceCoverage, UnlinedMethod } from '../toolkit/sourceMap/coverageBook';
import type { Profile } from '../toolkit/sourceMap/profileOf';
import { shownFile } from './linesHere';

const change = { change: z.int() };

const comparisonSchema = z.strictObject({
  before: jsonFacts.gas,
  now: jsonFacts.gas,
  ...change,
  lines: z
    .array(
      z.strictObject({
        file: z.string(),
        function: z.string(),
        text: z.string(),
        line: z.int().optional(),
        before: jsonFacts.gas.optional().describe('Missing if the line was added.'),
        now: jsonFacts.gas.optional().describe('Missing if the line was removed.'),
        ...change,
        was: z.string().optional().describe('Its text before, if it was edited.'),
      }),
    )
    .describe('The biggest change first.'),
  unmapped: z
    .strictObject({ before: jsonFacts.gas, now: jsonFacts.gas, ...change })
    .describe('What has no line.'),
});

/** The schema of what `profile --json` prints. */
export const profileAnswerSchema = z
  .strictObject({
    gasUsed: jsonFacts.gas,
    functions: z
      .array(
        z.strictObject({
          name: z.string(),
          file: z.string(),
          line: z.int(),
          gas: jsonFacts.gas.describe('Of its own lines, without the functions that it calls.'),
          calls: z.int(),
        }),
      )
      .describe('The most expensive first.'),
    lines: z
      .array(
        z.strictObject({
          file: z.string(),
          line: z.int(),
          text: z.string(),
          function: z.string().optional(),
          gas: jsonFacts.gas,
          steps: z.int(),
        }),
      )
      .describe('The most expensive first.'),
    unmapped: z.strictObject({ gas: jsonFacts.gas, steps: z.int() }).describe('What has no line.'),
    comparison: comparisonSchema
      .nullable()
      .optional()
      .describe('With --baseline; null if the baseline has no lines of it.'),
  })
  .meta({ title: 'Where the gas of a transaction went' });

/** A profile, with the files as the user would name them. */
export function profileAnswer(
  { gasUsed, functions, lines, unmapped }: Profile,
  { comparison }: { comparison?: GasComparison | null },
): z.infer<typeof profileAnswerSchema> {
  return {
    gasUsed,
    functions: functions.map((one) => ({ ...one, file: shownFile(one.file) })),
    lines: lines.map((one) => ({ ...one, file: shownFile(one.file) })),
    unmapped,
    ...(comparison === undefined
      ? {}
      : { comparison: comparison && { ...comparison, lines: [...comparison.lines] } }),
  };
}

const hits = z.int().describe('How often execution came to it.');

/** The schema of what `coverage --json` prints. */
export const coverageAnswerSchema = z
  .strictObject({
    asked: z.int().describe('Transactions that were to be replayed.'),
    withLines: z.int().describe('Those that ran code with source lines.'),
    byInstruction: z.int().describe('Those that ran code without a source here.'),
    noCode: z.int().describe('Those that ran no code.'),
    noLines: z.int().describe('Those that ran code of which nothing can be told.'),
    diverged: z.int().describe('Those whose replay differs from what happened: not counted.'),
    cut: z.int().describe('Those whose first steps are lost.'),
    failures: z.array(z.string()).describe('Why the others could not be replayed.'),
    files: z.array(
      z.strictObject({
        file: z.string(),
        lines: z.array(z.strictObject({ line: z.int(), hits })).describe('Those that have code.'),
        branches: z.array(
          z.strictObject({
            line: z.int(),
            kind: z.enum(['choice', 'assert']),
            hits: z
              .tuple([z.int(), z.int()])
              .describe('Of an assert: threw, went on. Of a choice: the tested value was true, was false.'),
          }),
        ),
        functions: z
          .array(z.strictObject({ name: z.string(), line: z.int(), hits }))
          .describe('Those that have code of their own.'),
      }),
    ),
    codes: z
      .array(
        z.strictObject({
          name: z.string(),
          instructions: z.int(),
          ran: z.int().describe('How many of them ran.'),
          methods: z.array(z.strictObject({ name: z.string(), ran: z.boolean() })),
        }),
      )
      .describe('Code without a source here.'),
    unlined: z
      .array(
        z.strictObject({
          contract: z.string(),
          name: z.string(),
          why: z.string(),
          runs: z.int(),
        }),
      )
      .describe('The handlers and get-methods that ran, and of which no line is known.'),
  })
  .meta({ title: "What a contract's transactions ran" });

/** What transactions ran: of files, and of codes without a source. */
export function coverageAnswer(
  { asked, covered, noCode, noLines, diverged, cut, failures }: CoverageTally,
  byInstruction: number,
  files: readonly SourceCoverage[],
  codes: readonly SourceCoverage[],
  unlined: readonly UnlinedMethod[],
): z.infer<typeof coverageAnswerSchema> {
  return {
    ...{ asked, withLines: covered - byInstruction, byInstruction },
    ...{ noCode, noLines, diverged, cut, failures: [...failures] },
    files: files.map(({ file, lines, functions, branches }) => ({
      file: shownFile(file),
      lines: [...lines].map(([line, count]) => ({ line, hits: count })),
      branches: branches.map(({ line, kind, ways }) => ({ line, kind, hits: [ways[0], ways[1]] })),
      functions: functions.map(({ name, line, calls }) => ({ name, line, hits: calls })),
    })),
    codes: codes.map(codeCoverage),
    unlined: unlined.map(({ contract, name, why, runs }) => ({ contract, name, why, runs })),
  };
}

/** What ran of a code without a source, whose "lines" are its instructions. */
export function codeCoverage({
  file,
  lines,
  functions,
}: SourceCoverage): z.infer<typeof coverageAnswerSchema>['codes'][number] {
  return {
    name: file,
    instructions: lines.size,
    ran: [...lines.values()].filter((count) => count > 0).length,
    methods: functions.map(({ name, line }, index) => {
      const end = functions[index + 1]?.line ?? Infinity;
      return { name, ran: [...lines].some(([one, count]) => one >= line && one < end && count > 0) };
    }),
  };
}
