import path from 'node:path';
import { Cell } from '@ton/core';
import * as vscode from 'vscode';
import type { TraceRef } from '../../commandTargets';
import { runCommand } from '../../contributions';
import { WorkbenchError } from '../../toolkit/base/errors';
import { fileName, visibleText } from '../../toolkit/base/text';
import { writeUserFile } from '../../toolkit/base/writeUserFile';
import { printOrder } from '../../toolkit/explore/printOrder';
import type { ReplayInputs } from '../../toolkit/replay/replayInputs';
import { counted } from '../../toolkit/trace/figures';
import {
  faultWords,
  nothingFoundWords,
  orderContext,
  sheetOfOrder,
} from '../../toolkit/workflows/exploredWords';
import type { CrossingScenario, ExploreHelper } from '../../toolkit/workflows/exploreThread';
import type { SheetMessages } from '../../toolkit/workflows/sheetRunTypes';
import { workspaceCodes } from '../project/codeLookUp';
import { EmulatorThread } from '../project/emulatorThread';
import { describeDeployed } from '../project/methodsOf';
import { projectWords } from '../project/projectWords';
import type { TraceServices } from '../traces/liveTraces';
import type { OpenTrace } from '../traces/openTraces';
import type { OpenSheetNetwork } from './contractsOfSheets';
import { coinLabel } from '../ui/readWorkspaceFile';
import { withProgress } from '../ui/withProgress';
import { messagesOf } from './messagesOf';

const bounds = { orders: 100_000, seconds: 60 };
/** Seconds of a second try, which the user asks for. */
const longer = 600;

/** Explores the orders of a sheet's concurrent messages, and shows an order that breaks something as a trace. */
export class OrderExplorer implements vscode.Disposable {
  readonly #marked = vscode.languages.createDiagnosticCollection('toncall orders');
  readonly #parts = vscode.Disposable.from(
    this.#marked,
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) {
        this.#marked.delete(document.uri);
      }
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#marked.delete(uri)),
  );

  constructor(private readonly services: TraceServices) {}

  /**
   * Runs all orders, and tells what was found.
   * @throws WorkbenchError as `exploreSheet`
   */
  async explore(document: vscode.TextDocument, seconds = bounds.seconds): Promise<void> {
    this.#marked.delete(document.uri);
    const { version } = document;
    const text = document.getText();
    const within = { orders: bounds.orders, seconds };
    const explored = await withProgress(
      `Exploring the orders of ${fileName(document.uri.path)}`,
      (signal, report) => this.#run(document, within, signal, report),
    );
    const broken = explored.find(({ fault }) => fault !== undefined);
    if (broken === undefined) {
      await this.#tellNothing(document, text, explored, within);
      return;
    }
    if (document.version === version) {
      this.#mark(document, broken);
    }
    const shown = await this.#show(document, text, broken);
    const words = faultWords(broken).map((one) => one.text);
    const choice = await vscode.window.showWarningMessage(
      `“${visibleText(broken.title)}” breaks in the order ${orderOf(broken)}. ${words.join(' ')}`,
      'Debug',
      'Keep as a Sheet',
    );
    if (choice === 'Debug') {
      await runCommand(vscode.commands, 'tonWorkbench.debug', shown);
    } else if (choice !== undefined) {
      await this.keep(shown);
    }
  }

  /**
   * Writes the sheet that repeats the order of a trace, beside the one that was explored, and opens it.
   * @throws WorkbenchError `command-argument-missing` (input), `report-unwritable` (input)
   */
  async keep({ key }: TraceRef): Promise<void> {
    const kept = this.services.traces.find(key)?.kept;
    if (kept === undefined) {
      throw new WorkbenchError({
        code: 'command-argument-missing',
        kind: 'input',
        message: 'This order is no longer in the list of traces.',
        hint: 'Explore the sheet again.',
      });
    }
    const uri = vscode.Uri.parse(kept.sheet, true);
    const document =
      uri.scheme === 'file'
        ? await vscode.workspace.openTextDocument(await writeBeside(uri.fsPath, kept.text))
        : await vscode.workspace.openTextDocument({ language: 'toncall', content: kept.text });
    await vscode.window.showTextDocument(document);
  }

  dispose(): void {
    this.#parts.dispose();
  }

  async #run(
    document: vscode.TextDocument,
    within: typeof bounds,
    signal: AbortSignal,
    report: (message: string) => void,
  ): Promise<CrossingScenario[]> {
    const { exploreInThread } = await import('../../toolkit/workflows/exploreThread');
    const emulator = new EmulatorThread();
    const mayRead = document.uri.scheme === 'file' && vscode.workspace.isTrusted;
    const wish = {
      ...{ text: document.getText(), ...within },
      folder: mayRead ? path.dirname(document.uri.fsPath) : undefined,
    };
    try {
      return await exploreInThread(
        wish,
        exploreHelper(
          this.services,
          messagesOf(this.services, document, () => undefined, emulator),
        ),
        {
          onOrders: (orders) => report(`${counted(orders, 'order')} run`),
          signal,
        },
      );
    } finally {
      emulator.dispose();
    }
  }

  async #tellNothing(
    document: vscode.TextDocument,
    text: string,
    explored: readonly CrossingScenario[],
    within: typeof bounds,
  ): Promise<void> {
    const isCut = explored.some(({ exploration }) => exploration?.stoppedBy === 'seconds');
    const followed = explored.find(({ trace }) => trace !== undefined);
    const [more, show] = [`Explore for ${longer / 60} Minutes`, 'Show the Order'];
    const choice = await vscode.window.showInformationMessage(
      nothingFoundWords(explored, within),
      ...(isCut && within.seconds < longer ? [more] : []),
      ...(followed === undefined ? [] : [show]),
    );
    if (choice === more) {
      await this.explore(document, longer);
    } else if (choice === show && followed !== undefined) {
      await this.#show(document, text, followed);
    }
  }

  /** Where the sheet says what does not hold. */
  #mark(document: vscode.TextDocument, broken: CrossingScenario): void {
    const [first] = broken.sends;
    const places = faultWords(broken).map(({ line = first?.lineNumber ?? 1, text }) => {
      const { range } = document.lineAt(Math.min(line, document.lineCount) - 1);
      return new vscode.Diagnostic(range, `In the order ${orderOf(broken)}: ${text}`);
    });
    places.forEach((one) => (one.source = 'ton'));
    this.#marked.set(document.uri, places);
  }

  /** Opens the page of an order, with its last delivery selected. */
  async #show(
    document: vscode.TextDocument,
    text: string,
    scenario: CrossingScenario,
  ): Promise<{ key: string; index: number }> {
    const name = fileName(document.uri.path);
    if (scenario.trace === undefined) {
      throw new Error('an order has a trace');
    }
    const { model: bare, names, inputs, last } = scenario.trace;
    const { describeTrace } = await import('../../toolkit/workflows/describeTrace');
    const words = { names, coin: coinLabel(), ...projectWords(this.services.project) };
    const context = orderContext(scenario, await describeTrace(bare, words), name);
    const { model } = context;
    const order = orderOf(scenario);
    const key = `order ${document.uri.toString()} ${model.id} ${order}`;
    const inputsOf = (hash: string): ReplayInputs | undefined => inputs.get(hash);
    const trace: OpenTrace = {
      ...{ key, model, context, inputsOf, status: 'test', picture: 'sequence' },
      origin: { test: `${name}:${scenario.sends[0]?.lineNumber}, order ${order}` },
      kept: { sheet: document.uri.toString(), text: sheetOfOrder(text, scenario) },
    };
    this.services.traces.add([trace]);
    const ref = { key, index: model.byHash.get(last)?.index ?? 0 };
    await runCommand(vscode.commands, 'tonWorkbench.showTracePage', ref);
    return ref;
  }
}

function orderOf({ order }: CrossingScenario): string {
  return printOrder(order.map(({ number }) => number));
}

/** Most sheets with an order beside one. */
const mostKept = 99;

/** Nothing is overwritten. @returns the file */
async function writeBeside(sheet: string, text: string): Promise<string> {
  const { dir, name } = path.parse(sheet);
  for (let count = 1; ; count++) {
    const file = path.join(dir, `${name}.order${count === 1 ? '' : `-${count}`}.toncall`);
    try {
      await writeUserFile(file, text, { isNew: true });
      return file;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || count >= mostKept) {
        throw new WorkbenchError({
          code: 'report-unwritable',
          kind: 'input',
          message: `${path.basename(file)} cannot be written beside the sheet.`,
          hint: 'Make room there, and keep the order again.',
          cause,
        });
      }
    }
  }
}

/** What this window answers the thread that explores the orders of a sheet. */
function exploreHelper(
  { project }: TraceServices,
  { build, replays }: SheetMessages<OpenSheetNetwork>,
): ExploreHelper {
  return {
    describe: async ({ code, ...known }) => {
      const deployed = { ...known, ...(code === undefined ? {} : { code: Cell.fromBase64(code) }) };
      await project.findSource(deployed);
      return describeDeployed(project, deployed);
    },
    project: async (codeHashes) => {
      const chosen = codeHashes.flatMap((hash): [string, string][] => {
        const name = project.chosen(hash);
        return name === undefined ? [] : [[hash, name]];
      });
      return { contracts: await project.list(), chosen: new Map(chosen) };
    },
    build,
    codes: async (text) => {
      const found = await workspaceCodes(project, text);
      return new Map([...found].map(([name, code]) => [name, code.toBoc().toString('base64')]));
    },
    openReplay: async (file) => {
      if (replays === undefined) {
        throw new Error('a sheet in the editor can open replays');
      }
      return replays.open(file);
    },
  };
}
