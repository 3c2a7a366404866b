import * as vscode from 'vscode';
import type { CommandId } from '../../commandArguments';
import { documentScheme, readSetting } from '../../contributions';
import type { Services } from '../services';
import { findForms } from '../../toolkit/trace/chainForms';
import type { ChainForm } from '../../toolkit/trace/chainForms';

const targets: Record<ChainForm, { command: CommandId; tooltip: string }> = {
  address: { command: 'tonWorkbench.openAccount', tooltip: 'Open this account' },
  hash: { command: 'tonWorkbench.openTrace', tooltip: 'Open this trace' },
};

/** Longer documents get no links: nobody reads that far, and the editor would stall. */
const longest = 2_000_000;

/** Project files likely to contain addresses and hashes. */
const files: vscode.DocumentSelector = ['file', 'vscode-remote', 'untitled'].flatMap((scheme) => [
  {
    scheme,
    pattern: '**/*.{ts,tsx,mts,js,jsx,mjs,tolk,fc,func,tact,json,jsonc,md,yaml,yml,toml,env,txt,toncall}',
  },
  { scheme, pattern: '**/.env*' },
]);

/** Turns addresses and hashes into links: in our documents and, unless turned off, in the user's files. */
export function registerChainLinks(services: Services): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.languages.registerDocumentLinkProvider(
      { scheme: documentScheme },
      {
        provideDocumentLinks: (document) => linksOf(document, formsIn(document)),
      },
    ),
    vscode.languages.registerDocumentLinkProvider(files, {
      // Hashes become links only in our documents: elsewhere a hover first says what a click sends, and
      // where.
      provideDocumentLinks: (document) => (isOn() ? linksOf(document, ['address']) : []),
    }),
    vscode.languages.registerHoverProvider(files, {
      provideHover: async (document, position, token) =>
        isOn() ? (await import('./chainHover')).chainHover(services, document, position, token) : undefined,
    }),
    vscode.languages.registerHoverProvider(
      { scheme: documentScheme },
      {
        provideHover: async (document, position, token) =>
          (await import('./chainHover')).chainHover(services, document, position, token, formsIn(document)),
      },
    ),
  );
}

/** What to look for in one of our documents. Hashes of cells are not transaction hashes. */
function formsIn({ uri }: vscode.TextDocument): readonly ChainForm[] {
  return /^\/boc[-/]/.test(uri.path) ? ['address'] : ['address', 'hash'];
}

function isOn(): boolean {
  return readSetting(vscode.workspace, 'tonWorkbench.chainLinks');
}

function linksOf(document: vscode.TextDocument, forms: readonly ChainForm[]): vscode.DocumentLink[] {
  const text = document.getText();
  if (text.length > longest) {
    return [];
  }
  return forms.flatMap((form) =>
    findForms(text, form).map((found) => {
      const { command, tooltip } = targets[form];
      const range = new vscode.Range(
        document.positionAt(found.offset),
        document.positionAt(found.offset + found.text.length),
      );
      const args = encodeURIComponent(JSON.stringify([found.text]));
      const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:${command}?${args}`));
      link.tooltip = tooltip;
      return link;
    }),
  );
}
