import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { CommandId } from '../../commandArguments';
import { toWorkbenchError } from '../../toolkit/base/errors';
import type { Log } from '../../toolkit/base/log';
import { escapeHtml, fileName } from '../../toolkit/base/text';

/** What the read-only editor of a file shows. */
export interface TextPage {
  /** The file as text. */
  read: () => Promise<string>;
  /** For screen readers. */
  label: string;
  /** A link above the text, whose command gets the file's URI as text. */
  link: { title: string; command: CommandId };
}

/** Fills the read-only editor of a file with text, and updates it when the file changes. */
export async function showTextPage(
  uri: vscode.Uri,
  panel: vscode.WebviewPanel,
  page: TextPage,
  log: Log,
): Promise<void> {
  panel.webview.options = { enableScripts: false, enableCommandUris: [page.link.command] };
  const show = async (): Promise<void> => {
    panel.webview.html = await htmlOf(uri, page, log);
  };
  const update = (): void => {
    void show();
  };
  const name = fileName(uri.path);
  const watcher = vscode.workspace.createFileSystemWatcher(
    new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), name.replaceAll(/[[\]{}*?]/g, '[$&]')),
  );
  watcher.onDidChange(update);
  watcher.onDidCreate(update);
  panel.onDidDispose(() => {
    watcher.dispose();
  });
  await show();
}

/** The page: text only, without scripts or requests, in the editor's font and colors. */
async function htmlOf(uri: vscode.Uri, { read, label, link }: TextPage, log: Log): Promise<string> {
  let text: string;
  let actions = '';
  try {
    text = await read();
    const argument = encodeURIComponent(JSON.stringify([uri.toString()]));
    actions = `<nav><a href="command:${link.command}?${argument}">${escapeHtml(link.title)}</a></nav>`;
  } catch (thrown) {
    const error = toWorkbenchError(thrown);
    log.warn(`cannot show ${fileName(uri.path)}: ${error.message}`);
    text = error.hint === undefined ? error.message : `${error.message}\n${error.hint}`;
  }
  const nonce = randomUUID();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(fileName(uri.path))}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}';">
<style nonce="${nonce}">
  body { padding: 0 1.5em 1em; }
  nav { padding: 0.8em 0; font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
  pre {
    margin: 0; tab-size: 2; line-height: 1.4;
    font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size);
    color: var(--vscode-editor-foreground);
  }
</style>
</head>
<body>${actions}<main><pre tabindex="0" role="document" aria-label="${escapeHtml(label)}">${escapeHtml(text)}</pre></main></body>
</html>`;
}
