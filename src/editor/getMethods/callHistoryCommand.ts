import * as vscode from 'vscode';
import { runCommand } from '../../contributions';
import type { Services } from '../project/services';
import { accountName } from '../project/accountName';
import { RecentCalls } from './recentCalls';
import type { RecentCall } from './recentCalls';
import { shortAddress } from '../../toolkit/address/shortAddress';

type Item = vscode.QuickPickItem & { call: RecentCall };

/** TON: Show Get-Method History…: type to search, Enter to run again, buttons to change the arguments or to copy the call. */
export async function callHistoryCommand(services: Services): Promise<void> {
  const calls = new RecentCalls(services.context.workspaceState).all();
  const names = accountName(services);
  const copy: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('copy'), tooltip: 'Copy as…' };
  const edit: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('edit'),
    tooltip: 'Other arguments',
  };
  const pick = vscode.window.createQuickPick<Item>();
  pick.title = 'TON: Get-Method History';
  pick.placeholder =
    calls.length === 0
      ? 'No calls yet: run a get-method first'
      : 'Search by method, contract, argument, or answer; Enter runs the call again';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = calls.map((call) => ({
    label: `${call.method}(${(call.texts ?? [call.stack]).join(', ')})`,
    description: `${names(call.address) ?? shortAddress(call.address)} on ${call.network}`,
    detail: [call.answer, call.at === undefined ? undefined : new Date(call.at).toLocaleString()]
      .filter((part) => part !== undefined)
      .join('  '),
    buttons: [edit, copy],
    call,
  }));
  const chosen = await new Promise<{ command: 'run' | 'edit' | 'copy'; call: RecentCall } | undefined>(
    (resolve) => {
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        if (item !== undefined) {
          resolve({ command: 'run', call: item.call });
          pick.hide();
        }
      });
      pick.onDidTriggerItemButton(({ item, button }) => {
        resolve({ command: button === copy ? 'copy' : 'edit', call: item.call });
        pick.hide();
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    },
  );
  pick.dispose();
  if (chosen !== undefined) {
    const { network, address, method, stack } = chosen.call;
    const call = { network, address, method, ...(chosen.command === 'edit' ? {} : { stack }) };
    const id = chosen.command === 'copy' ? 'tonWorkbench.copyCall' : 'tonWorkbench.runGetMethod';
    await runCommand(vscode.commands, id, call);
  }
}
