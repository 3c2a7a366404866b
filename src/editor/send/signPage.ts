import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { escapeHtml } from '../../toolkit/base/text';

/** What a page asks a person to do in a wallet. */
export interface SignPageContent {
  /** `Confirm in Your Wallet` */
  title: string;
  /** What it is about, a line each. */
  lines: readonly string[];
  /** Shown first, as a warning. */
  warning?: string | undefined;
  /** What the wallet opens. */
  link: string;
  /** The forms of the wallets that want one. */
  https?: readonly { wallet: string; link: string }[];
  /** What it waits for. */
  status: string;
}

/** A page with a link for a wallet, as a QR code and as text. It can run nothing but its own buttons. */
export class SignPage implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #code: string;
  readonly #content: SignPageContent;
  #isOpen = true;

  private constructor(content: SignPageContent, code: string) {
    this.#content = content;
    this.#code = code;
    this.#panel = vscode.window.createWebviewPanel(
      'tonWorkbench.sign',
      content.title,
      vscode.ViewColumn.Active,
      { enableScripts: true, localResourceRoots: [] },
    );
    this.#panel.onDidDispose(() => (this.#isOpen = false));
    this.#panel.webview.onDidReceiveMessage((message: unknown) => void this.#do(message));
    this.#panel.webview.html = this.#html();
  }

  static async open(content: SignPageContent): Promise<SignPage> {
    const { qrSvg } = await import('../../toolkit/send/qrCode');
    return new SignPage(content, qrSvg(content.link));
  }

  /** Says how far it is. */
  tell(status: string): void {
    if (this.#isOpen) {
      void this.#panel.webview.postMessage({ status });
    }
  }

  dispose(): void {
    this.#panel.dispose();
  }

  async #do(message: unknown): Promise<void> {
    const { link, https = [] } = this.#content;
    if (message === 'copy') {
      await vscode.env.clipboard.writeText(link);
      void vscode.window.setStatusBarMessage('The link is in the clipboard.', 4_000);
    } else if (message === 'open') {
      await vscode.env.openExternal(vscode.Uri.parse(link, true));
    } else {
      const found = https.find(({ wallet }) => wallet === message);
      if (found !== undefined) {
        await vscode.env.openExternal(vscode.Uri.parse(found.link, true));
      }
    }
  }

  #html(): string {
    const { title, lines, warning, link, https = [], status } = this.#content;
    const nonce = randomBytes(16).toString('base64');
    const button = (does: string, label: string, kind = ''): string =>
      `<button ${kind} data-does="${escapeHtml(does)}">${escapeHtml(label)}</button>`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'">
<style nonce="${nonce}">
  body { max-width: 34em; margin: 0 auto; padding: 1em 1.5em 2em; line-height: 1.5; }
  h1 { font-size: 1.4em; font-weight: 600; margin: 0.4em 0; }
  p { margin: 0.3em 0; overflow-wrap: anywhere; }
  .warning {
    padding: 0.5em 0.8em; font-weight: 600; border: 1px solid var(--vscode-inputValidation-warningBorder);
    background: var(--vscode-inputValidation-warningBackground); color: var(--vscode-inputValidation-warningForeground);
  }
  .code { width: min(20em, 100%); margin: 1em 0; }
  .code svg { display: block; width: 100%; height: auto; }
  button {
    font: inherit; padding: 0.35em 0.9em; margin: 0 0.5em 0.5em 0; cursor: pointer;
    border: 1px solid var(--vscode-button-border, transparent);
    color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  }
  button.first { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
  button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
  code { font-family: var(--vscode-editor-font-family); font-size: 0.9em; overflow-wrap: anywhere; }
  .link code { background: none; padding: 0; }
  .link { color: var(--vscode-descriptionForeground); }
</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${warning === undefined ? '' : `<p class="warning" role="alert">${escapeHtml(warning)}</p>`}
${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}
<div class="code" role="img" aria-label="QR code of the link">${this.#code}</div>
<div>${button('open', 'Open in Wallet', 'class="first"')}${https.map(({ wallet }) => button(wallet, wallet)).join('')}${button('copy', 'Copy Link')}</div>
<p id="status" role="status">${escapeHtml(status)}</p>
<p class="link"><code>${escapeHtml(link)}</code></p>
</main>
<script nonce="${nonce}">
  const host = acquireVsCodeApi();
  for (const one of document.querySelectorAll('button')) {
    one.addEventListener('click', () => host.postMessage(one.dataset.does));
  }
  window.addEventListener('message', ({ data }) => {
    document.getElementById('status').textContent = data.status;
  });
</script>
</body>
</html>`;
  }
}
