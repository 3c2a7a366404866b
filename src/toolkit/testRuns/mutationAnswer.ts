import * as z from 'zod';
import { visibleText } from '../base/text';

const testSchema = z.strictObject({ file: z.string(), name: z.string() });

/** The schema of what `test --mutate --json` prints at the end. */
export const mutationAnswerSchema = z
  .strictObject({
    score: z
      .number()
      .nullable()
      .describe('Percent of the mutants that a test noticed; null without mutants.'),
    killed: z.int(),
    timedOut: z.int().describe('Tests did not end with them, which counts as noticed.'),
    survived: z.int(),
    candidates: z.int().describe('Changes of lines that tests ran.'),
    none: z.int().describe('Changes that do not compile, or make no other code: no mutants.'),
    testRuns: z.int().describe('Runs of single tests.'),
    allRuns: z.int().describe('What running all tests for each mutant would have taken.'),
    stoppedBy: z.enum(['mutants', 'time']).nullable().describe('The bound at which it ended.'),
    mutants: z.array(
      z.strictObject({
        verdict: z.enum(['killed', 'survived', 'timed-out']),
        file: z.string(),
        line: z.int(),
        column: z.int(),
        change: z.string(),
        length: z.int().describe('Of the text that is replaced, in UTF-16 code units.'),
        replacement: z.string(),
        isChangedLine: z.boolean(),
        isUnseen: z.boolean().describe('Nothing that a test can see came out otherwise, so none ran.'),
        test: testSchema.describe('The one that failed; of a survivor, the one that should have.'),
      }),
    ),
  })
  .meta({ title: 'With --mutate: which small faults the tests do not notice' });

/** The answer of `test --mutate`. */
export type MutationAnswer = z.infer<typeof mutationAnswerSchema>;

/** The schema of a line before that, with `--progress`. */
export const mutationProgressSchema = z
  .strictObject({
    judged: z.int(),
    survived: z.int(),
    left: z.int().describe('At most so many are still to be judged.'),
  })
  .meta({ title: 'With --progress: how far it is, a line for each mutant' });

/** A line of its progress. */
export type MutationProgress = z.infer<typeof mutationProgressSchema>;

/** Why a survivor was not noticed. */
export function survivorReason({ isUnseen }: { isUnseen: boolean }): string {
  return isUnseen ? 'nothing that a test can see came out otherwise' : 'it saw other results, and passed';
}

/** What is wrong with a survivor, as a warning at its place. */
export function survivorWords(survivor: { change: string; isUnseen: boolean }): string {
  return `No test notices this fault: ${visibleText(survivor.change)} (${survivorReason(survivor)}).`;
}

/** What a whole run says, in sentences. @param of what was changed, such as `desk.tolk` */
export function mutationWords(
  { score, killed, timedOut, survived, candidates, none, stoppedBy, mutants }: MutationAnswer,
  of: string,
): string {
  if (score === null) {
    return `There is nothing to change: no test ran a line of ${of} whose code is known here.`;
  }
  const left = candidates - none - mutants.length;
  const bound = { mutants: `${mutants.length} mutants`, time: 'its time' };
  return [
    `The tests notice ${killed + timedOut} of ${mutants.length} small faults in ${of}: a score of ${score} %.`,
    ...(survived === 0 ? [] : ['The others are warnings at their lines.']),
    ...(stoppedBy === null
      ? []
      : [`It ended at the bound of ${bound[stoppedBy]}; up to ${left} more are not judged.`]),
  ].join(' ');
}
