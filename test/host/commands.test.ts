import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { settingIds } from '../../src/contributions';
import { commandIds } from '../../src/editor/ui/readArguments';

describe('commands and settings in the editor', () => {
  before(async () => {
    await vscode.extensions.getExtension('ton-workbench.ton-workbench')?.activate();
  });

  it('registers every declared command, and declares every registered one', async () => {
    const registered = (await vscode.commands.getCommands(true)).filter(
      // Focus, resize and the like of our views are made by the editor.
      (id) =>
        id.startsWith('tonWorkbench.') &&
        !/\.(focus|resetViewLocation|removeView|open|toggleVisibility)$/.test(id),
    );
    assert.deepEqual(registered.sort(), [...commandIds].sort());
  });

  it('has every setting with a default', () => {
    for (const id of settingIds) {
      const known = vscode.workspace.getConfiguration().inspect(id);
      assert.notEqual(known?.defaultValue, undefined, id);
    }
  });

  it('says what keeps contracts from being found, as a document for a report', async () => {
    await vscode.commands.executeCommand('tonWorkbench.diagnoseProject');
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^[✓✗] project: /m, text);
    assert.match(text, /^[✓✗·] network: /m, text);
    assert.match(text, /^TON Workbench: \d/m, text);
    assert.match(text, /^trusted: (?:yes|no)$/m, text);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('ignores networks that a repository sets', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, '.vscode/settings.json');
    const networks = [{ name: 'Evil', v2: 'http://evil.invalid/api/v2' }];
    await vscode.workspace.fs.writeFile(
      file,
      Buffer.from(JSON.stringify({ 'tonWorkbench.networks': networks })),
    );
    try {
      await new Promise((resolve) => setTimeout(resolve, 500));
      assert.deepEqual(vscode.workspace.getConfiguration().get('tonWorkbench.networks'), []);
    } finally {
      await vscode.workspace.fs.delete(file);
    }
  });
});
