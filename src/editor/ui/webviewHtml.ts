import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeHtml } from '../../toolkit/base/text';

/**
 * The page of a webview app in dist/webview, in which only our own script and style sheet can run.
 * @param name the app's name, for example `tracePage`
 */
export function webviewHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  name: string,
  title: string,
): string {
  const nonce = randomBytes(16).toString('base64');
  const asset = (file: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist/webview', file)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    // A picture that the page has drawn, on its way to a file.
    `img-src data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<link rel="stylesheet" href="${asset(`${name}.css`)}">
</head>
<body>
<div id="app"></div>
<script nonce="${nonce}" src="${asset(`${name}.js`)}"></script>
</body>
</html>`;
}

/** A page that says one thing, and can run nothing. */
export function webviewNotice(text: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<title>Trace</title>
</head>
<body>
<p>${escapeHtml(text)}</p>
</body>
</html>`;
}
