import type { ReplayReport } from './replayText';
import { vmPhaseOf } from './vmPhaseOf';

/** A replay for programs: numbers of 64 bits are text. */
export function replayJson({ replay, recording, edits, requests }: ReplayReport): Record<string, unknown> {
  const vm = vmPhaseOf(replay.replayed);
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
    requests,
  };
}
