import * as vscode from 'vscode';
import type { Services } from '../services';

/** TON: New Call Sheet: an untitled sheet with two calls that work, on the network of the workspace. */
export async function newCallSheetCommand({ networks }: Services): Promise<void> {
  const network = networks.current();
  const isLocal = network.kind === 'local';
  const content = [
    '# A call sheet: get-methods written down, with what is expected of them.',
    '# Run, Watch and Copy stand above each call; Ctrl+Space completes.',
    `@network ${network.name.toLowerCase()}`,
    ...(isLocal ? [] : ['@contract = ']),
    '',
    '### the first call',
    `${isLocal ? 'alice' : 'contract'} seqno()`,
    'expect exit 0',
    '',
  ].join('\n');
  const document = await vscode.workspace.openTextDocument({ language: 'toncall', content });
  await vscode.window.showTextDocument(document);
}
