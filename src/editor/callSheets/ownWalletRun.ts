import path from 'node:path';
import * as vscode from 'vscode';
import { parseAddressInput } from '../../toolkit/address/parseAddressInput';
import { WorkbenchError, abortedError } from '../../toolkit/base/errors';
import { groupBy } from '../../toolkit/base/collections';
import type { FolderLock } from '../../toolkit/base/journal/folderLock';
import { systemClock } from '../../toolkit/base/time';
import type { CallSheet, SheetStep } from '../../toolkit/callSheet/callSheet';
import { stepName } from '../../toolkit/callSheet/callSheet';
import { requestedMessage } from '../../toolkit/send/messageRequest';
import { isSending } from '../../toolkit/workflows/checkWholeSheet';
import { isHandOverOver } from '../../toolkit/workflows/handOverRequest';
import type { HandOverWay } from '../../toolkit/workflows/handOverRequest';
import type { PlannedRequest } from '../../toolkit/workflows/ownWalletPlan';
import { OwnWalletPlan } from '../../toolkit/workflows/ownWalletPlan';
import { PlanRecord, planStore } from '../../toolkit/workflows/planRecord';
import { lockPlan } from '../../toolkit/workflows/runCallSheet';
import type { StepOutcome } from '../../toolkit/workflows/sheetRunTypes';
import { ownWalletName } from '../../toolkit/workflows/sheetRunTypes';
import { confirmedRequest, requirePaid, showHandOver } from '../send/askOwnWallet';
import type { WayHere, WayKind } from '../send/chooseWay';
import { chooseWay, connectedWallet, openWay } from '../send/chooseWay';
import { asItIs } from '../send/confirmSend';
import { recordDeployed } from '../send/recordDeployed';
import type { SendServices } from '../send/showRehearsal';
import type { ShowFollowEvent } from '../traces/following';
import type { OpenSheetNetwork } from './contractsOfSheets';

/** The steps of a sheet that run, and where. */
interface OwnWalletSteps {
  document: vscode.TextDocument;
  sheet: CallSheet;
  steps: readonly SheetStep[];
  /** The networks on which they send something that the user's own wallet signs, by the names that the sheet gives them. */
  networks: ReadonlyMap<string | undefined, OpenSheetNetwork>;
}

/**
 * A run of a sheet whose messages the user's own wallet signs: each is rehearsed, shown, handed over at most once, and
 * waited for until its trace is complete. How far it is stands in the same record as for `ton-workbench plan`.
 */
export class OwnWalletRun {
  readonly plan: OwnWalletPlan<OpenSheetNetwork>;
  readonly #services: SendServices;
  readonly #given: OwnWalletSteps;
  readonly #record: PlanRecord;
  readonly #lock: FolderLock;
  readonly #name: string;
  readonly #ends = new AbortController();
  /** How the wallet signs, by the name of its network. */
  readonly #kinds = new Map<string, WayKind>();
  /** What is being handed over. */
  #current: { way: WayHere; report: (words: string) => void; close: () => void } | undefined;
  #show: ShowFollowEvent | undefined;

  private constructor(
    services: SendServices,
    given: OwnWalletSteps,
    { name, record, lock }: { name: string; record: PlanRecord; lock: FolderLock },
    allow: (network: OpenSheetNetwork) => void,
  ) {
    [this.#services, this.#given, this.#name] = [services, given, name];
    [this.#record, this.#lock] = [record, lock];
    const { document, sheet } = given;
    this.plan = new OwnWalletPlan<OpenSheetNetwork>({
      ...{ sheet, record, clock: systemClock, allow },
      isFor: ({ network }) => network.kind !== 'local',
      way: (asked, signal) => this.#way(asked, signal),
      onEvent: async (event, { network: { access }, request }) => {
        const { way, report } = this.#current ?? {};
        const show = this.#show;
        if (way !== undefined && report !== undefined && show !== undefined) {
          await showHandOver(services, event, { access, way, request, report, show });
        }
      },
      deployed: (step, deployment, { access }) => {
        const file = vscode.Uri.file(path.resolve(path.dirname(document.uri.fsPath), step.file.text));
        return recordDeployed(services, access, deployment, { file, data: step.data?.text ?? '' });
      },
    });
  }

  /**
   * Asks what is to be sent again, if some of it was sent before, and how the wallet signs the rest.
   *
   * @param allow throws if nothing may be sent on a network
   * @throws WorkbenchError `aborted` if the user cancels; `no-folder`, `hand-over-open`, `format-newer` (input),
   *   `call-sheet-busy` (failed), and those of connecting a wallet
   */
  static async open(
    services: SendServices,
    given: OwnWalletSteps,
    allow: (network: OpenSheetNetwork) => void,
  ): Promise<OwnWalletRun> {
    given.networks.forEach((network) => allow(network));
    const { project, name } = placeOf(given.document);
    const lock = await lockPlan(project, name, () => busyError(name));
    try {
      const record = new PlanRecord(planStore(project, name), name);
      const run = new OwnWalletRun(services, given, { name, record, lock }, allow);
      await run.#begin();
      return run;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** A network with the user's own wallet, which the sheet calls `wallet`. */
  withWallet(opened: OpenSheetNetwork): OpenSheetNetwork {
    const known = this.plan.isFor(opened) ? this.#wallet(opened) : undefined;
    return known === undefined
      ? opened
      : { ...opened, accounts: new Map([...opened.accounts, [ownWalletName, known.toRawString()]]) };
  }

  /** Runs, with what it hands over in the list of traces; says then what was sent and what was not. */
  async during(
    work: (signal: AbortSignal) => Promise<readonly StepOutcome[]>,
    outer?: AbortSignal,
  ): Promise<void> {
    const following = await this.#services.following();
    const signal = outer === undefined ? this.#ends.signal : AbortSignal.any([outer, this.#ends.signal]);
    try {
      await following.during(this.#ends, async (show) => {
        this.#show = show;
        let outcomes: readonly StepOutcome[] = [];
        try {
          outcomes = await work(signal);
        } finally {
          if (outcomes.length === 0 || outcomes.some(({ passed }) => !passed)) {
            this.#tellEnd(outcomes.find(({ passed }) => !passed)?.step.lineNumber);
          }
        }
      });
    } finally {
      this.stepEnded();
      this.#lock.release();
    }
  }

  /** What was shown about a step's message goes. */
  stepEnded(): void {
    this.#current?.way.close();
    this.#current?.close();
    this.#current = undefined;
  }

  /** What the run would hand over, by network. */
  #messages(): { step: SheetStep; network: OpenSheetNetwork }[] {
    const { sheet, steps, networks } = this.#given;
    return steps.filter(isSending).flatMap((step) => {
      const network = networks.get((step.network ?? sheet.network)?.text);
      return network === undefined ? [] : [{ step, network }];
    });
  }

  #wallet({ network }: OpenSheetNetwork): ReturnType<typeof parseAddressInput> | undefined {
    const kind = this.#kinds.get(network.name) ?? 'connect';
    const known = kind === 'connect' ? this.#services.wallets.known(network.name) : undefined;
    return known && parseAddressInput(known.address);
  }

  async #begin(): Promise<void> {
    await this.#askAgain();
    const left = this.#messages().filter(
      ({ step, network }) =>
        !['done', 'sent', 'failed'].includes(this.plan.action(step, network)?.state ?? ''),
    );
    for (const { network } of left) {
      if (!this.#kinds.has(network.network.name)) {
        await this.#chooseWay(network);
      }
    }
  }

  async #chooseWay({ access, network }: OpenSheetNetwork): Promise<void> {
    const kind = await chooseWay(this.#services.wallets, network.name);
    if (kind === undefined) {
      throw abortedError();
    }
    if (kind === 'connect') {
      // At once: the sheet may name the wallet.
      const { kind: actual } = await asItIs(access);
      await connectedWallet(this.#services.wallets, network, actual === 'mainnet');
    }
    this.#kinds.set(network.name, kind);
  }

  /** Some of it was sent before: only the user knows whether once more is meant. */
  async #askAgain(): Promise<void> {
    const { sheet, steps, networks } = this.#given;
    const all = this.#messages();
    const actions = all.map(({ step, network }) => this.plan.action(step, network));
    const failed = actions.filter((action) => action?.state === 'failed').length;
    const sent = actions.filter((action) => action?.hash !== undefined).length;
    if (sent === 0) {
      return;
    }
    const [goOn, retry, anew] = ['Go On', 'Send What Failed Again', 'Begin Anew'];
    const question = `${sent} of ${all.length} messages of ${this.#name} were sent before${failed === 0 ? '' : `; ${failed} failed`}.`;
    const answer = await vscode.window.showWarningMessage(
      question,
      {
        modal: true,
        detail:
          'Go On sends only what was not sent yet. Begin Anew sends all of it once more. Each message is shown, and confirmed in your wallet.',
      },
      ...[goOn, ...(failed === 0 ? [] : [retry]), anew],
    );
    if (answer === undefined) {
      throw abortedError();
    }
    if (answer === anew && steps.length === sheet.steps.length) {
      this.#record.forget(systemClock.now());
    } else if (answer !== goOn) {
      networks.forEach((network) => this.plan.retry(network, steps, answer === anew ? 'done' : undefined));
    }
  }

  /** Shows a message, and gives the way on which it leaves. */
  async #way(asked: PlannedRequest<OpenSheetNetwork>, signal: AbortSignal): Promise<HandOverWay> {
    const { step, network, request, open } = asked;
    const { access } = network;
    const { wallets } = this.#services;
    // What a wallet may still send is only waited for.
    const waits = open !== undefined && !(await isHandOverOver(access, open, systemClock, signal));
    const shown = waits
      ? { request, words: `${stepName(step)}.`, isMain: (await asItIs(access)).kind === 'mainnet' }
      : await confirmedRequest(this.#services, access, requestedMessage(request, this.#wallet(network)), {
          names: new Map([
            ...[...network.accounts].map(([name, raw]) => [raw, name] as const),
            ...(step.kind === 'deploy' ? [[request.destination.toRawString(), step.name.text] as const] : []),
          ]),
          isWayChosen: true,
        });
    if (!this.#kinds.has(network.network.name)) {
      await this.#chooseWay(network);
    }
    const kind = this.#kinds.get(network.network.name);
    const way = shown && kind && (await openWay(kind, wallets, access, shown));
    if (way === undefined) {
      throw notHandedError(step);
    }
    if (way.signed !== undefined && this.plan.isTaken(way.signed, step, network)) {
      throw takenError(step);
    }
    if (!waits) {
      await requirePaid(this.#services, access, request, way);
    }
    this.#current = { way, ...this.#notice(step) };
    return waits
      ? { ...way, ...(way.signed === undefined ? { hand: () => Promise.reject(notHandedError(step)) } : {}) }
      : way;
  }

  /** A notification that says how far it is; canceling it ends the run. */
  #notice(step: SheetStep): { report: (words: string) => void; close: () => void } {
    let close = (): void => undefined;
    const closed = new Promise<void>((resolve) => (close = resolve));
    let forward: ((words: string) => void) | undefined;
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: `line ${step.lineNumber}, ${stepName(step)}`,
        cancellable: true,
      },
      (progress, token) => {
        token.onCancellationRequested(() => this.#ends.abort());
        forward = (message) => progress.report({ message });
        return closed;
      },
    );
    return { report: (words) => forward?.(words), close };
  }

  /** @param lineNumber of the step that failed; undefined if the run was ended */
  #tellEnd(lineNumber: number | undefined): void {
    const lines = groupBy(this.#messages(), ({ step, network }) => {
      const action = this.plan.action(step, network);
      return action === undefined
        ? 'not sent'
        : action.hash !== undefined
          ? 'sent'
          : action.state === 'handed'
            ? 'handed over, and may still come'
            : 'not needed, as it was deployed before';
    });
    const parts = [...lines].map(([what, some]) => {
      const numbers = some.map(({ step }) => step.lineNumber).join(', ');
      return `${what}: line${some.length === 1 ? '' : 's'} ${numbers}`;
    });
    void vscode.window.showWarningMessage(
      `${this.#name} ${lineNumber === undefined ? 'was stopped' : `stopped at line ${lineNumber}`}. Messages ${parts.join('; ')}.`,
    );
  }
}

/** The folder that keeps how far a sheet is, and the sheet's path there. */
function placeOf({ uri }: vscode.TextDocument): { project: string; name: string } {
  if (uri.scheme !== 'file') {
    throw new WorkbenchError({
      code: 'no-folder',
      kind: 'input',
      message:
        'Nothing was handed over: without a file, this sheet cannot keep what your wallet was asked for.',
      hint: 'Save the sheet in a folder first. What is kept there makes sure that nothing is sent twice.',
    });
  }
  const project = vscode.workspace.getWorkspaceFolder(uri)?.uri.fsPath ?? path.dirname(uri.fsPath);
  return { project, name: path.relative(project, uri.fsPath).replaceAll('\\', '/') };
}

function notHandedError(step: SheetStep): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-declined',
    kind: 'failed',
    message: `Line ${step.lineNumber} was not handed over.`,
    hint: 'Run the sheet again: it goes on there.',
  });
}

function takenError(step: SheetStep): WorkbenchError {
  return new WorkbenchError({
    code: 'wallet-sent-other',
    kind: 'input',
    message: `This signed message stands for another line already, so line ${step.lineNumber} was not sent.`,
    hint: 'Sign another one for it: equal lines are different messages.',
  });
}

function busyError(name: string): WorkbenchError {
  return new WorkbenchError({
    code: 'call-sheet-busy',
    kind: 'failed',
    message: `${name} is being carried out already, here or by a command.`,
    hint: 'Wait for its end, or stop it.',
  });
}
