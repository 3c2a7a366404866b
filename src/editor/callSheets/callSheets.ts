import * as vscode from 'vscode';
import type { CallSheetRef, TraceRef } from '../../commandTargets';
import { methodNamed, ownMethodId } from '../../toolkit/contracts/abi/methodNamed';
import type { Network } from '../../toolkit/access/network';
import type { CallSheet, SheetCall, SheetStep } from '../../toolkit/callSheet/callSheet';
import { problemsOfStep, stepName } from '../../toolkit/callSheet/callSheet';
import { SheetValues, callSheetError } from '../../toolkit/callSheet/sheetValues';
import { WorkbenchError } from '../../toolkit/base/errors';
import { exportAsTypeScript } from '../../toolkit/getMethods/exportedCall';
import type { SendServices } from '../send/showRehearsal';
import type { TraceServices } from '../traces/liveTraces';
import { LensChanges } from '../ui/readOnlyDocuments';
import { withProgress } from '../ui/withProgress';
import { callAround, parsedSheet } from './parsedSheet';
import { registerSheetLanguage } from './registerSheetLanguage';
import { SheetDiagnostics } from './sheetDiagnostics';
import { ContractsOfSheets, readerOf } from './contractsOfSheets';
import { OrderExplorer } from './orderExplorer';
import { SheetMarks } from './sheetMarks';
import { SheetResults } from './sheetResults';
import type { SheetOutcome } from './sheetRuns';
import { SheetRuns } from './sheetRuns';
import { SheetTests, findCall } from './sheetTests';
import { SheetLenses, SheetWatches } from './sheetWatches';

/** All editor features of call sheets; created when the first sheet is opened. */
export class CallSheets {
  readonly #services: TraceServices;
  readonly #orders: OrderExplorer;
  readonly #contracts: ContractsOfSheets;
  readonly #runs: SheetRuns;
  readonly #results: SheetResults;
  readonly #watches: SheetWatches;
  readonly #diagnostics: SheetDiagnostics;
  readonly #marks: SheetMarks;
  readonly #tests: SheetTests;

  /**
   * @param tests lists the sheets of the workspace
   * @param sending hands messages to the user's own wallet
   */
  constructor(services: TraceServices, tests: vscode.TestController, sending: () => Promise<SendServices>) {
    this.#services = services;
    this.#orders = new OrderExplorer(services);
    this.#contracts = new ContractsOfSheets(services);
    this.#runs = new SheetRuns(services, this.#contracts, sending);
    this.#results = new SheetResults(services);
    this.#watches = new SheetWatches(services, this.#contracts, this.#runs, (told) =>
      this.#results.refresh(told),
    );
    this.#diagnostics = new SheetDiagnostics(this.#contracts, this.#runs);
    this.#marks = new SheetMarks(services, this.#runs);
    this.#tests = new SheetTests(this.#runs, tests);
  }

  register(): vscode.Disposable {
    const lenses = new LensChanges();
    const refresh = (document: vscode.TextDocument): void => {
      lenses.fire();
      this.#marks.update(document);
      this.#diagnostics.schedule(document);
    };
    const opened = (document: vscode.TextDocument): void => {
      if (isSheet(document)) {
        this.#diagnostics.schedule(document, 0);
        this.#tests.update(document);
      }
    };
    vscode.workspace.textDocuments.forEach(opened);
    return vscode.Disposable.from(
      lenses,
      this.#contracts,
      this.#runs,
      this.#results,
      this.#watches,
      this.#diagnostics,
      this.#marks,
      this.#tests,
      this.#orders,
      registerSheetLanguage(this.#services, this.#contracts),
      vscode.languages.registerCodeLensProvider(
        { language: 'toncall' },
        new SheetLenses(this.#runs, this.#watches, lenses.event),
      ),
      this.#watches.onDidChange(() => lenses.fire()),
      this.#runs.onDidChange((document) => refresh(document)),
      this.#contracts.onDidLearn(() =>
        vscode.workspace.textDocuments.filter(isSheet).forEach((one) => this.#diagnostics.schedule(one)),
      ),
      vscode.workspace.onDidOpenTextDocument(opened),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (isSheet(document) && contentChanges.length > 0) {
          refresh(document);
          this.#watches.prune(document);
          this.#tests.update(document);
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (isSheet(document)) {
          this.#watches.prune(document);
          this.#runs.forget(document);
          this.#diagnostics.remove(document);
          this.#tests.close(document);
        }
      }),
      vscode.window.onDidChangeVisibleTextEditors((editors) =>
        editors
          .filter(({ document }) => isSheet(document))
          .forEach((one) => this.#marks.update(one.document)),
      ),
    );
  }

  /** Resolves once the workspace's sheets are in the Test Explorer. */
  findTests(): Promise<void> {
    return this.#tests.found();
  }

  /** Runs every call of the sheet in the active editor; the Test Explorer has the report. */
  async runAll(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document === undefined || !isSheet(document)) {
      throw noSheetError();
    }
    await this.#tests.runAll(document);
  }

  /** Runs a step after those that it depends on, and opens its result beside the sheet. */
  async run(ref?: CallSheetRef): Promise<void> {
    const { document, step } = await chosenStep(ref);
    const [problem] = problemsOfStep(parsedSheet(document), step).filter(
      ({ isUntyped }) => isUntyped !== true,
    );
    if (problem !== undefined) {
      throw callSheetError(problem.offset, problem.length, problem.message, problem.suggestion);
    }
    const outcomes: SheetOutcome[] = [];
    const onOutcome = (told: SheetOutcome): void => {
      if (told.step === step) {
        outcomes.push(told);
      }
    };
    const steps = [...stepsBefore(parsedSheet(document), step), step];
    if (steps.some((one) => this.#runs.isReported(this.#runs.last(document, one)))) {
      // The sheet itself still shows the failure, through the Test Explorer.
      await this.#tests.runSteps(document, steps, onOutcome);
    } else {
      await withProgress(stepName(step), (signal) => this.#runs.run(document, steps, signal, { onOutcome }));
    }
    for (const told of outcomes) {
      await this.#results.show(told);
    }
  }

  /** Debugs a step in the state after those that it depends on. */
  async debug(ref: CallSheetRef | undefined, services: SendServices): Promise<void> {
    const { document, step } = await chosenStep(ref);
    const { debugStep } = await import('./debugStep');
    await debugStep(services, this.#runs, {
      ...{ document, step },
      before: stepsBefore(parsedSheet(document), step),
    });
  }

  /** Explores the orders of the concurrent messages of a sheet; default: the one in the active editor. */
  async explore(sheet?: string): Promise<void> {
    const document =
      sheet === undefined
        ? vscode.window.activeTextEditor?.document
        : await vscode.workspace.openTextDocument(vscode.Uri.parse(sheet, true));
    if (document === undefined || !isSheet(document)) {
      throw noSheetError();
    }
    await this.#orders.explore(document);
  }

  /** Writes the sheet that repeats an explored order. */
  keepOrder(ref: TraceRef): Promise<void> {
    return this.#orders.keep(ref);
  }

  async watch(ref?: CallSheetRef): Promise<void> {
    const { document, call } = await chosenCall(ref);
    this.#watches.start(document, call);
  }

  async stop(ref?: CallSheetRef): Promise<void> {
    const { document, call } = await chosenCall(ref);
    this.#watches.stop(document, call);
  }

  /** Runs one call on its network and on another, and shows both answers side by side. */
  async compare(ref?: CallSheetRef): Promise<void> {
    const { document, call } = await chosenCall(ref);
    const own = this.#contracts.network((call.network ?? parsedSheet(document).network)?.text);
    const other = await askOtherNetwork(this.#services.networks.list(), own);
    if (own === undefined || other === undefined) {
      return;
    }
    const outcomes = await withProgress(`${call.method.text} on ${own.name} and ${other}`, (signal) =>
      Promise.all([own.name, other].map((name) => this.#runs.runOn(document, call, name, signal))),
    );
    await this.#results.compare(outcomes, [own.name, other]);
  }

  /** Copies the call to the clipboard as a TypeScript module. */
  async copy(ref?: CallSheetRef): Promise<void> {
    const { document, call } = await chosenCall(ref);
    const sheet = parsedSheet(document);
    const name = (call.network ?? sheet.network)?.text;
    const { network, accounts } = await withProgress('Connecting', (signal) =>
      this.#contracts.open(name, signal),
    );
    const values = new SheetValues({ accounts, readFile: readerOf(document) });
    values.readVariables(sheet);
    const address = values.address(call);
    const method = call.method.text;
    const signature = methodNamed(this.#contracts.seen(network, address), method)?.signature;
    const stack = values.stack(call, signature);
    await vscode.env.clipboard.writeText(
      exportAsTypeScript({ network, address, method, methodId: ownMethodId(signature), stack }),
    );
    vscode.window.setStatusBarMessage('Copied as TypeScript', 3000);
  }
}

/**
 * The steps that one step depends on. If its `@restore` undoes earlier messages, these are sent again first.
 */
function stepsBefore(sheet: CallSheet, step: SheetStep): SheetStep[] {
  const before = sheet.steps.slice(0, sheet.steps.indexOf(step));
  const undone =
    sheet.restore !== undefined
      ? before
      : step.restore !== undefined
        ? before.filter(({ scenario }) => scenario === step.scenario)
        : [];
  return undone.some(({ kind }) => kind === 'send' || kind === 'deploy') ? undone : [];
}

/** Whether a document is a sheet, not the older side of a diff. */
function isSheet({ languageId, uri }: vscode.TextDocument): boolean {
  return (
    languageId === 'toncall' &&
    (uri.scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== false)
  );
}

/** Like {@link chosenStep}, for actions that only apply to calls. */
async function chosenCall(
  ref: CallSheetRef | undefined,
): Promise<{ document: vscode.TextDocument; call: SheetCall }> {
  const { document, step } = await chosenStep(ref);
  if (step.kind !== 'call') {
    throw new WorkbenchError({
      code: 'no-such-call',
      kind: 'input',
      message: 'This step is not a get-method call.',
      hint: 'Put the cursor on a call, such as alice seqno().',
    });
  }
  return { document, call: step };
}

/** The step of a lens, or the one around the cursor. */
async function chosenStep(
  ref: CallSheetRef | undefined,
): Promise<{ document: vscode.TextDocument; step: SheetStep }> {
  const editor = vscode.window.activeTextEditor;
  const document =
    ref === undefined
      ? editor?.document
      : await vscode.workspace.openTextDocument(vscode.Uri.parse(ref.uri, true));
  if (document === undefined || !isSheet(document)) {
    throw noSheetError();
  }
  const offset = editor?.document === document ? document.offsetAt(editor.selection.active) : 0;
  const step = ref === undefined ? callAround(parsedSheet(document), offset) : findCall(document, ref.call);
  if (step === undefined) {
    throw new WorkbenchError({
      code: 'no-such-call',
      kind: 'input',
      message: ref === undefined ? 'This call sheet has no calls yet.' : 'The sheet no longer has this call.',
      hint: 'Write one: alice seqno()',
    });
  }
  return { document, step };
}

function noSheetError(): WorkbenchError {
  return new WorkbenchError({
    code: 'no-call-sheet',
    kind: 'input',
    message: 'No call sheet (*.toncall) is open.',
    hint: 'Open one, or run TON: New Call Sheet.',
  });
}

/** Asks for a network to compare `own` with; undefined if the user canceled. */
async function askOtherNetwork(
  networks: readonly Network[],
  own: Network | undefined,
): Promise<string | undefined> {
  if (own === undefined) {
    throw new WorkbenchError({
      code: 'network-unknown',
      kind: 'input',
      message: 'The network of this call is unknown.',
      hint: 'Networks are local, mainnet, testnet, and those in the setting tonWorkbench.networks.',
    });
  }
  const items = networks
    .filter(({ name }) => name !== own.name)
    .map((network) => ({
      label: network.name,
      description: network.kind === 'local' ? 'embedded, offline' : hostOf(network),
    }));
  const picked = await vscode.window.showQuickPick(items, {
    title: `TON: Compare ${own.name} With`,
    placeHolder: 'Runs the same call on the same address; get-methods change nothing',
  });
  return picked?.label;
}

function hostOf({ v2, v3 }: Network): string {
  const url = v3 ?? v2;
  return url === undefined ? '' : new URL(url).host;
}
