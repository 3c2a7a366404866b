import type { CallSheet, SheetDeploy, SheetSend, SheetStep } from '../callSheet/callSheet';
import { callSheetError } from '../callSheet/sheetValues';
import { WorkbenchError } from '../base/errors';
import type { RequestedArrival } from '../send/findRequested';
import { composeLocalOnlyError } from '../send/composeLineError';
import type { ComposedMessage } from '../send/prepareComposed';
import { systemClock } from '../base/time';
import { composedRequest } from './composedRequest';
import { checkWholeSheet, isSending } from './checkWholeSheet';
import type { OwnWalletPlan } from './ownWalletPlan';
import { findHanded, isOther } from './ownWalletPlan';
import type { RunCallSheetOptions, SheetNetwork } from './sheetRunTypes';
import { SheetSteps } from './sheetSteps';

/** A message of a sheet that the user's own wallet signs, and how far it is. */
export interface PlannedMessage {
  step: SheetSend | SheetDeploy;
  /** The network's name. */
  network: string;
  /** What will be signed; undefined if it depends on an answer that the run reads. */
  message: ComposedMessage | undefined;
  /**
   * `planned`: not handed over yet. `there`: the contract is deployed already. `handed`: a wallet was asked, and the chain
   * has no such message yet. `sent`: it is on the chain. `failed`: it is, and did not do what its step expects.
   * `changed`: another message was sent for the step than the one that it is now.
   */
  state: 'planned' | 'there' | 'handed' | 'sent' | 'failed' | 'done' | 'changed';
  /** Of a message that is on the chain: its transaction, or its own hash. */
  hash?: string | undefined;
  /** Unix seconds until which a wallet may send what was handed over. */
  validUntil?: number | undefined;
}

/**
 * Draws what a run would hand to the user's own wallet, before it starts or at any time later: each message, and how far it
 * is by the record and by the chain. Sends nothing.
 *
 * @throws WorkbenchError `call-sheet-invalid`, `compose-local-only` (input), and the network's errors
 */
export async function drawPlan<Opened extends SheetNetwork>(
  sheet: CallSheet,
  plan: OwnWalletPlan<Opened>,
  options: RunCallSheetOptions<Opened>,
): Promise<PlannedMessage[]> {
  const { only = () => true, signal = new AbortController().signal } = options;
  const steps = sheet.steps.filter(only);
  const [problem] = sheet.problems.filter(({ isUntyped }) => isUntyped !== true);
  if (problem !== undefined) {
    throw callSheetError(problem.offset, problem.length, problem.message, problem.suggestion);
  }
  const [wrong] = await checkWholeSheet(sheet, steps, options);
  if (wrong !== undefined) {
    throw wrong.error;
  }
  const messages = new SheetSteps(sheet, options, signal);
  const drawn: PlannedMessage[] = [];
  for (const step of steps.filter(isMessage)) {
    const opened = await options.network((step.network ?? sheet.network)?.text);
    if (plan.isFor(opened)) {
      drawn.push(await drawStep(step, opened, { plan, messages, signal }));
    }
  }
  return drawn;
}

async function drawStep<Opened extends SheetNetwork>(
  step: SheetSend | SheetDeploy,
  opened: Opened,
  {
    plan,
    messages,
    signal,
  }: { plan: OwnWalletPlan<Opened>; messages: SheetSteps<Opened>; signal: AbortSignal },
): Promise<PlannedMessage> {
  const { access } = opened;
  const { composed, deployment } = await messages.preview(step, opened).catch((error: unknown) => {
    // Everything else was found by the check: this needs an answer that the run reads.
    if (WorkbenchError.is(error, 'call-sheet-invalid')) {
      return { composed: undefined, deployment: undefined };
    }
    throw error;
  });
  if (composed?.sender.kind === 'contract') {
    throw composeLocalOnlyError(access.network.name);
  }
  const known = { step, network: access.network.name, message: composed };
  const action = plan.action(step, opened);
  if (deployment?.isDeployed === true) {
    return { ...known, state: action?.state === 'done' ? 'done' : 'there', hash: action?.hash };
  }
  if (action?.hash !== undefined && composed !== undefined) {
    const request = await composedRequest(access, composed, systemClock.now(), signal);
    if (isOther(action, request)) {
      return { ...known, state: 'changed', hash: action.hash };
    }
  }
  if (action?.state === 'handed' && action.handed !== undefined) {
    const arrived: RequestedArrival[] = await findHanded(access, action.handed, signal);
    const hash = arrived[0]?.transaction;
    const { validUntil } = action.handed.entry;
    return { ...known, state: hash === undefined ? 'handed' : 'sent', hash, validUntil };
  }
  return { ...known, state: action?.state ?? 'planned', hash: action?.hash };
}

function isMessage(step: SheetStep): step is SheetSend | SheetDeploy {
  return isSending(step);
}
