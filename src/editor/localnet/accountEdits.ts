import * as vscode from 'vscode';
import type { AccountEdit, AccountRow } from '../../commandTargets';
import type { Services } from '../project/services';
import { askAccount } from '../project/askAccount';
import { forgetCode } from '../project/methodsOf';
import { itemAddress } from '../project/itemAddress';
import { askCell } from './askCell';
import { askCoins } from './askCoins';
import { controlNetwork } from './controlNetwork';
import { accountWord } from '../project/accountName';

/** The part of an account to set, with its value in the control API's form. */
type Change = { balance: string } | { code: string } | { data: string };

/** Asks what of an account to change. */
export async function askAccountChange(): Promise<AccountEdit | undefined> {
  const changes = [
    { label: 'Set Balance…', detail: 'In coins.', what: 'balance' },
    { label: 'Set Code…', detail: 'As one cell; the data stays.', what: 'code' },
    { label: 'Set Data…', detail: 'As one cell; the code stays.', what: 'data' },
    { label: 'Send Without a Signature…', detail: 'A message in its name.', what: 'send' },
  ] as const;
  const title = 'TON: Change Account';
  return (await vscode.window.showQuickPick(changes, { title, placeHolder: 'Choose what to change' }))?.what;
}

/** Sets an account's balance, with an undo action. */
export async function setBalance(services: Services, item: AccountRow | undefined): Promise<void> {
  const address = await accountOf(services, item, 'TON: Set Balance', 'Choose the account');
  if (address === undefined) {
    return;
  }
  const before = await stateOf(services, address);
  const amount = await askCoins('TON: Set Balance', 'New balance, in coins', '0');
  if (amount !== undefined) {
    await setPart(services, address, 'balance', { balance: amount.nanocoins }, { balance: before.balance });
  }
}

/** Sets an account's code or data, with an undo action. */
export async function setCell(
  services: Services,
  item: AccountRow | undefined,
  part: 'code' | 'data',
): Promise<void> {
  const title = `TON: Set ${part === 'code' ? 'Code' : 'Data'}`;
  const address = await accountOf(services, item, title, `Whose ${part}?`);
  if (address === undefined) {
    return;
  }
  const before = await stateOf(services, address);
  const present = before[part];
  const answer = await askCell(services, {
    title: `${title} of ${nameOf(services, address)}`,
    prompt: `New ${part} as one cell: b(…) with its values, or cell te6cc…. Nothing else changes.`,
    value: present === undefined ? 'b()' : `cell ${present}`,
  });
  if (answer === undefined) {
    return;
  }
  const set = (boc: string): Change => (part === 'code' ? { code: boc } : { data: boc });
  const undo = present === undefined ? undefined : set(present);
  await setPart(services, address, part, set(answer.cell.toBoc().toString('base64')), undo);
}

async function accountOf(
  services: Services,
  item: AccountRow | undefined,
  title: string,
  placeholder: string,
): Promise<string | undefined> {
  return itemAddress(item) ?? askAccount(services, { title, placeholder, local: true });
}

function nameOf(services: Services, address: string): string {
  return accountWord(services, services.networks.local())(address);
}

interface AccountState {
  balance: string;
  code: string | undefined;
  data: string | undefined;
}

/** Balance, code, and data of an account on the local network. */
export async function stateOf(services: Services, address: string): Promise<AccountState> {
  const access = await services.connections.open(services.networks.local());
  const { accounts } = await access.v3.accountStates({ address: [address], include_boc: true });
  const [account] = accounts ?? [];
  return {
    balance: String(account?.balance ?? 0n),
    code: account?.code_boc ?? undefined,
    data: account?.data_boc ?? undefined,
  };
}

/** Sets a part of an account, with an undo action. */
export async function setPart(
  services: Services,
  address: string,
  what: string,
  wanted: Change,
  undo: Change | undefined,
): Promise<void> {
  await controlNetwork(services, `Setting the ${what}`, 'setAccount', { address, ...wanted });
  const local = services.networks.local();
  await forgetCode(services, local, address);
  const text = `Set the ${what} of ${nameOf(services, address)}.`;
  const chosen = await vscode.window.showInformationMessage(text, ...(undo === undefined ? [] : ['Undo']));
  if (chosen === 'Undo' && undo !== undefined) {
    await controlNetwork(services, `Restoring the ${what}`, 'setAccount', { address, ...undo });
    await forgetCode(services, local, address);
    void vscode.window.setStatusBarMessage(`Restored the ${what}`, 5000);
  }
}
