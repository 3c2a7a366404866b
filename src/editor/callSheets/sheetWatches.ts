import * as vscode from 'vscode';
import type { CallSheetRef } from '../../commandTargets';
import { asCommand } from '../../contributions';
import type { SheetStep } from '../../toolkit/callSheet/callSheet';
import { toWorkbenchError } from '../../toolkit/base/errors';
import { systemClock } from '../../toolkit/base/time';
import { WatchSchedule } from '../../toolkit/getMethods/watchSchedule';
import type { Network } from '../../toolkit/access/network';
import type { Services } from '../project/services';
import { callText, parsedSheet } from './parsedSheet';
import type { ContractsOfSheets } from './contractsOfSheets';
import type { SheetOutcome, SheetRuns } from './sheetRuns';

interface Watch {
  document: vscode.TextDocument;
  text: string;
  controller: AbortController;
  network: Network | undefined;
  /** Of the account that answered last, raw. */
  address?: string;
  /** The block that the last run saw, or why it failed. */
  state?: string | undefined;
}

/**
 * Calls that rerun automatically: after each block of the local network; elsewhere when the network streams that their
 * account has changed, or at an interval.
 */
export class SheetWatches implements vscode.Disposable {
  readonly #services: Services;
  readonly #contracts: ContractsOfSheets;
  readonly #runs: SheetRuns;
  readonly #show: (outcome: SheetOutcome) => Promise<void>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #schedule: WatchSchedule<Watch>;
  readonly #subscription: vscode.Disposable;
  #block: number | undefined;

  /** @param show displays an outcome */
  constructor(
    services: Services,
    contracts: ContractsOfSheets,
    runs: SheetRuns,
    show: (outcome: SheetOutcome) => Promise<void>,
  ) {
    this.#services = services;
    this.#contracts = contracts;
    this.#runs = runs;
    this.#show = show;
    this.#schedule = new WatchSchedule<Watch>({
      run: (watch) => this.#run(watch),
      isLocal: ({ network }) => network?.kind === 'local',
      onError: (watch, error) => this.#noteFailure(watch, error),
      after: systemClock.after,
      streams: {
        placeOf: ({ network, address }) =>
          network && address ? { network: network.name, address } : undefined,
        access: async (name) => {
          const network = services.networks.find(name);
          return network && services.connections.to(network);
        },
        clock: systemClock,
        onHearing: () => this.#changed.fire(),
      },
    });
    this.#subscription = services.localNetwork.onDidChange(() => this.#followBlocks());
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#keep(() => false);
    this.#changed.dispose();
  }

  /** What a watched call is waiting for; undefined if it is not watched. */
  describe(document: vscode.TextDocument, call: SheetStep): string | undefined {
    const watch = this.#find(document, call);
    const rhythm = (one: Watch): string =>
      this.#schedule.hears(one) ? 'runs when its account changes' : 'runs every few seconds';
    return watch && (watch.state ?? rhythm(watch));
  }

  start(document: vscode.TextDocument, call: SheetStep): void {
    if (this.#find(document, call) === undefined) {
      const network = this.#contracts.network((call.network ?? parsedSheet(document).network)?.text);
      const text = callText(document, call);
      this.#schedule.add({ document, text, controller: new AbortController(), network, state: 'starting' });
      this.#changed.fire();
    }
  }

  stop(document: vscode.TextDocument, call: SheetStep): void {
    const stopped = this.#find(document, call);
    this.#keep((watch) => watch !== stopped);
  }

  /** Stops the watches of a document, or only those of calls that its text no longer has. */
  prune(document: vscode.TextDocument): void {
    const texts = document.isClosed
      ? new Set<string>()
      : new Set(parsedSheet(document).steps.map((call) => callText(document, call)));
    this.#keep((watch) => !isOf(watch, document) || texts.has(watch.text));
  }

  #find(document: vscode.TextDocument, call: SheetStep): Watch | undefined {
    const text = callText(document, call);
    return this.#schedule.watches.find((watch) => isOf(watch, document) && watch.text === text);
  }

  #keep(isKept: (watch: Watch) => boolean): void {
    const ended = this.#schedule.watches.filter((watch) => !isKept(watch));
    if (ended.length > 0) {
      this.#schedule.keep(isKept);
      ended.forEach(({ controller }) => controller.abort());
      this.#changed.fire();
    }
  }

  #followBlocks(): void {
    const state = this.#services.localNetwork.state();
    const block = state.kind === 'running' ? state.block : undefined;
    if (state.kind === 'stopped' || state.kind === 'failed') {
      this.#keep(({ network }) => network?.kind !== 'local');
    } else if (block !== undefined && block !== this.#block) {
      this.#schedule.blockMade();
    }
    this.#block = block;
  }

  async #run(watch: Watch): Promise<void> {
    const { document, text, controller, network } = watch;
    const call = parsedSheet(document).calls.find((one) => callText(document, one) === text);
    if (call === undefined || document.isClosed) {
      this.#keep((other) => other !== watch);
      return;
    }
    await this.#runs.run(document, [call], controller.signal, {
      onOutcome: (outcome) => {
        const address = outcome.outcome.result?.address;
        if (address !== undefined && address !== watch.address) {
          watch.address = address;
          this.#schedule.placeKnown();
        }
        void this.#show(outcome);
      },
    });
    const now = this.#services.localNetwork.state();
    watch.state = network?.kind === 'local' && now.kind === 'running' ? `block ${now.block}` : undefined;
    this.#changed.fire();
  }

  #noteFailure(watch: Watch, error: unknown): void {
    const known = toWorkbenchError(error);
    if (known.code !== 'aborted') {
      watch.state = known.message;
      this.#services.log.warn(`watching ${watch.text}: ${known.message}`);
      this.#changed.fire();
    }
  }
}

function isOf(watch: Watch, { uri }: vscode.TextDocument): boolean {
  return watch.document.uri.toString() === uri.toString();
}

/** Lenses above each step, and lenses for the whole sheet above the first line. */
export class SheetLenses implements vscode.CodeLensProvider {
  readonly #runs: SheetRuns;
  readonly #watches: SheetWatches;
  readonly onDidChangeCodeLenses: vscode.Event<void>;

  constructor(runs: SheetRuns, watches: SheetWatches, changed: vscode.Event<void>) {
    this.#runs = runs;
    this.#watches = watches;
    this.onDidChangeCodeLenses = changed;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const { steps } = parsedSheet(document);
    const top = new vscode.Range(0, 0, 0, 0);
    const all =
      steps.length === 0
        ? []
        : [
            new vscode.CodeLens(
              top,
              asCommand('tonWorkbench.runCallSheet', `$(run-all) Run all ${steps.length}`),
            ),
          ];
    const marks = new Set(steps.flatMap(({ concurrent }) => concurrent ?? []));
    const isOneOrder = [...marks].every(({ order }) => order !== undefined);
    const explore = new vscode.CodeLens(
      top,
      asCommand(
        'tonWorkbench.exploreOrders',
        isOneOrder ? '$(type-hierarchy-sub) Repeat This Order' : '$(type-hierarchy-sub) Explore Orders',
        document.uri.toString(),
      ),
    );
    return [
      ...all,
      ...(marks.size === 0 ? [] : [explore]),
      ...steps.flatMap((call) => {
        const start = document.positionAt(call.header.offset);
        const range = new vscode.Range(start, start);
        const ref: CallSheetRef = { uri: document.uri.toString(), call: callText(document, call) };
        const watching = this.#watches.describe(document, call);
        const run = this.#runs.isRunning(document, call) && watching === undefined;
        const forCalls =
          call.kind !== 'call'
            ? []
            : [
                watching === undefined
                  ? asCommand('tonWorkbench.watchSheetCall', '$(eye) Watch', ref)
                  : asCommand('tonWorkbench.stopSheetWatch', `$(debug-stop) Stop watching, ${watching}`, ref),
                asCommand('tonWorkbench.copySheetCall', 'Copy as TypeScript', ref),
                asCommand('tonWorkbench.compareSheetCall', 'Compare networks', ref),
              ];
        const debug =
          call.kind === 'check' || call.kind === 'replay'
            ? []
            : [asCommand('tonWorkbench.debugSheetStep', '$(debug-alt) Debug', ref)];
        return [
          asCommand('tonWorkbench.runSheetCall', run ? '$(sync~spin) Running' : '$(play) Run', ref),
          ...debug,
          ...forCalls,
        ].map((command) => new vscode.CodeLens(range, command));
      }),
    ];
  }
}
