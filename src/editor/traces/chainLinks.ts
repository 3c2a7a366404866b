import * as vscode from 'vscode';
import { documentScheme } from '../../contributions';

/** Addresses in both forms, and hashes in hex and base64. */
const forms: readonly { form: RegExp; command: string; tooltip: string }[] = [
  {
    form: /(?<![\w+/-])(?:[EUk0][Qf][A-Za-z0-9_-]{46}|-?\d:[0-9a-fA-F]{64})(?![\w+/-])/g,
    command: 'tonWorkbench.openAccount',
    tooltip: 'Open the account',
  },
  {
    form: /(?<![\w:+/-])(?:[0-9a-f]{64}|[A-Za-z0-9+/]{43}=)(?![\w=+/-])/g,
    command: 'tonWorkbench.openTrace',
    tooltip: 'Open the trace',
  },
];

/** Longer documents get no links: nobody reads that far, and the editor would wait. */
const longest = 2_000_000;

/** Makes addresses and hashes in our documents open in place. */
export function registerChainLinks(): vscode.Disposable {
  return vscode.languages.registerDocumentLinkProvider(
    { scheme: documentScheme },
    {
      provideDocumentLinks(document): vscode.DocumentLink[] {
        const text = document.getText();
        // The hashes of cells are those of no transaction.
        const fitting = /^\/boc[-/]/.test(document.uri.path) ? forms.slice(0, 1) : forms;
        return text.length > longest ? [] : fitting.flatMap((form) => linksOf(document, text, form));
      },
    },
  );
}

function linksOf(
  document: vscode.TextDocument,
  text: string,
  { form, command, tooltip }: (typeof forms)[number],
): vscode.DocumentLink[] {
  return [...text.matchAll(form)].map((match) => {
    const range = new vscode.Range(
      document.positionAt(match.index),
      document.positionAt(match.index + match[0].length),
    );
    const args = encodeURIComponent(JSON.stringify([match[0]]));
    const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:${command}?${args}`));
    link.tooltip = tooltip;
    return link;
  });
}
