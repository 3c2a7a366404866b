import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { pace } from '../../scripts/lib/pace.mjs';
import { readSetting, settingIds, workspaceSettings } from '../../src/contributions';

const { workspace, commands } = vscode;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

const set = (name: string, value: unknown): Thenable<void> =>
  workspace.getConfiguration().update(`tonWorkbench.${name}`, value, vscode.ConfigurationTarget.Global);

/** Status of a delivery, undefined when nobody answers. */
async function knock(
  port: number,
  headers: Record<string, string> = {},
  path = '/webhook',
): Promise<number | undefined> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      body: '{}',
      headers,
    });
    return status;
  } catch {
    return undefined;
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 30_000 * pace; !(await condition());) {
    assert.ok(Date.now() < end, 'it takes too long');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the webhook listener in the editor', () => {
  let port: number;

  before(async () => {
    port = await freePort();
    await set('ports', { webhooks: port });
  });
  after(async () => {
    await commands.executeCommand('tonWorkbench.stopWebhooks');
    for (const name of ['ports', 'webhooks.path', 'webhooks.allowedHosts']) {
      await set(name, undefined);
    }
  });

  it('does not exist before it is started', async () => {
    assert.equal(await knock(port), undefined);
  });

  it('starts on the configured port, and refuses everything without a secret', async () => {
    await commands.executeCommand('tonWorkbench.startWebhooks');
    assert.equal(await knock(port), 401);
    assert.equal(await knock(port, {}, '/elsewhere'), 404);
  });

  it('follows a change of its path', async () => {
    await set('webhooks.path', '/paid');
    await until(async () => (await knock(port, {}, '/paid')) === 401);
    assert.equal(await knock(port), 404);
  });

  it('refuses browsers', async () => {
    assert.equal(await knock(port, { Origin: 'https://example.com' }, '/paid'), 403);
  });

  it('stops on command, and frees the port', async () => {
    await commands.executeCommand('tonWorkbench.stopWebhooks');
    assert.equal(await knock(port, {}, '/paid'), undefined);
  });

  it('ignores settings from a repository', async () => {
    const folder = workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, '.vscode/settings.json');
    // The last five are no settings to the editor, so it keeps them, inside of what they seem to be parts of.
    const evil = {
      'tonWorkbench.webhooks.forward': { deliveries: 'all', url: 'http://evil.invalid/' },
      'tonWorkbench.webhooks.allowedHosts': ['evil.invalid'],
      'tonWorkbench.startWithWindow': { webhooks: true },
      'tonWorkbench.ports': { webhooks: 1 },
      'tonWorkbench.webhooks.forward.url': 'http://evil.invalid/',
      'tonWorkbench.webhooks.forward.deliveries': 'all',
      'tonWorkbench.webhooks.signature.encoding': 'any',
      'tonWorkbench.ports.wallet': 1,
      'tonWorkbench.networks.0': { name: 'Evil', v2: 'http://evil.invalid/api/v2' },
    };
    const ofUser = settingIds.filter((id) => !workspaceSettings.includes(id));
    const read = (): unknown[] => ofUser.map((id) => readSetting(workspace, id));
    const before = read();
    await workspace.fs.writeFile(file, Buffer.from(JSON.stringify(evil)));
    try {
      const inside = (): unknown => workspace.getConfiguration().get('tonWorkbench.webhooks.forward.url');
      await until(() => Promise.resolve(inside() === 'http://evil.invalid/'));
      assert.deepEqual(read(), before);
    } finally {
      await workspace.fs.delete(file);
    }
  });

  it('completes and validates the orders file by its schema', async () => {
    const folder = workspace.workspaceFolders?.[0];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, 'webhook-orders.json');
    await workspace.fs.writeFile(
      file,
      Buffer.from('{"orders": [{"reference": "a", "amount": 10.5, "asset": "TON"}]}'),
    );
    try {
      await vscode.window.showTextDocument(await workspace.openTextDocument(file));
      await until(() => Promise.resolve(vscode.languages.getDiagnostics(file).length > 0));
      const [diagnostic] = vscode.languages.getDiagnostics(file);
      assert.match(diagnostic?.message ?? '', /string/);
    } finally {
      await commands.executeCommand('workbench.action.closeAllEditors');
      await workspace.fs.delete(file);
    }
  });
});

describe('the orders file in the editor', () => {
  const [folder] = workspace.workspaceFolders ?? [];
  assert.ok(folder !== undefined);
  const file = vscode.Uri.joinPath(folder.uri, 'webhook-orders.json');

  before(async () => {
    const port = await freePort();
    await workspace
      .getConfiguration()
      .update('tonWorkbench.ports', { localNetwork: port }, vscode.ConfigurationTarget.Global);
    await commands.executeCommand('tonWorkbench.startLocalNetwork');
  });
  after(async () => {
    await commands.executeCommand('tonWorkbench.stopLocalNetwork');
    await workspace
      .getConfiguration()
      .update('tonWorkbench.ports', undefined, vscode.ConfigurationTarget.Global);
    await workspace.fs.delete(file);
  });

  it('completes the wallets of the network as recipients, and only there', async () => {
    const before = '{ "orders": [{ "reference": "bob", "recipient": "bo';
    await workspace.fs.writeFile(file, Buffer.from(`${before}", "asset": "TON" }] }`));
    // What the lenses load brings the completions, too.
    const { uri } = (await vscode.window.showTextDocument(file)).document;
    const completed = async (column: number): Promise<vscode.CompletionItem | undefined> => {
      const { items } = await commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        uri,
        new vscode.Position(0, column),
      );
      return items.find(({ label }) => typeof label === 'object' && label.label === 'bob');
    };
    await until(async () => (await completed(before.length)) !== undefined);
    const bob = await completed(before.length);
    assert.match(typeof bob?.insertText === 'string' ? bob.insertText : '', /^"UQ[\w-]{46}"$/);
    const range = bob?.range as vscode.Range;
    assert.deepEqual([range.start.character, range.end.character], [before.length - 3, before.length + 1]);
    assert.equal(await completed(before.indexOf('"bob"') + 3), undefined);
  });
});
