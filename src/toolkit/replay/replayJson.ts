import { vmPhaseOf } from './vmPhaseOf';
import { replayDoubts } from './replayText';
import type { ReplayReport } from './replayText';

/** A replay for programs: numbers of 64 bits are text. */
export function replayJson(report: ReplayReport): Record<string, unknown> {
  const { inputs, replay, edits, requests } = report;
  const vm = vmPhaseOf(replay.replayed);
  return {
    verdict: edits.length > 0 ? 'edited' : replay.verdict,
    differences: replay.differences.map(({ field, original = null, replayed = null }) => ({
      field,
      original,
      replayed,
    })),
    hash: replay.original.hash().toString('hex'),
    account: inputs.account,
    name: report.name ?? null,
    network: inputs.network,
    seqno: inputs.seqno,
    exitCode: vm?.exitCode ?? null,
    exitName: vm === undefined ? null : (report.exits?.errors?.get(vm.exitCode) ?? null),
    gasUsed: vm === undefined ? null : String(vm.gasUsed),
    steps: vm?.vmSteps ?? null,
    edits,
    doubts: replayDoubts(report),
    requests,
  };
}
