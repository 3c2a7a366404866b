import path from 'node:path';
import * as vscode from 'vscode';
import type { ContractDescription } from '../../toolkit/contracts/abi/contractDescription';
import { methodNamed } from '../../toolkit/contracts/abi/methodNamed';
import type { Network } from '../../toolkit/access/network';
import type { CallSheet, SheetCall, SheetStep } from '../../toolkit/callSheet/callSheet';
import { visibleText } from '../../toolkit/base/text';
import { summarizeResult } from '../../toolkit/getMethods/summarizeResult';
import { printStack } from '../../toolkit/stack/stackValue';
import { isSending } from '../../toolkit/workflows/checkWholeSheet';
import { runCallSheet } from '../../toolkit/workflows/runCallSheet';
import type { RunCallSheetOptions, SheetMessages, StepOutcome } from '../../toolkit/workflows/sheetRunTypes';
import { accountName } from '../project/accountName';
import { gasFigures } from '../getMethods/gasFigures';
import { sourceAnswers } from '../getMethods/copyCallCommand';
import { workspaceCodes } from '../project/codeLookUp';
import { EmulatorThread } from '../project/emulatorThread';
import type { SendServices } from '../send/showRehearsal';
import type { Services } from '../project/services';
import { sheetLines } from '../traces/traceKnowledge';
import { coinLabel } from '../ui/readWorkspaceFile';
import { messagesOf } from './messagesOf';
import { callText, parsedSheet } from './parsedSheet';
import type { ContractsOfSheets, OpenSheetNetwork } from './contractsOfSheets';
import { readerOf } from './contractsOfSheets';
import type { OwnWalletRun } from './ownWalletRun';

/** The outcome of a document's step. */
export interface SheetOutcome {
  document: vscode.TextDocument;
  step: SheetStep;
  /** The step's text. */
  text: string;
  outcome: StepOutcome;
  /** What is known about the contract that answered. */
  contract?: ContractDescription | undefined;
}

/** Callbacks and options of a run. */
export interface SheetRunEvents {
  onStep?: ((step: SheetStep) => void) | undefined;
  onOutcome?: ((outcome: SheetOutcome) => void) | undefined;
  /** Whether the Test Explorer reports the outcomes, and shows failures in the sheet. */
  isTest?: boolean | undefined;
}

/** Runs calls, and keeps the last outcome of each while its text is unchanged. */
export class SheetRuns implements vscode.Disposable {
  readonly #services: Services;
  readonly #contracts: ContractsOfSheets;
  readonly #changed = new vscode.EventEmitter<vscode.TextDocument>();
  /** Fires when a document's running calls or outcomes have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #last = new Map<string, Map<string, StepOutcome>>();
  /** Failures that the Test Explorer shows in the sheet. */
  readonly #reported = new WeakSet<StepOutcome['failures']>();
  readonly #running = new Map<string, number>();

  /** For `replay` steps, which ask no network. */
  readonly #emulator = new EmulatorThread();

  readonly #sending: () => Promise<SendServices>;

  /** @param sending hands messages to the user's own wallet */
  constructor(services: Services, contracts: ContractsOfSheets, sending: () => Promise<SendServices>) {
    this.#services = services;
    this.#contracts = contracts;
    this.#sending = sending;
  }

  dispose(): void {
    this.#emulator.dispose();
    this.#changed.dispose();
  }

  /** A call's last outcome, with positions in the current text. */
  last(document: vscode.TextDocument, call: SheetStep): StepOutcome | undefined {
    const known = this.#last.get(document.uri.toString())?.get(callText(document, call));
    return known === undefined
      ? undefined
      : {
          ...known,
          step: call,
          checks: known.checks.flatMap((check, index) => {
            const expectation = call.expectations[index];
            return expectation === undefined ? [] : [{ ...check, expectation }];
          }),
        };
  }

  /** Whether the Test Explorer shows the failures of a step's last run in the sheet. */
  isReported(outcome: StepOutcome | undefined): boolean {
    return outcome !== undefined && this.#reported.has(outcome.failures);
  }

  isRunning(document: vscode.TextDocument, call: SheetStep): boolean {
    return (this.#running.get(`${document.uri.toString()} ${callText(document, call)}`) ?? 0) > 0;
  }

  forget(document: vscode.TextDocument): void {
    this.#last.delete(document.uri.toString());
  }

  /**
   * Runs steps of a sheet in order. Problems in other steps do not matter.
   * @throws WorkbenchError `aborted`, `call-sheet-busy`
   */
  async run(
    document: vscode.TextDocument,
    steps: readonly SheetStep[],
    signal?: AbortSignal,
    { onStep, onOutcome, isTest = false }: SheetRunEvents = {},
  ): Promise<void> {
    const texts = new Map(steps.map((step) => [step, callText(document, step)]));
    let running: string | undefined;
    const end = (): void => {
      if (running !== undefined) {
        this.#mark(document, running, -1);
        running = undefined;
      }
    };
    const contracts = new Map<string, ContractDescription>();
    // Its steps are these, however long a question is open while someone writes.
    const sheet = parsedSheet(document);
    const own = await this.#ownWallet(document, sheet, steps, signal);
    const work = (stop: AbortSignal | undefined): Promise<StepOutcome[]> => {
      const options = this.#options(document, contracts, stop);
      return runCallSheet(sheet, {
        ...options,
        ...(own && {
          messages: options.messages && { ...options.messages, plan: own.plan },
          network: async (name) => own.withWallet(await options.network(name)),
        }),
        only: (step) => texts.has(step),
        onStep: (step) => {
          end();
          running = texts.get(step) ?? '';
          this.#mark(document, running, 1);
          onStep?.(step);
        },
        onOutcome: (outcome) => {
          const text = texts.get(outcome.step) ?? '';
          if (isTest && !outcome.passed) {
            this.#reported.add(outcome.failures);
          }
          this.#keep(document, text, outcome);
          end();
          own?.stepEnded();
          const told = toldOf(document, text, outcome, contracts);
          void noteSheetAnswer(this.#services, told);
          onOutcome?.(told);
        },
      });
    };
    try {
      await (own === undefined ? work(signal) : own.during(work, signal));
    } finally {
      end();
    }
  }

  /** How messages leave on networks where the user's own wallet signs; undefined if the steps send none there. */
  async #ownWallet(
    document: vscode.TextDocument,
    sheet: CallSheet,
    steps: readonly SheetStep[],
    signal: AbortSignal | undefined,
  ): Promise<OwnWalletRun | undefined> {
    const sending = steps.filter(isSending).map((step) => (step.network ?? sheet.network)?.text);
    const named = [...new Set(sending)].filter((name) => {
      const network = this.#contracts.network(name);
      return network !== undefined && network.kind !== 'local';
    });
    if (named.length === 0) {
      return undefined;
    }
    const [services, { OwnWalletRun: Run }, ...opened] = await Promise.all([
      this.#sending(),
      import('./ownWalletRun'),
      ...named.map((name) => this.#contracts.open(name, signal)),
    ]);
    const networks = new Map(named.flatMap((name, index) => (opened[index] ? [[name, opened[index]]] : [])));
    const { messages } = this.#options(document, new Map(), signal);
    return Run.open(services, { document, sheet, steps, networks }, (network) => messages?.allow?.(network));
  }

  /**
   * Runs a call on a different network, with the addresses that names have on its own one. The sheet's marks
   * stay.
   */
  async runOn(
    document: vscode.TextDocument,
    call: SheetCall,
    network: string,
    signal: AbortSignal,
  ): Promise<SheetOutcome> {
    const contracts = new Map<string, ContractDescription>();
    const options = this.#options(document, contracts, signal);
    const [outcome] = await runCallSheet(parsedSheet(document), {
      ...options,
      only: (one) => one === call,
      network: async (name) => {
        const own = await this.#contracts.open(name, signal);
        return { ...(await this.#contracts.open(network, signal)), accounts: own.accounts };
      },
    });
    if (outcome === undefined) {
      throw new Error('the call is not in its sheet');
    }
    return toldOf(document, callText(document, call), outcome, contracts);
  }

  /**
   * Runs steps for what they do alone: their outcomes are not kept.
   *
   * @param deliver delivers the messages of some steps in another way than to the network
   * @param onOutcome awaited before anything is undone
   */
  async runApart(
    document: vscode.TextDocument,
    steps: readonly SheetStep[],
    signal: AbortSignal,
    {
      deliver,
      onOutcome,
    }: {
      deliver: SheetMessages<OpenSheetNetwork>['deliver'];
      onOutcome: (outcome: StepOutcome) => Promise<void>;
    },
  ): Promise<void> {
    const options = this.#options(document, new Map(), signal);
    await runCallSheet(parsedSheet(document), {
      ...options,
      ...(options.messages && { messages: { ...options.messages, deliver } }),
      only: (step) => steps.includes(step),
      onOutcome,
    });
  }

  #options(
    document: vscode.TextDocument,
    contracts: Map<string, ContractDescription>,
    signal: AbortSignal | undefined,
  ): RunCallSheetOptions<OpenSheetNetwork> {
    const describe = async (address: string, network: Network): Promise<ContractDescription | undefined> => {
      const found = await this.#describe(address, network, signal);
      if (found !== undefined) {
        contracts.set(address, found);
      }
      return found;
    };
    return {
      isTolerant: true,
      network: (name) => this.#contracts.open(name, signal),
      signature: async (address, method, { network }) =>
        methodNamed(await describe(address, network), method)?.signature,
      exits: (address, { network }) => describe(address, network),
      // A contract that could not be read has no known types.
      isDeployed: (address) => {
        const contract = contracts.get(address);
        return Promise.resolve(contract === undefined ? undefined : contract.codeHash !== undefined);
      },
      messages: messagesOf(this.#services, document, () => this.#contracts.forget(), this.#emulator),
      codes: (text) => workspaceCodes(this.#services.project, text),
      readFile: readerOf(document),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  /** Types are optional: without them the call still runs. On rate-limited networks they are fetched once. */
  async #describe(
    address: string,
    network: Network,
    signal: AbortSignal | undefined,
  ): Promise<ContractDescription | undefined> {
    const seen = this.#contracts.seen(network, address);
    // If nothing is deployed yet, the run itself may deploy it.
    if (seen?.codeHash !== undefined) {
      return seen;
    }
    try {
      return await this.#contracts.ask(network, address, signal);
    } catch (error) {
      signal?.throwIfAborted();
      this.#services.log.debug(`${address} could not be read: ${String(error)}`);
      return undefined;
    }
  }

  #keep(document: vscode.TextDocument, text: string, outcome: StepOutcome): void {
    const key = document.uri.toString();
    const known = this.#last.get(key) ?? new Map<string, StepOutcome>();
    known.set(text, outcome);
    this.#last.set(key, known);
  }

  #mark(document: vscode.TextDocument, text: string, step: number): void {
    const key = `${document.uri.toString()} ${text}`;
    this.#running.set(key, (this.#running.get(key) ?? 0) + step);
    this.#changed.fire(document);
  }
}

function toldOf(
  document: vscode.TextDocument,
  text: string,
  outcome: StepOutcome,
  contracts: ReadonlyMap<string, ContractDescription>,
): SheetOutcome {
  const { step, result } = outcome;
  const contract = result === undefined ? undefined : contracts.get(result.address);
  return { document, step, text, outcome, contract };
}

/** What a step of a sheet did, and what is known about the contract that answered. */
interface SheetAnswer {
  document: vscode.TextDocument;
  outcome: StepOutcome;
  contract?: ContractDescription | undefined;
}

/** Keeps what a sheet's step did for the lenses in sources: the answer of a call, the gas of a message. */
async function noteSheetAnswer(
  services: Services,
  { document, outcome: { step, result, signature, sent }, contract }: SheetAnswer,
): Promise<void> {
  if (sent !== undefined) {
    const { hash } = sent.trace.model.nodes[0] ?? {};
    if (hash !== undefined) {
      const name = path.posix.basename(document.uri.path);
      sheetLines(services).keep(hash, `line ${step.lineNumber} of ${visibleText(name)}`);
    }
    await gasFigures(services).noteTrace(sent.trace.model);
  }
  if (result === undefined || step.kind !== 'call') {
    return;
  }
  const words = { accountName: accountName(services), coinLabel: coinLabel(), exits: contract };
  await sourceAnswers(services).note(
    { result, description: contract },
    {
      stack: printStack(result.arguments),
      texts: [step.arguments.text],
      summary: summarizeResult(result, { ...words, ...(signature === undefined ? {} : { signature }) }),
      isAsked: true,
    },
  );
}
