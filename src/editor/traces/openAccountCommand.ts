import { asCommand } from '../../contributions';
import * as vscode from 'vscode';
import type { Services } from '../services';
import { accountName } from '../getMethods/knownAccounts';
import { askAccount } from '../ui/askAccount';
import { itemAddress } from '../ui/itemAddress';
import { shortAddress } from '../ui/shortAddress';
import { withProgress } from '../ui/withProgress';
import { coinLabel } from '../ui/coinLabel';

/** TON: Open Account…: what an account is and has, as a document, with the next steps as lenses. */
export async function openAccountCommand(services: Services, given: unknown): Promise<void> {
  const account =
    (typeof given === 'string' ? given : itemAddress(given)) ??
    (await askAccount(services, { title: 'TON: Open Account', placeholder: 'Which account?' }));
  if (account === undefined) {
    return;
  }
  const network = services.networks.current();
  const { text, raw } = await withProgress(`Reading an account of ${network.name}`, async (signal) => {
    const access = await services.connections.current(signal);
    const { accountText } = await import('./accountText');
    const { parseAddressInput } = await import('../../toolkit/access/address');
    const options = {
      names: accountName(services),
      coin: coinLabel(),
    };
    return {
      raw: parseAddressInput(account).toRawString(),
      text: await accountText(access, account, options, { signal, priority: 'user' }),
    };
  });
  const explorer = network.explorer === undefined ? [] : [`${network.explorer}/${raw}`];
  await services.documents.show(
    `account/${encodeURIComponent(`${network.name} ${raw}`)}/${accountName(services)(raw) ?? shortAddress(raw)} on ${network.name}`,
    {
      text,
      lenses: [
        asCommand('tonWorkbench.openAccount', '$(refresh) Refresh', raw),
        asCommand('tonWorkbench.runGetMethod', '$(play) Run get-method', { address: raw }),
        asCommand('tonWorkbench.openTrace', '$(history) Traces', raw),
        ...explorer.map((url) => ({
          title: '$(link-external) Explorer',
          command: 'vscode.open',
          arguments: [vscode.Uri.parse(url)],
        })),
      ],
    },
    { language: 'ton-report' },
  );
}
