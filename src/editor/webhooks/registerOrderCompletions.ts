import * as vscode from 'vscode';
import { friendlyWallet } from '../../toolkit/address/friendlyWallet';
import type { KnownAccount } from '../accounts/knownAccounts';
import { knownAccounts, localAccounts } from '../accounts/knownAccounts';
import type { WebhookServices } from './webhookServices';

/** In the orders file, as the value of a recipient: the wallets that have a name. */
export function registerOrderCompletions(services: WebhookServices): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(
    [{ language: 'json' }, { language: 'jsonc' }],
    {
      provideCompletionItems: async (document, position) => {
        const place = await services.webhooks.orders.locate();
        return place?.file.toString() === document.uri.toString()
          ? recipientsAt(services, document, position)
          : [];
      },
    },
    '"',
  );
}

function recipientsAt(
  services: WebhookServices,
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
  return walletsOf(services).map(({ name, address, kind }) => {
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

/** Of the current network, and of the local one, on which orders are paid for tests. */
function walletsOf(services: WebhookServices): KnownAccount[] {
  const isLocal = services.networks.current().kind === 'local';
  const all = [...(isLocal ? [] : knownAccounts(services)), ...localAccounts(services)];
  return all.filter(({ isWallet }) => isWallet);
}
