import * as vscode from 'vscode';
import { sourceLanguage } from '../../toolkit/contracts/abi/sourceLanguage';

/** The contract sources in visible editors. */
export function visibleSources(): vscode.TextDocument[] {
  return vscode.window.visibleTextEditors
    .map(({ document }) => document)
    .filter(({ fileName }) => sourceLanguage(fileName) !== undefined);
}
