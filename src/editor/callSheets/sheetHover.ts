import * as vscode from 'vscode';
import { methodNamed } from '../../toolkit/abi/methodNamed';
import { signatureText } from '../../toolkit/abi/getMethodSignature';
import type { CallSheet, MethodCall, SheetCall } from '../../toolkit/callSheet/callSheet';
import { explainExitCode, unexplainedExit } from '../../toolkit/exitCodes';
import { accountName } from '../accounts/knownAccounts';
import type { Services } from '../services';
import { parsedSheet } from './parsedSheets';
import { rangeOf } from './sheetDiagnostics';
import { targetAddress } from './sheetKnowledge';
import type { ContractsOfSheets } from './sheetKnowledge';

/**
 * Describes the word under the pointer in a call sheet. Text from the chain and from sources is shown as plain text,
 * never as markdown.
 */
export class SheetHover implements vscode.HoverProvider {
  readonly #services: Services;
  readonly #contracts: ContractsOfSheets;

  constructor(services: Services, contracts: ContractsOfSheets) {
    this.#services = services;
    this.#contracts = contracts;
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    const sheet = parsedSheet(document);
    const offset = document.offsetAt(position);
    const isAt = (place: { offset: number; length: number }): boolean =>
      offset >= place.offset && offset <= place.offset + place.length;
    const inExpectations = sheet.steps.flatMap((step) =>
      step.expectations.flatMap(({ subject }) =>
        subject.kind === 'answer' ? [{ ...subject.call, network: step.network, expectations: [] }] : [],
      ),
    );
    for (const call of [...sheet.calls, ...inExpectations]) {
      if (isAt(call.method)) {
        return hover(this.#method(sheet, call), rangeOf(document, call.method));
      }
      if (isAt(call.target)) {
        return hover(this.#target(sheet, call), rangeOf(document, call.target));
      }
      const exit = call.expectations.find((one) => one.subject.kind === 'exit' && isAt(one.value));
      if (exit !== undefined) {
        return hover(this.#exit(sheet, call, exit.value.text), rangeOf(document, exit.value));
      }
    }
    const range = document.getWordRangeAtPosition(position, /@[\w.-]+/);
    const name = range === undefined ? undefined : document.getText(range).slice(1);
    const variable = sheet.variables.find((one) => one.name.text === name);
    return variable === undefined || range === undefined
      ? undefined
      : hover([code(`@${variable.name.text} = ${variable.value.text}`)], range);
  }

  #contract(sheet: CallSheet, call: HoveredCall): ReturnType<ContractsOfSheets['seen']> {
    const sources = this.#contracts.sources.now();
    const deployed =
      sources === undefined ? undefined : this.#contracts.sources.deployed(call.target.text, sheet, sources);
    if (deployed !== undefined) {
      return deployed.description;
    }
    const name = (call.network ?? sheet.network)?.text;
    const network = this.#contracts.network(name);
    const address = targetAddress(call.target.text, this.#contracts.accounts(name), sheet);
    return network === undefined || address === undefined
      ? undefined
      : this.#contracts.seen(network, address);
  }

  #method(sheet: CallSheet, call: HoveredCall): vscode.MarkdownString[] {
    const contract = this.#contract(sheet, call);
    const method = methodNamed(contract, call.method.text);
    if (method === undefined) {
      return contract === undefined ? [] : [plain('The contract has no get-method with this name.')];
    }
    return [
      ...(method.signature === undefined ? [] : [code(signatureText(method.signature))]),
      ...(method.signature?.comment === undefined ? [] : [plain(method.signature.comment)]),
      plain(`Known from: ${method.origin}`),
    ];
  }

  #target(sheet: CallSheet, call: HoveredCall): vscode.MarkdownString[] {
    const network = (call.network ?? sheet.network)?.text;
    const address = targetAddress(call.target.text, this.#contracts.accounts(network), sheet);
    if (address === undefined) {
      return [];
    }
    const contract = this.#contract(sheet, call);
    const name = accountName(this.#services)(address);
    const what = [name, contract?.name, ...(contract?.interfaces ?? [])].filter((one) => one !== undefined);
    const state =
      contract === undefined
        ? []
        : [plain(contract.codeHash === undefined ? 'No code yet: not deployed.' : 'Active.')];
    return [code(address), ...(what.length === 0 ? [] : [plain([...new Set(what)].join(', '))]), ...state];
  }

  #exit(sheet: CallSheet, call: HoveredCall, text: string): vscode.MarkdownString[] {
    const number = Number(text);
    const contract = this.#contract(sheet, call);
    const known = explainExitCode(number, 'get-method', contract);
    const by = known?.by === 'contract' ? ' (by the contract)' : '';
    const cause = known?.cause === undefined ? '' : `. ${known.cause}`;
    return [plain(`Exit ${text}: ${known?.name ?? unexplainedExit(contract)}${by}${cause}`)];
  }
}

/** A call of its own, or one in an expectation. */
type HoveredCall = MethodCall & Pick<SheetCall, 'network' | 'expectations'>;

function hover(contents: vscode.MarkdownString[], range: vscode.Range): vscode.Hover | undefined {
  return contents.length === 0 ? undefined : new vscode.Hover(contents, range);
}

function plain(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendText(text);
}

function code(text: string): vscode.MarkdownString {
  return new vscode.MarkdownString().appendCodeblock(text, 'ton-report');
}
