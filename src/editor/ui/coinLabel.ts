import * as vscode from 'vscode';
import { readSetting } from '../../contributions';
import { limits } from '../../toolkit/limits';

/** What an amount is called, next to it even in the confirmation of a transfer: a short word on one line, no sentence. */
const isLabel = /^[\p{L}\p{N}$._-]+$/u;

/** The setting `tonWorkbench.coinLabel`, or its default where it is no short word. */
export function coinLabel(): string {
  const label: unknown = readSetting(vscode.workspace, 'tonWorkbench.coinLabel');
  return typeof label === 'string' && label.length <= limits.coinLabel.most && isLabel.test(label)
    ? label
    : 'TON';
}
