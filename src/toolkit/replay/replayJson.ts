import * as z from 'zod';
import { jsonFacts } from '../base/jsonFacts';
import type { ReplayReport } from './replayReport';
import { failureAt } from './failureAt';
import { tvmVersions } from './tvmVersions';
import { actionPhaseOf, vmPhaseOf } from './replayErrors';

const thrownSchema = z.strictObject({
  file: z.string(),
  line: z.int(),
  text: z.string(),
  function: z.string().optional(),
  values: z.array(z.strictObject({ name: z.string(), value: z.string(), kind: z.string().optional() })),
});

/** The schema of a replay. */
export const replaySchema = z
  .strictObject({
    verdict: z.enum(['exact', 'exact-state', 'same-computation', 'diverged', 'edited']),
    differences: z.array(
      z.strictObject({
        field: z.string(),
        original: z.string().nullable(),
        replayed: z.string().nullable(),
      }),
    ),
    hash: jsonFacts.hash,
    exitCode: jsonFacts.exitCode,
    gasUsed: jsonFacts.gas.nullable(),
    steps: z.int().nullable().describe('How many steps the VM made.'),
    stepsMissing: z.int().describe('The first steps, if the log has lost them.'),
    actionResult: z
      .int()
      .nullable()
      .describe('Result code of the action phase, 0 for success; null if there was none.'),
    thrownAt: thrownSchema
      .optional()
      .describe('The source line that threw, or that added the action which failed, if it is known.'),
    versions: z.array(z.int()).nullable().describe('The TVM versions that give the same result.'),
    requests: z.int().describe('How many requests were made for what it depended on.'),
  })
  .meta({ title: 'The replay of a transaction' });

/**
 * A replay for programs.
 * @param nameOf how files are named
 */
export function replayJson(
  { inputs, replay, recording, lines, edits, requests }: ReplayReport,
  nameOf: (file: string) => string = (file) => file,
): z.infer<typeof replaySchema> {
  const vm = vmPhaseOf(replay.replayed);
  const thrown = lines && failureAt(lines, replay.replayed);
  return {
    verdict: edits.length > 0 ? 'edited' : replay.verdict,
    differences: replay.differences.map(({ field, original = null, replayed = null }) => ({
      field,
      original,
      replayed,
    })),
    hash: replay.original.hash().toString('hex'),
    exitCode: vm?.exitCode ?? null,
    gasUsed: vm === undefined ? null : Number(vm.gasUsed),
    steps: vm?.vmSteps ?? null,
    stepsMissing: recording?.stepsMissing ?? 0,
    actionResult: actionPhaseOf(replay.replayed)?.resultCode ?? null,
    ...(thrown === undefined
      ? {}
      : { thrownAt: { ...thrown.place, file: nameOf(thrown.place.file), values: [...thrown.values] } }),
    versions:
      tvmVersions(replay, recording, { isEdited: edits.length > 0, isOurs: inputs.isOurs })?.same.slice() ??
      null,
    requests,
  };
}
