import * as vscode from 'vscode';
import type { CallSheetRef } from '../../commandTargets';
import { asCommand } from '../../contributions';
import type { SheetStep } from '../../toolkit/callSheet/callSheet';
import { toWorkbenchError } from '../../toolkit/base/errors';
import type { Services } from '../project/services';
import { callText, parsedSheet } from './parsedSheet';
import type { ContractsOfSheets } from './contractsOfSheets';
import type { SheetOutcome, SheetRuns } from './sheetRuns';

/**
 * Milliseconds between runs, except on the local network; the rate limit is shared with the rest of the
 * window.
 */
const intervalMs = 10_000;

interface Watch {
  document: vscode.TextDocument;
  text: string;
  controller: AbortController;
  isLocal: boolean;
  /** The lens's title. */
  state: string;
  block: number;
  isRunning: boolean;
  /** A block was made while the call was running, so it runs once more. */
  isDue: boolean;
  timer?: NodeJS.Timeout;
}

/**
 * Calls that rerun automatically: after each block of the local network, elsewhere every ten seconds per watched
 * call.
 */
export class SheetWatches implements vscode.Disposable {
  readonly #services: Services;
  readonly #contracts: ContractsOfSheets;
  readonly #runs: SheetRuns;
  readonly #show: (outcome: SheetOutcome) => Promise<void>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  readonly #watches = new Map<string, Watch>();
  readonly #subscription: vscode.Disposable;

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
    this.#subscription = services.localNetwork.onDidChange(() => this.#onLocal());
  }

  dispose(): void {
    this.#subscription.dispose();
    [...this.#watches.values()].forEach((watch) => this.#end(watch));
    this.#changed.dispose();
  }

  /** What a watched call is waiting for; undefined if it is not watched. */
  describe(document: vscode.TextDocument, call: SheetStep): string | undefined {
    return this.#watches.get(keyOf(document, callText(document, call)))?.state;
  }

  start(document: vscode.TextDocument, call: SheetStep): void {
    const text = callText(document, call);
    const key = keyOf(document, text);
    if (this.#watches.has(key)) {
      return;
    }
    const network = this.#contracts.network((call.network ?? parsedSheet(document).network)?.text);
    const watch: Watch = {
      document,
      text,
      controller: new AbortController(),
      isLocal: network?.kind === 'local',
      state: 'starting',
      block: 0,
      isRunning: false,
      isDue: false,
    };
    this.#watches.set(key, watch);
    this.#changed.fire();
    void this.#run(watch);
  }

  stop(document: vscode.TextDocument, call: SheetStep): void {
    const watch = this.#watches.get(keyOf(document, callText(document, call)));
    if (watch !== undefined) {
      this.#end(watch);
    }
  }

  /** Stops the watches of a document, or only those of calls that its text no longer has. */
  prune(document: vscode.TextDocument): void {
    const texts = document.isClosed
      ? new Set<string>()
      : new Set(parsedSheet(document).steps.map((call) => callText(document, call)));
    [...this.#watches.values()]
      .filter(({ document: { uri }, text }) => uri.toString() === document.uri.toString() && !texts.has(text))
      .forEach((watch) => this.#end(watch));
  }

  #onLocal(): void {
    const state = this.#services.localNetwork.state();
    for (const watch of [...this.#watches.values()].filter(({ isLocal }) => isLocal)) {
      if (state.kind === 'stopped' || state.kind === 'failed') {
        this.#end(watch);
      } else if (state.kind === 'running' && state.block !== watch.block) {
        void this.#run(watch);
      }
    }
  }

  async #run(watch: Watch): Promise<void> {
    if (watch.isRunning) {
      watch.isDue = true;
      return;
    }
    watch.isRunning = true;
    do {
      watch.isDue = false;
      await this.#runOnce(watch);
    } while (watch.isDue && !watch.controller.signal.aborted);
    watch.isRunning = false;
    if (!watch.isLocal && !watch.controller.signal.aborted) {
      const elsewhere = [...this.#watches.values()].filter(({ isLocal }) => !isLocal).length;
      watch.timer = setTimeout(() => void this.#run(watch), intervalMs * elsewhere);
    }
  }

  async #runOnce(watch: Watch): Promise<void> {
    const { document, text, controller } = watch;
    const call = parsedSheet(document).calls.find((one) => callText(document, one) === text);
    if (call === undefined || document.isClosed) {
      this.#end(watch);
      return;
    }
    const local = this.#services.localNetwork.state();
    watch.block = local.kind === 'running' ? local.block : 0;
    try {
      await this.#runs.run(document, [call], controller.signal, {
        onOutcome: (outcome) => void this.#show(outcome),
      });
      const now = this.#services.localNetwork.state();
      const block = watch.isLocal && now.kind === 'running' ? now.block : undefined;
      watch.state = block === undefined ? `every ${intervalMs / 1000} s` : `block ${block}`;
    } catch (error) {
      const known = toWorkbenchError(error);
      if (known.code === 'aborted') {
        return;
      }
      watch.state = known.message;
      this.#services.log.warn(`watching ${call.title}: ${known.message}`);
    }
    this.#changed.fire();
  }

  #end(watch: Watch): void {
    watch.controller.abort();
    clearTimeout(watch.timer);
    this.#watches.delete(keyOf(watch.document, watch.text));
    this.#changed.fire();
  }
}

function keyOf({ uri }: vscode.TextDocument, text: string): string {
  return `${uri.toString()} ${text}`;
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
    return [
      ...all,
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
