import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { debugType, documentScheme, replayEditorType } from '../../src/contributions';
import { freePort } from '../support/freePort';

const { commands, window, workspace } = vscode;
const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
  commands.executeCommand(`tonWorkbench.${command}`, ...args);
const setting = (name: string, value: unknown): Thenable<void> =>
  workspace.getConfiguration('tonWorkbench').update(name, value, vscode.ConfigurationTarget.Global);

/** Waits until something is so. */
async function until(isSo: () => boolean, what: () => string): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    assert.ok(tries < 100, what());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('replays in the editor', () => {
  const { showErrorMessage, showWarningMessage, showInformationMessage, showSaveDialog } = window;
  const own = { showErrorMessage, showWarningMessage, showInformationMessage, showSaveDialog };
  /** What the editor was told to show. */
  let told: string[];
  let folder: string;
  let root: string;
  /** Of a wallet's transaction. */
  let hash: string | undefined;
  /** What the save dialog answers. */
  let saved: vscode.Uri;

  const inFront = (): string => {
    const document = window.activeTextEditor?.document;
    assert.equal(document?.uri.scheme, documentScheme);
    return document.getText();
  };
  const write = (name: string, text: string): vscode.Uri => {
    const file = path.join(folder, name);
    writeFileSync(file, text);
    return vscode.Uri.file(file);
  };
  const tabs = (): readonly vscode.Tab[] => window.tabGroups.all.flatMap((group) => group.tabs);

  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'tonwb-replays-'));
    saved = vscode.Uri.file(path.join(folder, 'saved.tonreplay'));
    const tell = (message: string): Promise<undefined> => {
      told.push(message);
      return Promise.resolve(undefined);
    };
    told = [];
    Object.assign(window, {
      ...{ showErrorMessage: tell, showWarningMessage: tell, showInformationMessage: tell },
      showSaveDialog: () => Promise.resolve(saved),
    });
    await setting('ports', { localNetwork: await freePort() });
    await run('startLocalNetwork');
    await run('copyLocalNetworkUrl');
    root = (await vscode.env.clipboard.readText()).replace(/\/api\/v2$/, '');
    await run('composeMessage', 'send bob 0.1ton from alice');
    for (let tries = 0; hash === undefined; tries += 1) {
      assert.ok(tries < 100, told.join());
      const answer = await fetch(`${root}/api/v3/transactions?limit=100&sort=desc`);
      const { transactions } = (await answer.json()) as {
        transactions: { hash: string; description: { compute_ph?: { vm_steps?: number } } }[];
      };
      hash = transactions.find(({ description }) => (description.compute_ph?.vm_steps ?? 0) > 10)?.hash;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  beforeEach(() => {
    told = [];
  });
  after(async () => {
    Object.assign(window, own);
    await run('stopLocalNetwork');
    await setting('ports', undefined);
    await commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true, force: true });
  });

  it('run a transaction by its hash, and list its steps', async () => {
    await run('replayTransaction', hash);
    assert.match(inFront(), /^Exact: the replayed transaction is identical, byte for byte\.\n/);
    const key = window.activeTextEditor?.document.uri.path.split('/')[2] ?? '';
    await run('showReplaySteps', { replay: key });
    assert.match(inFront(), /SETCP 0/);
    assert.deepEqual(told, []);
  });

  it('are debugged by a hash, with the other transactions of the trace', async () => {
    const configuration = { type: debugType, request: 'launch', name: 'test', transaction: hash };
    assert.equal(await vscode.debug.startDebugging(undefined, configuration), true);
    const { threads } = (await vscode.debug.activeDebugSession?.customRequest('threads')) as {
      threads: { name: string }[];
    };
    assert.deepEqual(
      threads.map(({ name }) => name),
      ['1 alice', '2 bob'],
    );
    await vscode.debug.stopDebugging();
    assert.deepEqual(told, []);
  });

  it('are saved to a file, whose editor opens it, and which needs no network', async () => {
    await run('saveReplay', hash);
    assert.match(told.join(), /^Saved saved\.tonreplay\./);
    await run('stopLocalNetwork');
    await commands.executeCommand('vscode.open', saved);
    const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
    assert.ok(input instanceof vscode.TabInputCustom);
    assert.equal(input.viewType, replayEditorType);
    // The link of its page.
    await run('openReplay', saved.toString());
    assert.match(inFront(), /^Exact: the replayed transaction is identical, byte for byte\.\n/);
    assert.doesNotMatch(inFront(), /^requests/m);
  });

  it('are debugged as launch.json says, two at once, and it is said what is wrong with one', async () => {
    const stopped: string[] = [];
    const refused: string[] = [];
    const sessions: vscode.DebugSession[] = [];
    const ended = new Set<string>();
    const watching = vscode.Disposable.from(
      vscode.debug.onDidStartDebugSession((one) => sessions.push(one)),
      vscode.debug.onDidTerminateDebugSession(({ id }) => ended.add(id)),
    );
    const tracker = vscode.debug.registerDebugAdapterTrackerFactory(debugType, {
      createDebugAdapterTracker: ({ id }) => ({
        onDidSendMessage: (message: { event?: string; success?: boolean; message?: string }) => {
          if (message.event === 'stopped') {
            stopped.push(id);
          }
          if (message.success === false) {
            refused.push(message.message ?? '');
          }
        },
      }),
    });
    const launch = async (more: object): Promise<boolean> =>
      Promise.resolve(
        vscode.debug.startDebugging(undefined, {
          ...{ type: debugType, request: 'launch', name: 'test', ...more },
        }),
      ).catch(() => false);
    try {
      for (const count of [1, 2]) {
        assert.equal(await launch({ file: saved.fsPath }), true);
        await until(
          () => stopped.length === count,
          () => `${stopped.length} stops: ${refused.join()}`,
        );
      }
      assert.equal(new Set(stopped).size, 2);
      const session = vscode.debug.activeDebugSession;
      const { stackFrames } = (await session?.customRequest('stackTrace', { threadId: 1 })) as {
        stackFrames: { name: string; source?: { name: string } }[];
      };
      // A wallet has no source here.
      assert.match(stackFrames[0]?.source?.name ?? '', /\.tasm$/);
      // The editor shows the next session when one ends: if both end at once, it may show one that is over.
      for (const one of sessions.reverse()) {
        await vscode.debug.stopDebugging(one);
        await until(
          () => ended.has(one.id),
          () => 'a session goes on',
        );
      }
      await until(
        () => vscode.debug.activeDebugSession === undefined,
        () => 'the sessions go on',
      );
      await launch({ network: 'Nowhere', transaction: hash });
      await launch({});
      assert.match(refused.join('|'), /There is no network called Nowhere.*\|.*names nothing to debug/);
    } finally {
      tracker.dispose();
      watching.dispose();
      await vscode.debug.stopDebugging();
    }
  });

  it('say why a file cannot be replayed, whatever is in it', async () => {
    const good = JSON.parse(new TextDecoder().decode(await workspace.fs.readFile(saved))) as Record<
      string,
      unknown
    >;
    const broken: [name: string, text: string, why: RegExp, next?: RegExp][] = [
      ['empty', '', /not a saved replay: it is not JSON/],
      ['page', '<script>alert(1)</script>', /it is not JSON/],
      ['list', '[]', /not a saved replay/],
      ['later', JSON.stringify({ ...good, version: 2 }), /format version 2/, /Update TON Workbench\./],
      ['more', JSON.stringify({ ...good, code: 'more' }), /code/],
      ['cells', JSON.stringify({ ...good, config: 'te6cckEBAQEA' }), /config/],
      ['words', JSON.stringify({ ...good, account: '\u202e\u0007:' }), /account/],
    ];
    const before = tabs().length;
    for (const [name, text, why, next = /TON: Save Replay…/] of broken) {
      told = [];
      await run('openReplay', write(`${name}.tonreplay`, text));
      assert.equal(told.length, 1, name);
      assert.match(told[0] ?? '', why);
      assert.match(told[0] ?? '', next);
      assert.doesNotMatch(told[0] ?? '', /[\u0000-\u001f\u202a-\u202e]/);
    }
    const large = write('large.tonreplay', '');
    truncateSync(large.fsPath, 300 * 1024 * 1024);
    told = [];
    await run('openReplay', large);
    assert.match(told.join(), /replay.*64 MiB|67.?108.?864/);
    // No document was opened, and the file's own editor shows the reason instead of ending.
    assert.equal(tabs().length, before);
    await commands.executeCommand('vscode.open', write('shown.tonreplay', '{}'), { preview: false });
    assert.equal(tabs().length, before + 1);
  });
});

describe('a replay that is canceled while its inputs are fetched', () => {
  const { showErrorMessage, showInformationMessage, showWarningMessage, showQuickPick, withProgress } =
    window;
  const own = { showErrorMessage, showInformationMessage, showWarningMessage, showQuickPick, withProgress };
  const told: string[] = [];
  /** The requests that have not ended. */
  const waiting = new Map<Socket, string>();
  let requests: string[];
  let server: Server;
  let network: string;

  before(async () => {
    // A service that answers nothing.
    server = createServer(({ url = '', socket }) => {
      // The window itself asks every network that it uses which versions it has.
      if (/masterchainInfo/i.test(url)) {
        return;
      }
      requests.push(url);
      waiting.set(socket, url);
      socket.on('close', () => waiting.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await setting('networks', [{ name: 'Silent', v2: `${base}/api/v2`, v3: `${base}/api/v3` }]);
    const tell = (message: string): Promise<undefined> => {
      told.push(message);
      return Promise.resolve(undefined);
    };
    Object.assign(window, {
      ...{ showErrorMessage: tell, showWarningMessage: tell, showInformationMessage: tell },
      showQuickPick: (items: readonly { network?: string }[]) =>
        Promise.resolve(items.find((item) => item.network === network)),
      // The user presses Cancel as soon as the notification is there.
      withProgress: (
        _: unknown,
        work: (progress: vscode.Progress<unknown>, token: vscode.CancellationToken) => Promise<unknown>,
      ) => {
        const source = new vscode.CancellationTokenSource();
        const working = work({ report: () => undefined }, source.token);
        source.cancel();
        return working;
      },
    });
    network = 'Silent';
    await run('switchNetwork');
  });
  beforeEach(() => {
    requests = [];
    told.length = 0;
  });
  after(async () => {
    network = 'Local';
    await run('switchNetwork');
    Object.assign(window, own);
    await setting('networks', undefined);
    [...waiting.keys()].forEach((socket) => socket.destroy());
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  for (const [command, argument] of [
    ['replayTransaction', 'ab'.repeat(32)],
    ['replayWithChanges', 'ab'.repeat(32)],
    ['saveReplay', 'ab'.repeat(32)],
    ['showCoverage', `0:${'ab'.repeat(32)}`],
    ['debug', 'ab'.repeat(32)],
  ] as const) {
    it(`leaves nothing behind: ${command}`, async () => {
      const before = window.tabGroups.all.flatMap(({ tabs }) => tabs).length;
      await run(command, argument);
      assert.ok(requests.length > 0, 'it has asked the service');
      const asked = requests.length;
      await until(
        () => waiting.size === 0,
        () => `still waiting: ${[...waiting.values()].join()}`,
      );
      assert.deepEqual(told, []);
      assert.equal(window.tabGroups.all.flatMap(({ tabs }) => tabs).length, before);
      assert.equal(requests.length, asked);
    });
  }

  it('ends a debug session that a launch.json began', async () => {
    const begun: string[] = [];
    const subscription = vscode.debug.onDidStartDebugSession(({ name }) => begun.push(name));
    const launch = { type: debugType, request: 'launch', name: 'test', transaction: 'ab'.repeat(32) };
    await vscode.debug.startDebugging(undefined, launch);
    subscription.dispose();
    await until(
      () => waiting.size === 0 && vscode.debug.activeDebugSession === undefined,
      () => `${waiting.size} requests, ${begun.join()}`,
    );
    assert.ok(requests.length > 0, 'it has asked the service');
    assert.deepEqual(told, []);
  });
});
