import * as vscode from 'vscode';
import type { AbiType } from '../../toolkit/contracts/abi/abiType';
import { typeText } from '../../toolkit/contracts/abi/abiType';
import { exampleOf } from '../../toolkit/contracts/abi/methodIdOf';
import type { GetMethodSignature, SignatureParameter } from '../../toolkit/contracts/abi/getMethodSignature';
import { signatureText } from '../../toolkit/contracts/abi/getMethodSignature';
import { methodNamed } from '../../toolkit/contracts/abi/methodNamed';
import { bareName } from '../../toolkit/address/resolveAccount';
import type { CallSheet, MethodCall, SheetCall, SheetStep } from '../../toolkit/callSheet/callSheet';
import { callSheetAt } from '../../toolkit/callSheet/callSheetAt';
import { stepName } from '../../toolkit/callSheet/callSheet';
import { explainExitCode, unexplainedExit } from '../../toolkit/contracts/exitCodes';
import { accountName } from '../project/accountName';
import type { Services } from '../project/services';
import { callText, parsedSheet } from './parsedSheet';
import { SheetCompletion } from './sheetCompletion';
import { rangeOf } from './sheetDiagnostics';
import type { ContractsOfSheets } from './contractsOfSheets';
import { targetAddress } from './contractsOfSheets';

const selector: vscode.DocumentSelector = { language: 'toncall' };

/**
 * Language features of call sheets: completion, hovers, outline, folding, and Go to Definition of variables.
 */
export function registerSheetLanguage(services: Services, contracts: ContractsOfSheets): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      selector,
      new SheetCompletion(services, contracts),
      ...['@', ' ', '.', '{'],
    ),
    vscode.languages.registerSignatureHelpProvider(
      selector,
      new SheetParameterHints(contracts),
      '(',
      ',',
      ' ',
    ),
    vscode.languages.registerHoverProvider(selector, new SheetHover(services, contracts)),
    vscode.languages.registerDocumentSymbolProvider(selector, { provideDocumentSymbols: symbolsOf }),
    vscode.languages.registerFoldingRangeProvider(selector, { provideFoldingRanges: foldsOf }),
    vscode.languages.registerDefinitionProvider(selector, { provideDefinition: definitionAt }),
  );
}

function symbolsOf(document: vscode.TextDocument): vscode.DocumentSymbol[] {
  const { variables, steps } = parsedSheet(document);
  return [
    ...variables.map(({ name, value }) => {
      const range = rangeOf(document, name).union(rangeOf(document, value));
      const kind = vscode.SymbolKind.Variable;
      return new vscode.DocumentSymbol(`@${name.text}`, value.text, kind, range, rangeOf(document, name));
    }),
    ...steps.map((step) => {
      const start = document.positionAt(step.header.offset);
      const range = new vscode.Range(start, document.positionAt(endOf(document, step)));
      const own = rangeOf(document, step.header);
      return new vscode.DocumentSymbol(step.title, stepName(step), vscode.SymbolKind.Method, range, own);
    }),
  ];
}

function foldsOf(document: vscode.TextDocument): vscode.FoldingRange[] {
  return parsedSheet(document).steps.flatMap((step) => {
    const start = document.positionAt(step.header.offset).line;
    const end = document.positionAt(endOf(document, step)).line;
    return end > start ? [new vscode.FoldingRange(start, end)] : [];
  });
}

function endOf(document: vscode.TextDocument, step: SheetStep): number {
  return step.offset + callText(document, step).length;
}

function definitionAt(document: vscode.TextDocument, position: vscode.Position): vscode.Location | undefined {
  const range = document.getWordRangeAtPosition(position, /@?[\w.-]+/);
  const name = range === undefined ? undefined : bareName(document.getText(range));
  const variable = parsedSheet(document).variables.find((one) => one.name.text === name);
  return variable === undefined
    ? undefined
    : new vscode.Location(document.uri, rangeOf(document, variable.name));
}

/** The parameters of the method whose arguments are being typed, with the current one highlighted. */
class SheetParameterHints implements vscode.SignatureHelpProvider {
  readonly #contracts: ContractsOfSheets;

  constructor(contracts: ContractsOfSheets) {
    this.#contracts = contracts;
  }

  async provideSignatureHelp(
    document: vscode.TextDocument,
    position: vscode.Position,
    token: vscode.CancellationToken,
  ): Promise<vscode.SignatureHelp | undefined> {
    const sheet = parsedSheet(document);
    const spot = callSheetAt(document.getText(), sheet, document.offsetAt(position));
    if (spot.kind !== 'argument' && spot.kind !== 'text') {
      return undefined;
    }
    const contract = await this.#contracts.at(spot, sheet, token);
    const signature = methodNamed(contract, spot.method)?.signature;
    if (signature === undefined) {
      return undefined;
    }
    const help = new vscode.SignatureHelp();
    help.signatures = [informationOf(signature)];
    help.activeSignature = 0;
    help.activeParameter = spot.index;
    return help;
  }
}

/** Text from sources is shown as plain text, never as markdown. */
function informationOf(signature: GetMethodSignature): vscode.SignatureInformation {
  const made = new vscode.SignatureInformation(signatureText(signature), signature.comment);
  let start = signature.name.length + 1;
  made.parameters = signature.parameters.map((parameter) => {
    const { length } = `${parameter.name}: ${typeText(parameter.type)}`;
    const place: [number, number] = [start, start + length];
    start += length + 2;
    return new vscode.ParameterInformation(place, documentationOf(parameter));
  });
  return made;
}

function documentationOf({ type, defaultText }: SignatureParameter): string {
  return [
    partsOf(type),
    exampleOf(type),
    defaultText === undefined ? '' : `The source’s default is ${defaultText}.`,
  ]
    .filter((text) => text !== '')
    .join('\n');
}

/** The parts of a named type. */
function partsOf(type: AbiType): string {
  switch (type.kind) {
    case 'struct':
      return `{${type.fields.map((field) => `${field.name}: ${typeText(field.type)}`).join(', ')}}`;
    case 'enum':
      return `One of ${type.members.map(({ name }) => name).join(', ')}.`;
    case 'nullable':
      return [partsOf(type.inner), 'Or null.'].filter((text) => text !== '').join('\n');
    default:
      return '';
  }
}

/**
 * Describes the word under the pointer in a call sheet. Text from the chain and from sources is shown as plain text,
 * never as markdown.
 */
class SheetHover implements vscode.HoverProvider {
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
