import * as vscode from 'vscode';
import type { ContractDescription } from '../../toolkit/abi/describeContract';
import type { SheetCall } from '../../toolkit/callSheet/callSheet';
import { runCallSheet } from '../../toolkit/workflows/runCallSheet';
import type { CallOutcome } from '../../toolkit/workflows/runCallSheet';
import type { Services } from '../services';
import { callText, parsedSheet } from './parsedSheets';
import { readerOf } from './sheetKnowledge';
import type { ContractsOfSheets } from './sheetKnowledge';

/** The outcome of a document's call. */
export interface SheetOutcome {
  document: vscode.TextDocument;
  call: SheetCall;
  outcome: CallOutcome;
  /** What is known about the contract that answered. */
  contract?: ContractDescription | undefined;
}

/** Runs calls and keeps each one's last outcome for as long as its text stays the same. */
export class SheetRuns implements vscode.Disposable {
  readonly #services: Services;
  readonly #contracts: ContractsOfSheets;
  readonly #changed = new vscode.EventEmitter<vscode.TextDocument>();
  /** The running calls of a document, or their outcomes, have changed. */
  readonly onDidChange = this.#changed.event;
  readonly #last = new Map<string, Map<string, CallOutcome>>();
  readonly #running = new Map<string, number>();

  constructor(services: Services, contracts: ContractsOfSheets) {
    this.#services = services;
    this.#contracts = contracts;
  }

  dispose(): void {
    this.#changed.dispose();
  }

  /** A call's last outcome, with positions in the current text. */
  last(document: vscode.TextDocument, call: SheetCall): CallOutcome | undefined {
    const known = this.#last.get(document.uri.toString())?.get(callText(document, call));
    return known === undefined
      ? undefined
      : {
          ...known,
          call,
          checks: known.checks.flatMap((check, index) => {
            const expectation = call.expectations[index];
            return expectation === undefined ? [] : [{ ...check, expectation }];
          }),
        };
  }

  isRunning(document: vscode.TextDocument, call: SheetCall): boolean {
    return (this.#running.get(`${document.uri.toString()} ${callText(document, call)}`) ?? 0) > 0;
  }

  forget(document: vscode.TextDocument): void {
    this.#last.delete(document.uri.toString());
  }

  /**
   * Runs calls of a sheet in order. Problems in other calls do not matter.
   * @throws WorkbenchError `call-sheet-invalid`, `aborted`
   */
  async run(
    document: vscode.TextDocument,
    calls: readonly SheetCall[],
    signal?: AbortSignal,
    onOutcome?: (outcome: SheetOutcome) => void,
  ): Promise<void> {
    for (const call of calls) {
      const text = callText(document, call);
      this.#mark(document, text, 1);
      try {
        const told = await this.#outcomeOf(document, call, signal);
        this.#keep(document, text, told.outcome);
        onOutcome?.(told);
      } finally {
        this.#mark(document, text, -1);
      }
    }
  }

  /**
   * Runs a call on a different network, with the addresses its names have on its own network. The sheet's marks stay.
   * @throws WorkbenchError `call-sheet-invalid`, `aborted`
   */
  runOn(
    document: vscode.TextDocument,
    call: SheetCall,
    network: string,
    signal: AbortSignal,
  ): Promise<SheetOutcome> {
    return this.#outcomeOf(document, call, signal, network);
  }

  async #outcomeOf(
    document: vscode.TextDocument,
    call: SheetCall,
    signal: AbortSignal | undefined,
    elsewhere?: string,
  ): Promise<SheetOutcome> {
    const sheet = parsedSheet(document);
    let contract: ContractDescription | undefined;
    const [outcome] = await runCallSheet(
      { ...sheet, problems: sheet.problems.filter(({ offset }) => concerns(sheet.calls, call, offset)) },
      {
        only: (one) => one === call,
        network: async (name) => {
          const own = await this.#contracts.open(name, signal);
          return elsewhere === undefined
            ? own
            : { ...(await this.#contracts.open(elsewhere, signal)), accounts: own.accounts };
        },
        signature: async (address, method, { network }) => {
          contract = await this.#describe(address, network, signal);
          return contract?.methods.find(({ name }) => name === method)?.signature;
        },
        exits: () => Promise.resolve(contract),
        // A contract that could not be read has no known types.
        isDeployed: () =>
          Promise.resolve(contract === undefined ? undefined : contract.codeHash !== undefined),
        readFile: readerOf(document),
        ...(signal === undefined ? {} : { signal }),
      },
    );
    if (outcome === undefined) {
      throw new Error('the call is not in its sheet');
    }
    return { document, call, outcome, contract };
  }

  /** Types are optional: without them the call still runs. On rate-limited networks they are fetched once. */
  async #describe(
    address: string,
    network: Parameters<ContractsOfSheets['ask']>[0],
    signal: AbortSignal | undefined,
  ): Promise<ContractDescription | undefined> {
    const seen = this.#contracts.seen(network, address);
    if (seen !== undefined) {
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

  #keep(document: vscode.TextDocument, text: string, outcome: CallOutcome): void {
    const key = document.uri.toString();
    const known = this.#last.get(key) ?? new Map<string, CallOutcome>();
    known.set(text, outcome);
    this.#last.set(key, known);
  }

  #mark(document: vscode.TextDocument, text: string, step: number): void {
    const key = `${document.uri.toString()} ${text}`;
    this.#running.set(key, (this.#running.get(key) ?? 0) + step);
    this.#changed.fire(document);
  }
}

/** Whether a problem at `offset` is in this call's section, or above all calls. */
function concerns(calls: readonly SheetCall[], call: SheetCall, offset: number): boolean {
  const owner = calls.findLast(({ header }) => header.offset <= offset);
  return owner === undefined || owner === call;
}
