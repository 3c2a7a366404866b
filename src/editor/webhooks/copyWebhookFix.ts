import * as vscode from 'vscode';
import { tellQuietly } from './endpoints';

/** Copies the code of a fix, with what it imports. */
export async function copyWebhookFix(code: string): Promise<void> {
  await vscode.env.clipboard.writeText(code);
  tellQuietly('Copied the fix');
}
