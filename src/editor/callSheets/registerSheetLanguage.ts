import * as vscode from 'vscode';
import { bareName } from '../../toolkit/address/resolveAccount';
import type { SheetStep } from '../../toolkit/callSheet/callSheet';
import { stepName } from '../../toolkit/callSheet/stepName';
import type { Services } from '../services';
import { callText, parsedSheet } from './parsedSheets';
import { SheetCompletion } from './sheetCompletion';
import { rangeOf } from './sheetDiagnostics';
import { SheetHover } from './sheetHover';
import { SheetParameterHints } from './sheetParameterHints';
import type { ContractsOfSheets } from './sheetKnowledge';

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
