import * as z from 'zod';
import { jsonFacts } from '../toolkit/base/jsonFacts';
import { instructionAt, stackTextAt } from '../toolkit/recording/recording';
import { replayJson, replaySchema } from '../toolkit/replay/replayJson';
import type { ReplayReport } from '../toolkit/replay/replayReport';
import { stateAtStep } from '../toolkit/replay/stateAtStep';
import { placeAt } from '../toolkit/sourceMap/mapSteps';
import { printStackValue } from '../toolkit/stack/stackValue';
import { shownFile } from './linesHere';

const listedStep = z
  .strictObject({
    step: z.int().describe('From 1.'),
    cell: jsonFacts.hash.nullable().describe('Of the code cell; null for a step of the VM itself.'),
    offset: z.int().nullable().describe('In bits.'),
    file: z.string().optional(),
    line: z.int().optional(),
    instruction: z.string().describe('Empty: it ran out of gas before this instruction.'),
    gas: jsonFacts.gas,
    gasLeft: z.int(),
    stackText: z.string().describe('The stack before it in the words of the VM; its end is the top.'),
    exception: z
      .strictObject({
        exitCode: jsonFacts.exitCode,
        isFinal: z.boolean().describe('Nothing caught it.'),
      })
      .optional(),
  })
  .meta({ id: 'Step' });

const stateSchema = z.strictObject({
  step: z.int(),
  cell: jsonFacts.hash,
  offset: z.int(),
  stack: z
    .array(z.string())
    .nullable()
    .describe('As stack text; null: it holds continuations, which the engine cannot hand over.'),
});

const failureSchema = z
  .strictObject({ hash: z.string(), verdict: z.null(), error: jsonFacts.error })
  .meta({ title: 'With --list or --trace: one that was not replayed' });

/** The schema of a get-method of a test, or of a message that a test was refused. */
export const recordAnswerSchema = z
  .strictObject({
    ...replaySchema.pick({
      differences: true,
      exitCode: true,
      gasUsed: true,
      steps: true,
      stepsMissing: true,
      thrownAt: true,
    }).shape,
    verdict: z.enum(['exact', 'diverged']),
    record: z.int().describe('Its number in the recording.'),
    test: z.string().nullable(),
    ran: z.string().describe('What it is: a get-method, or a message that was not accepted.'),
    account: jsonFacts.account,
    stepList: z.array(listedStep).optional().describe('With --steps.'),
  })
  .meta({ title: 'A record of a test that is no transaction' });

/** The schema of what `replay --json` prints: one document, or with --list or --trace one for each transaction. */
export const replayAnswerSchema = z.union([
  z
    .strictObject({
      ...replaySchema.shape,
      atStep: stateSchema.optional().describe('With --step.'),
      stepList: z.array(listedStep).optional().describe('With --steps.'),
    })
    .meta({ title: 'The replay of a transaction' }),
  recordAnswerSchema,
  failureSchema,
]);

/** A transaction of several that was not replayed. */
export function failureAnswer(
  hash: string,
  { code, message }: { code: string; message: string },
): z.infer<typeof failureSchema> {
  return { hash, verdict: null, error: { code, message } };
}

/** One transaction. @param step as `--steps` numbers it, from 1 */
export async function replayAnswer(
  report: ReplayReport,
  step: number | undefined,
): Promise<z.infer<(typeof replayAnswerSchema)['options'][0]>> {
  return {
    ...replayJson(report, shownFile),
    ...(step === undefined ? {} : { atStep: await stateAnswer(report, step) }),
  };
}

/** The VM before one step. */
export async function stateAnswer(
  { inputs, replay }: ReplayReport,
  step: number,
): Promise<z.infer<typeof stateSchema>> {
  const { cell, offset, stack } = await stateAtStep(inputs, replay, step - 1);
  return { step, cell, offset, stack: stack?.map(printStackValue) ?? null };
}

/** All steps, as `--steps` lists them. */
export function* listedSteps({
  recording,
  lines,
}: Pick<ReplayReport, 'recording' | 'lines'>): Generator<z.infer<typeof listedStep>> {
  if (recording === undefined) {
    return;
  }
  const { steps, stepsMissing, cells, cell, offset, gas, gasAfter, exceptions } = recording;
  const thrown = new Map(exceptions.map((exception) => [exception.step, exception]));
  for (let step = 0; step < steps; step += 1) {
    const hash = cells[cell[step] ?? -1];
    const place = lines && placeAt(lines, step);
    const exception = thrown.get(step);
    yield {
      step: stepsMissing + step + 1,
      cell: hash ?? null,
      offset: hash === undefined ? null : (offset[step] ?? null),
      ...(place === undefined ? {} : { file: shownFile(place.file), line: place.line }),
      instruction: instructionAt(recording, step),
      gas: gas[step]!,
      gasLeft: gasAfter[step]!,
      stackText: stackTextAt(recording, step).trim(),
      ...(exception === undefined
        ? {}
        : { exception: { exitCode: exception.code ?? null, isFinal: exception.isFinal } }),
    };
  }
}

const portSchema = z.strictObject({ port: z.int() }).meta({ title: 'The debug adapter that is served now' });

/** The schema of what `debug --json` prints: when it is ready, or what was asked. */
export async function debugAnswersSchema(): Promise<z.ZodType> {
  const { whyAnswerSchema } = await import('./whyValue');
  return z.union([portSchema, whyAnswerSchema]);
}
