import * as vscode from 'vscode';
import { bareName } from '../../toolkit/address/resolveAccount';
import type { Services } from '../services';
import { callText, parsedSheet } from './parsedSheets';
import { SheetCompletion } from './sheetCompletion';
import { rangeOf } from './sheetDiagnostics';
import { SheetHover } from './sheetHover';
import { SheetParameterHints } from './sheetParameterHints';
import type { ContractsOfSheets } from './sheetKnowledge';

const selector: vscode.DocumentSelector = { language: 'toncall' };

/** Language features of call sheets: completion, hovers, outline, folding, and where a variable is defined. */
export function registerSheetLanguage(services: Services, contracts: ContractsOfSheets): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerCompletionItemProvider(
      selector,
      new SheetCompletion(services, contracts),
      '@',
      ' ',
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
  const { variables, calls } = parsedSheet(document);
  return [
    ...variables.map(({ name, value }) => {
      const range = rangeOf(document, name).union(rangeOf(document, value));
      const kind = vscode.SymbolKind.Variable;
      return new vscode.DocumentSymbol(`@${name.text}`, value.text, kind, range, rangeOf(document, name));
    }),
    ...calls.map((call) => {
      const start = document.positionAt(call.header.offset);
      const range = new vscode.Range(start, document.positionAt(endOf(document, call)));
      const detail = `${call.method.text} on ${call.target.text}`;
      const own = rangeOf(document, call.header);
      return new vscode.DocumentSymbol(call.title, detail, vscode.SymbolKind.Method, range, own);
    }),
  ];
}

function foldsOf(document: vscode.TextDocument): vscode.FoldingRange[] {
  return parsedSheet(document).calls.flatMap((call) => {
    const start = document.positionAt(call.header.offset).line;
    const end = document.positionAt(endOf(document, call)).line;
    return end > start ? [new vscode.FoldingRange(start, end)] : [];
  });
}

function endOf(document: vscode.TextDocument, call: ReturnType<typeof parsedSheet>['calls'][number]): number {
  return call.offset + callText(document, call).length;
}

function definitionAt(document: vscode.TextDocument, position: vscode.Position): vscode.Location | undefined {
  const range = document.getWordRangeAtPosition(position, /@?[\w.-]+/);
  const name = range === undefined ? undefined : bareName(document.getText(range));
  const variable = parsedSheet(document).variables.find((one) => one.name.text === name);
  return variable === undefined
    ? undefined
    : new vscode.Location(document.uri, rangeOf(document, variable.name));
}
