import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** A source in each language, the lines of its get-methods, and their names. */
const sources: Readonly<Record<string, { text: string; methods: Readonly<Record<number, string>> }>> = {
  'counter.tolk': {
    text: `fun onInternalMessage(in: InMessage) {}

get fun counter(): int {
    return 1;
}

get fun initialId(): int {
    return 2;
}
`,
    methods: { 2: 'counter', 6: 'initialId' },
  },
  'wallet.fc': {
    text: `() recv_internal(slice in_msg) impure {
}

int seqno() method_id {
  return get_data().begin_parse().preload_uint(32);
}

;; int commented() method_id { return 1; }
(int, slice) get_owner(int index) method_id(123456) {
  return (0, null());
}
`,
    methods: { 3: 'seqno', 8: 'get_owner' },
  },
  'vault.tact': {
    text: `contract Vault {
    total: Int = 0;

    receive() {}

    get fun total(): Int {
        return self.total;
    }

    get(0x1f000) fun owner(): Address {
        return myAddress();
    }
}
`,
    methods: { 5: 'total', 9: 'owner' },
  },
};

async function lensesOf(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
  const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    document.uri,
    20,
  );
  return lenses.filter(({ command }) => command?.command === 'tonWorkbench.runOnContract');
}

describe('lenses above get-methods', () => {
  for (const [name, { text, methods }] of Object.entries(sources)) {
    it(`are above each of ${name}, and name it`, async () => {
      const uri = vscode.Uri.parse(`untitled:/lenses/${name}`);
      const document = await vscode.workspace.openTextDocument(uri);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(uri, new vscode.Position(0, 0), text);
      assert.ok(await vscode.workspace.applyEdit(edit));
      const lenses = await lensesOf(document);
      const found = Object.fromEntries(
        lenses.map(({ range, command }) => [
          range.start.line,
          (command?.arguments?.[0] as { method: string }).method,
        ]),
      );
      assert.deepEqual(found, methods);
      assert.ok(lenses.every(({ command }) => /Run \w+\(\) on…/.test(command?.title ?? '')));
      const contract = name === 'vault.tact' ? 'Vault' : name.replace(/\..*/, '');
      assert.ok(
        lenses.every(
          ({ command }) => (command?.arguments?.[0] as { contract: string }).contract === contract,
        ),
      );
    });
  }

  it('disappear with the setting', async () => {
    const uri = vscode.Uri.parse('untitled:/lenses/counter.tolk');
    const document = await vscode.workspace.openTextDocument(uri);
    const settings = vscode.workspace.getConfiguration('tonWorkbench');
    await settings.update('getMethodLenses', false, vscode.ConfigurationTarget.Global);
    try {
      assert.deepEqual(await lensesOf(document), []);
    } finally {
      await settings.update('getMethodLenses', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
