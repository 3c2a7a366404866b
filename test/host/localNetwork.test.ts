import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { JettonMinter } from '@ton-community/assets-sdk';
import { Address } from '@ton/core';
import * as vscode from 'vscode';
import { announceLocalNetwork } from '../../src/editor/networks/announceLocalNetwork';
import type { FolderNetwork } from '../../src/toolkit/localnet/folder/hostOrAttach';
import { silentLog } from '../../src/toolkit/base/log';
import { onChainContent } from '../support/onChainContent';

const { commands, window, workspace } = vscode;
const extensionFolder = vscode.extensions.getExtension('ton-workbench.ton-workbench')?.extensionPath ?? '';
const address = `0:${'7a'.repeat(32)}`;
/** A row of a view. */
const row = { account: { address } };

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** An input box that is given this text, if its validation takes it. */
function inputBox(text: string): vscode.InputBox {
  const accepted = new vscode.EventEmitter<void>();
  const changed = new vscode.EventEmitter<string>();
  const never = new vscode.EventEmitter<never>();
  const box = {
    value: '',
    onDidAccept: accepted.event,
    onDidChangeValue: changed.event,
    onDidTriggerButton: never.event,
    onDidHide: never.event,
    show: () => {
      setImmediate(() => {
        box.value = text;
        changed.fire(text);
        accepted.fire();
      });
    },
    hide: () => undefined,
    dispose: () => undefined,
  };
  return box as unknown as vscode.InputBox;
}

describe('the conveniences of the local network in the editor', () => {
  const { createInputBox, showInformationMessage, showWarningMessage, showQuickPick } = window;
  const own = { createInputBox, showInformationMessage, showWarningMessage, showQuickPick };
  /** What the next questions are answered with, in order. */
  let typed: string[];
  let pressed: string[];
  /** The last message. */
  let told: string | undefined;
  let root: string;

  /** Runs a command whose input boxes and messages are answered as given. */
  const run = async (
    command: string,
    item: unknown,
    texts: string[],
    buttons: string[] = [],
  ): Promise<void> => {
    typed = [...texts];
    pressed = [...buttons];
    await commands.executeCommand(`tonWorkbench.${command}`, item);
    assert.deepEqual([typed, pressed], [[], []], 'it asked for everything it was told');
  };
  const get = async <Answer>(path: string): Promise<Answer> =>
    (await fetch(root + path)).json() as Promise<Answer>;
  const balance = async (): Promise<string> =>
    (await get<{ result: string }>(`/api/v2/getAddressBalance?address=${address}`)).result;
  const status = (): Promise<{ seqno: number; names?: Record<string, string> }> => get('/control/status');
  const blockTime = async (): Promise<number> =>
    Number((await get<{ last: { gen_utime: string } }>('/api/v3/masterchainInfo')).last.gen_utime);
  const boc = async (part: 'code' | 'data'): Promise<string> => {
    const { result } = await get<{ result: { code: string; data: string } }>(
      `/api/v2/getAddressInformation?address=${address}`,
    );
    return result[part];
  };

  before(async () => {
    const setting = workspace.getConfiguration();
    await setting.update(
      'tonWorkbench.ports',
      { localNetwork: await freePort() },
      vscode.ConfigurationTarget.Global,
    );
    const button = (message: string, ...rest: unknown[]): Promise<unknown> => {
      told = message;
      const wanted = pressed.shift();
      assert.ok(wanted === undefined || rest.includes(wanted), `there is no ${wanted}`);
      return Promise.resolve(wanted);
    };
    Object.assign(window, {
      createInputBox: () => inputBox(typed.shift() ?? ''),
      showInformationMessage: button,
      showWarningMessage: button,
      showQuickPick: (items: readonly { label: string }[]) => {
        const wanted = typed.shift();
        return Promise.resolve(items.find(({ label }) => label === wanted));
      },
    });
    await run('startLocalNetwork', undefined, []);
    await run('copyLocalNetworkUrl', undefined, []);
    root = (await vscode.env.clipboard.readText()).replace(/\/api\/v2$/, '');
    await run('localReset', undefined, [], ['Reset']);
  });
  after(async () => {
    Object.assign(window, own);
    await commands.executeCommand('tonWorkbench.stopLocalNetwork');
    await workspace
      .getConfiguration()
      .update('tonWorkbench.ports', undefined, vscode.ConfigurationTarget.Global);
  });

  it('gives coins', async () => {
    await run('localFaucet', row, ['12.5']);
    assert.ok(BigInt(await balance()) > 12_400_000_000n, await balance());
  });

  it('gives jettons', async () => {
    const content = onChainContent({ symbol: 'HST', decimals: '2' });
    const { init } = JettonMinter.createFromConfig({ admin: Address.parse(address), content });
    const [code, data] = [init?.code, init?.data].map((cell) => cell?.toBoc().toString('base64'));
    const post = { method: 'POST', body: JSON.stringify({ code, data }) };
    assert.equal((await fetch(`${root}/control/deploy`, post)).status, 200);
    await run('localFaucet', row, ['12.5 HST']);
    const query = `owner_address=${encodeURIComponent(address)}`;
    const { jetton_wallets: wallets } = await get<{ jetton_wallets: { balance: string }[] }>(
      `/api/v3/jetton/wallets?${query}`,
    );
    assert.deepEqual(
      wallets.map((wallet) => wallet.balance),
      ['1250'],
    );
  });

  it('makes a block, and moves the time', async () => {
    const { seqno } = await status();
    await run('blocksAndTime', undefined, ['Mine Block']);
    assert.equal((await status()).seqno, seqno + 1);
    const before = await blockTime();
    await run('blocksAndTime', undefined, ['Move Time Forward…', '2h']);
    await run('blocksAndTime', undefined, ['Mine Block']);
    const moved = (await blockTime()) - before;
    assert.ok(moved >= 7_200 && moved < 7_300, `${moved} seconds`);
  });

  it('sets balance, code, and data, with undo', async () => {
    await run('changeAccount', row, ['Set Balance…', '3']);
    assert.equal(await balance(), '3000000000');
    await run('changeAccount', row, ['Set Balance…', '4'], ['Undo']);
    assert.equal(await balance(), '3000000000');
    await run('changeAccount', row, ['Set Code…', 'b(u8 1)']);
    await run('changeAccount', row, ['Set Data…', 'b(u8 2)']);
    const [code, data] = [await boc('code'), await boc('data')];
    assert.notEqual(code, data);
    await run('changeAccount', row, ['Set Code…', 'b(u8 3)'], ['Undo']);
    await run('changeAccount', row, ['Set Data…', 'b(u8 4)'], ['Undo']);
    assert.deepEqual([await boc('code'), await boc('data')], [code, data]);
    await run('changeAccount', row, ['Set Data…', 'b(u8 4)']);
    assert.notEqual(await boc('data'), data);
  });

  it('saves a state and restores it', async () => {
    const before = await balance();
    await run('localSnapshot', undefined, ['here']);
    await run('localFaucet', row, ['1']);
    assert.notEqual(await balance(), before);
    // Asked, and not told to: nothing is lost.
    const kept = await balance();
    await run('localRestore', undefined, ['here']);
    assert.equal(await balance(), kept);
    await run('localRestore', undefined, ['here'], ['Restore']);
    assert.equal(await balance(), before);
  });

  for (const [language, name, text] of [
    ['Tolk', 'plain.tolk', 'fun onInternalMessage(in: InMessage) { }\nget fun seven() { return 7; }\n'],
    ['FunC', 'bare.fc', '() recv_internal(slice body) impure { }\nint seven() method_id { return 7; }\n'],
  ] as const) {
    it(`deploys a ${language} source whose storage is unknown, once`, async () => {
      const folder = mkdtempSync(path.join(tmpdir(), 'deploys-'));
      const source = path.join(folder, name);
      writeFileSync(source, text);
      // As in a project that has the compiler of FunC; this one comes with a package of the tests.
      mkdirSync(path.join(folder, 'node_modules'));
      symlinkSync(
        path.join(extensionFolder, 'node_modules/@ton-community'),
        path.join(folder, 'node_modules/@ton-community'),
        'junction',
      );
      try {
        const file = vscode.Uri.file(source);
        await run('localDeploy', file, ['b(u64 7)']);
        const { seqno, names = {} } = await status();
        const title = name === 'bare.fc' ? 'Bare' : 'Plain';
        const [deployed] = Object.entries(names).flatMap(([at, given]) => (given === title ? [at] : []));
        assert.ok(deployed, JSON.stringify(names));
        const account = await get<{ status: string }>(
          `/control/account?address=${encodeURIComponent(deployed)}`,
        );
        assert.equal(account.status, 'active');
        told = undefined;
        await run('localDeploy', file, ['b(u64 7)']);
        assert.match(told ?? '', new RegExp(`^${title} is already deployed at .* Nothing was sent\\.$`));
        assert.equal((await status()).seqno, seqno);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }

  it('checks what its services are, as a document', async () => {
    const { seqno } = await status();
    await run('diagnoseNetwork', undefined, ['Local']);
    const text = window.activeTextEditor?.document.getText() ?? '';
    assert.match(text, /^Local: nothing found that is wrong\.$/m, text);
    assert.match(text, /^✓ {2}v2 +The C\+\+ service, version 2\.1\.13, block \d+\.$/m);
    assert.match(text, /^✓ {2}sending +sendBoc is there/m);
    assert.equal((await status()).seqno, seqno);
    await commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('starts over, after confirmation', async () => {
    await run('localReset', undefined, []);
    assert.ok((await status()).seqno > 1);
    await run('localReset', undefined, [], ['Reset']);
    assert.deepEqual([(await status()).seqno, await balance()], [1, '0']);
  });
});

// The editor of these tests starts no terminals, so the variables that it would give them are read where they are set.
describe('the local network, announced to programs', () => {
  it('gives new terminals its URLs while it runs, and not after it stops', () => {
    const variables = new Map<string, string>();
    const collection = {
      persistent: true,
      description: undefined as string | vscode.MarkdownString | undefined,
      replace: (name: string, value: string) => variables.set(name, value),
      clear: () => variables.clear(),
    };
    const [v2, v3] = ['http://127.0.0.1:8081/api/v2', 'http://127.0.0.1:8081/api/v3'];
    const announced = announceLocalNetwork(
      { localnet: { v2, v3 }, isShared: true } as unknown as FolderNetwork,
      collection as unknown as vscode.EnvironmentVariableCollection,
      silentLog,
    );
    assert.deepEqual([...variables].sort(), [
      ['TON_LOCAL_V2', v2],
      ['TON_LOCAL_V3', v3],
    ]);
    assert.equal(collection.persistent, false, 'a later window must not get the URLs of this one');
    assert.equal(collection.description, 'The URLs of the local TON network');
    announced.dispose();
    assert.deepEqual([...variables], []);
  });
});
