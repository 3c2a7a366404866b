import type { ReplayReport } from './replayText';
import { thrownAt } from '../sourceMap/thrownAt';
import { tvmVersions } from './tvmVersions';
import { vmPhaseOf } from './vmPhaseOf';

/**
 * A replay for programs: numbers of 64 bits are text.
 * @param nameOf how files are named
 */
export function replayJson(
  { replay, recording, lines, edits, requests }: ReplayReport,
  nameOf: (file: string) => string = (file) => file,
): Record<string, unknown> {
  const vm = vmPhaseOf(replay.replayed);
  const thrown = lines && thrownAt(lines);
  return {
    verdict: edits.length > 0 ? 'edited' : replay.verdict,
    differences: replay.differences.map(({ field, original = null, replayed = null }) => ({
      field,
      original,
      replayed,
    })),
    hash: replay.original.hash().toString('hex'),
    exitCode: vm?.exitCode ?? null,
    gasUsed: vm === undefined ? null : String(vm.gasUsed),
    steps: vm?.vmSteps ?? null,
    stepsMissing: recording?.stepsMissing ?? 0,
    ...(thrown === undefined
      ? {}
      : { thrownAt: { ...thrown.place, file: nameOf(thrown.place.file), values: thrown.values } }),
    versions: tvmVersions(replay, recording, edits.length > 0)?.same ?? null,
    requests,
  };
}
