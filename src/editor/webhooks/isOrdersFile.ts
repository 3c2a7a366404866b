import * as vscode from 'vscode';
import { readSetting } from '../../contributions';

/** Whether a document has the name that the settings give the orders file. */
export function isOrdersFile({ uri }: vscode.TextDocument): boolean {
  return uri.path.endsWith(`/${readSetting(vscode.workspace, 'tonWorkbench.webhooks.ordersFile')}`);
}
