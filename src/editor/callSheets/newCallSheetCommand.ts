import * as vscode from 'vscode';
import type { Services } from '../services';

/** TON: New Call Sheet: an untitled sheet with two calls that work, on the network of the workspace. */
export async function newCallSheetCommand({ networks }: Services): Promise<void> {
  const network = networks.current();
  const isLocal = network.kind === 'local';
  const content = [
    '# New call sheet',
    '# Get-method calls, and what you expect of their answers. Run, Watch, and Copy are above each call.',
    `@network ${network.name.toLowerCase()}`,
    ...(isLocal ? [] : ['@contract = ']),
    '',
    '### first call',
    `${isLocal ? 'alice' : 'contract'} seqno()`,
    'expect exit 0',
    '',
  ].join('\n');
  const document = await vscode.workspace.openTextDocument({ language: 'toncall', content });
  await vscode.window.showTextDocument(document);
}
