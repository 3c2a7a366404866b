import * as vscode from 'vscode';
import { friendlyWallet } from '../../toolkit/address/friendlyWallet';
import { knownAccounts } from '../accounts/knownAccounts';
import type { TraceServices } from '../traces/traceServices';

/** As the value of a recipient in the orders file: the wallets of the current network that have a name. */
export function orderCompletions(
  services: TraceServices,
  document: vscode.TextDocument,
  position: vscode.Position,
): vscode.CompletionItem[] {
  const { text } = document.lineAt(position);
  const value = /"recipient"\s*:\s*("[^"]*)?$/.exec(text.slice(0, position.character));
  if (value === null) {
    return [];
  }
  const rest = /^[^",}]*"/.exec(text.slice(position.character))?.[0] ?? '';
  const range = new vscode.Range(
    position.translate(0, -(value[1] ?? '').length),
    position.translate(0, value[1] === undefined ? 0 : rest.length),
  );
  return knownAccounts(services)
    .filter(({ isWallet }) => isWallet)
    .map(({ name, address, kind }) => {
      const label = { label: name, description: kind };
      const item = new vscode.CompletionItem(label, vscode.CompletionItemKind.Value);
      item.detail = friendlyWallet(address);
      item.insertText = JSON.stringify(item.detail);
      // It is compared with what is typed, which begins with the quote.
      item.filterText = JSON.stringify(name);
      item.range = range;
      return item;
    });
}
