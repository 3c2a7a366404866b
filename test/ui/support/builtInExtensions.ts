import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onEnd } from '../../../scripts/lib/cleanUp.mjs';
import { installWebHost } from '../../../scripts/lib/installWebHost.mjs';

/** What our windows show: themes and icons, the languages of our files, profiles, and the debuggers beside ours. */
const wanted = [
  ...['theme-defaults', 'theme-seti', 'configuration-editing', 'media-preview', 'search-result'],
  ...['json', 'json-language-features', 'javascript', 'typescript-basics', 'yaml', 'xml', 'diff'],
  ...['markdown-basics', 'markdown-language-features', 'references-view', 'simple-browser'],
  ...['ms-vscode.js-debug', 'ms-vscode.vscode-js-profile-table', 'debug-server-ready'],
];

let folder: Promise<string> | undefined;

/**
 * A folder with the built-in extensions that a suite needs. The editor has a hundred, of which each window reads the
 * manifests; those for git, Emmet and others start processes or search the folder. The host tier runs beside all.
 */
export function builtInExtensions(): Promise<string> {
  return (folder ??= linkThem());
}

async function linkThem(): Promise<string> {
  const all = path.join(path.dirname(await installWebHost()), '../extensions');
  const links = await mkdtemp(path.join(tmpdir(), 'ton-workbench-built-in-'));
  onEnd(() => rm(links, { recursive: true, force: true }));
  for (const name of wanted) {
    await symlink(path.join(all, name), path.join(links, name), 'junction');
  }
  return links;
}
