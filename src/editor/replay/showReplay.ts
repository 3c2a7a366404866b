import type * as vscode from 'vscode';
import type { RanGetMethod } from '../../commandTargets';
import { asCommand } from '../../contributions';
import { shortAddress } from '../../toolkit/address/shortAddress';
import type { RecordedGetMethod } from '../../toolkit/execution/emulator/recordGetMethod';
import type { Recording } from '../../toolkit/recording/recording';
import { stepsText } from '../../toolkit/recording/stepsText';
import type { GetMethodInputs } from '../../toolkit/replay/gatherGetMethod';
import { replayText, shownDifferences } from '../../toolkit/replay/replayReport';
import { replayedCode } from '../../toolkit/replay/replayedCode';
import { computePhaseOf } from '../../toolkit/replay/replayErrors';
import type { MappedSteps } from '../../toolkit/sourceMap/mapSteps';
import { mapSteps } from '../../toolkit/sourceMap/mapSteps';
import { lineText } from '../../toolkit/sourceMap/thrownAt';
import { fileName, shortenMiddle, visibleText } from '../../toolkit/base/text';
import { accountNameOn } from '../project/accountName';
import { ownMethodIdIn } from '../project/methodsOf';
import type { Services } from '../project/services';
import { describeForList } from '../traces/openTraceCommand';
import type { ReplayedTrace } from '../traces/openTraces';
import type { ReadOnlyDocument } from '../ui/readOnlyDocuments';
import { withProgress } from '../ui/withProgress';
import type { OpenReplay, ReplayServices } from './replays';

/** Opens the document of a replay: the verdict, the result, and what differs. */
export async function showReplay(services: Services, replay: OpenReplay): Promise<void> {
  const { documents, networks } = services;
  const ref = { replay: replay.key };
  const { report } = replay;
  const isEdited = report.edits.length > 0;
  const hasHappened = !isEdited && report.isRehearsal !== true;
  const lenses: vscode.Command[] = [
    ...(replayHasThrown(report)
      ? [asCommand('tonWorkbench.goToThrow', '$(go-to-file) Line That Threw', ref)]
      : []),
    asCommand('tonWorkbench.debug', '$(debug-alt) Debug', ref),
    ...(isEdited ? [asCommand('tonWorkbench.showTracePage', '$(type-hierarchy) Picture', ref)] : []),
    asCommand('tonWorkbench.showReplaySteps', '$(list-ordered) Steps', ref),
    asCommand('tonWorkbench.showGas', '$(flame) Gas', ref),
    asCommand('tonWorkbench.openFlameChart', 'Flame Chart', ref),
    asCommand(
      'tonWorkbench.replayWithChanges',
      isEdited ? '$(edit) Change Again…' : '$(edit) With Changes…',
      ref,
    ),
    // Only the local network can go back to before its trace.
    ...(isEdited && report.isRehearsal !== true && report.inputs.network === networks.local().name
      ? [asCommand('tonWorkbench.sendAgain', '$(redo) Send Again With These Changes…', ref)]
      : []),
    // A file has what happened, without changes.
    ...(hasHappened ? [asCommand('tonWorkbench.saveReplay', '$(save) Save…', ref)] : []),
    ...(report.edits.length === 0 && replayHasThrown(report)
      ? [asCommand('tonWorkbench.keepAsTest', '$(beaker) Keep as Test', ref)]
      : []),
    asCommand('tonWorkbench.openAccount', '$(account) Account', report.inputs.account),
  ];
  await documents.show(
    `replay/${replay.key}/${replayTitle(replay)}`,
    { text: `${replayText(report, fileName, accountNameOn(services, report.inputs.network))}\n`, lenses },
    { language: 'ton-report' },
  );
}

/** A replay with changes, for its page. */
export async function replayedForPage(services: Services, replay: OpenReplay): Promise<ReplayedTrace> {
  const { report } = replay;
  const { replayedTrace } = await import('../../toolkit/replay/gatherGetMethod');
  const trace = await describeForList(services, replayedTrace(report), { network: report.inputs.network });
  return {
    trace,
    title: replayTitle(replay),
    edits: report.edits.map((edit) => visibleText(edit, 80)),
    differences: shownDifferences(report, accountNameOn(services, report.inputs.network)).map(
      ([what, from, to]) => ({ what, from, to }),
    ),
  };
}

/** Whether the code ended with an exception. */
export function replayHasThrown({ replay }: OpenReplay['report']): boolean {
  const compute = computePhaseOf(replay.replayed);
  return compute?.type === 'vm' && !compute.success;
}

/**
 * Opens the document with every step of a replay.
 *
 * @param lines their source lines, if they are known
 */
export async function showSteps(
  { documents }: Services,
  replay: OpenReplay,
  recording: Recording | undefined,
  lines: MappedSteps | undefined,
): Promise<void> {
  const title = `steps of the ${replayTitle(replay)}`;
  const { edits, isRehearsal } = replay.report;
  const heading = edits.length > 0 || isRehearsal === true ? `${title}: this did not happen` : title;
  const lens = asCommand('tonWorkbench.replayTransaction', '$(debug-restart) Result', { replay: replay.key });
  const document = stepsDocument(heading, recording, lines, [lens]);
  await documents.show(`steps/${replay.key}/${title}`, document, { language: 'ton-steps' });
}

/** The list of an execution's steps, with source lines if they are known. */
export function stepsDocument(
  heading: string,
  recording: Recording | undefined,
  lines: MappedSteps | undefined,
  lenses: readonly vscode.Command[],
): ReadOnlyDocument {
  const lineOf = lines && ((step: number): string => lineText(lines, step, fileName));
  const steps =
    recording === undefined ? ['No code ran, so there are no steps.'] : stepsText(recording, lineOf);
  return { text: `${[heading, '', ...steps].join('\n')}\n`, lenses };
}

/** Whose transaction was replayed: the account's name, else its short address. */
export function replaySubject({ name, inputs }: OpenReplay['report']): string {
  return name ?? shortAddress(inputs.account);
}

/** A title that says whose transaction it is, and whether it was changed: `edited replay of Vault 1f3a5c…09bd`. */
export function replayTitle({ report }: OpenReplay): string {
  const { replay, edits, isRehearsal } = report;
  const what = `${replaySubject(report)} ${shortenMiddle(replay.original.hash().toString('hex'))}`;
  const kind = isRehearsal === true ? 'rehearsal' : 'replay';
  return `${edits.length > 0 ? 'edited ' : ''}${kind} of ${what}`.replaceAll(/[/\\]/g, ' ');
}

/**
 * The source lines of a replay's steps; undefined if no code ran, or if no source in the workspace compiles to it.
 *
 * @throws WorkbenchError as `Replays.recording`
 */
export async function replayLines(
  { replays, project }: Pick<ReplayServices, 'replays' | 'project'>,
  replay: OpenReplay,
  signal: AbortSignal,
): Promise<MappedSteps | undefined> {
  const { codeHash } = replayedCode(replay.report.replay);
  if (codeHash === undefined) {
    return undefined;
  }
  const [recording, map] = await Promise.all([replays.recording(replay, signal), project.lines(codeHash)]);
  return recording === undefined || map === undefined ? undefined : mapSteps(recording, map);
}

/** The replay with its source lines, if it threw. They hold its recording, so they are not kept with it. */
export async function withLines(services: ReplayServices, replay: OpenReplay): Promise<OpenReplay> {
  if (!replayHasThrown(replay.report)) {
    return replay;
  }
  const lines = await withProgress('Finding the line that threw', (signal) =>
    replayLines(services, replay, signal),
  );
  return { ...replay, report: { ...replay.report, lines } };
}

/** A get-method that ran again, step by step. */
interface MethodExecution extends RecordedGetMethod {
  inputs: GetMethodInputs;
  /** Its source lines; undefined if no source in the workspace compiles to the code. */
  lines: MappedSteps | undefined;
}

/**
 * Runs a get-method again in the emulator's thread, on the state at its block, else on the newest one.
 *
 * @throws WorkbenchError as `gatherGetMethod` and `Replays.recordGetMethod`, those of stack text and of connecting
 */
export async function methodLines(
  {
    networks,
    connections,
    replays,
    project,
  }: Pick<ReplayServices, 'replays' | 'project' | 'connections' | 'networks'>,
  { network: name, address, method, stack, block }: RanGetMethod,
  signal: AbortSignal,
): Promise<MethodExecution> {
  const network = networks.find(name) ?? networks.current();
  const [access, { gatherGetMethod }, { parseStackText }] = await Promise.all([
    connections.open(network, signal),
    import('../../toolkit/replay/gatherGetMethod'),
    import('../../toolkit/stack/parseStackText'),
  ]);
  const call = { address, method, stack: parseStackText(stack) };
  const ownId = ownMethodIdIn(project, method);
  const inputs = await gatherGetMethod(access, call, { seqno: block, ownId, signal });
  const [recorded, map] = await Promise.all([
    replays.recordGetMethod(inputs, signal),
    project.lines(inputs.codeHash),
  ]);
  return { ...recorded, inputs, lines: map && mapSteps(recorded.recording, map) };
}
