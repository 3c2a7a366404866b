/** The wallet's picture: a workbench's bracket around a diamond. */
export const walletIcon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" aria-label="TON Workbench">' +
  '<rect width="64" height="64" rx="14" fill="#12324a"/>' +
  '<path d="M20 22h24L32 46z" fill="none" stroke="#fff" stroke-width="4" stroke-linejoin="round"/>' +
  '<path d="M32 22v24" stroke="#fff" stroke-width="4"/></svg>';

/** What the tab shows that a dApp's link opens. */
export function connectPage(text: string): string {
  return page('Connect a wallet', `<p>${escapeHtml(text)}</p><p>You can close this tab.</p>`);
}

/** What the wallet's own address shows. */
export function homePage(account: string): string {
  return page(
    'TON Workbench test wallet',
    `<p>A test wallet for dApps on this machine, connected to a local TON network as ${escapeHtml(account)}.</p>` +
      '<p>Its coins are worthless, and its keys are public. Requests are decided where it was started.</p>',
  );
}

function page(title: string, body: string): string {
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    '<meta name="viewport" content="width=device-width">' +
    '<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;margin:15vh auto;max-width:36rem;padding:0 1rem}</style>' +
    `</head><body><h1>${title}</h1>${body}</body></html>`
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
