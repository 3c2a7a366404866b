import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { isCoinLabel } from '../../toolkit/isCoinLabel';

/** The setting `tonWorkbench.coinLabel`, or its default if it is not a short word. */
export function coinLabel(): string {
  const label: unknown = readSetting(vscode.workspace, 'tonWorkbench.coinLabel');
  return isCoinLabel(label) ? label : 'TON';
}
