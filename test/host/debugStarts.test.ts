import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { pace } from '../../scripts/lib/pace.mjs';
import { debugType } from '../../src/contributions';
import { freePort } from '../support/freePort';

const { commands, window, workspace } = vscode;
const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
  commands.executeCommand(`tonWorkbench.${command}`, ...args);
const setting = (name: string, value: unknown): Thenable<void> =>
  workspace.getConfiguration('tonWorkbench').update(name, value, vscode.ConfigurationTarget.Global);

const source = `struct Storage { kept: uint64 }
struct (0x00000051) Pay { amount: uint32 }

fun onInternalMessage(in: InMessage) {
  val message = Pay.fromSlice(in.body);
  var purse = Storage.fromCell(contract.getData());
  purse.kept += message.amount;
  contract.setData(purse.toCell());
}
get fun kept(): int {
  val now = Storage.fromCell(contract.getData());
  return now.kept;
}
`;

const sheetText = `@network local
@restore

deploy ./purse.tolk {kept: 7} as purse

### first payment
send purse Pay {amount: 5} 0.1ton from alice

### what it keeps
purse kept()
expect 0 == 12
`;

/** A message of the adapter to the editor. */
interface Told {
  event?: string;
  body?: { threadId?: number };
}

describe('debugging starts without a launch.json', () => {
  const { showErrorMessage, showWarningMessage, showInformationMessage } = window;
  const own = { showErrorMessage, showWarningMessage, showInformationMessage };
  let told: string[];
  let source_: vscode.Uri;
  let sheet: vscode.Uri;
  /** The same sheet, without undoing what it does. */
  let lasting: vscode.Uri;
  let messages: Told[];
  /** The session that was begun last. */
  let begun: vscode.DebugSession | undefined;
  let tracking: vscode.Disposable;

  /** The functions at the first stop, and the threads, of the session that a command starts. */
  const firstStop = async (
    start: () => Thenable<unknown>,
  ): Promise<{ functions: string; threads: string }> => {
    messages = [];
    await start();
    const deadline = Date.now() + 30_000 * pace;
    const stop = (): Told | undefined => messages.find(({ event }) => event === 'stopped');
    while (stop() === undefined) {
      assert.ok(Date.now() < deadline, `nothing stopped; ${told.join()}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
    const session = begun;
    assert.equal(session?.type, debugType);
    const { threads } = (await session.customRequest('threads')) as { threads: { name: string }[] };
    const { stackFrames } = (await session.customRequest('stackTrace', {
      threadId: stop()?.body?.threadId,
    })) as {
      stackFrames: { name: string }[];
    };
    const result = {
      functions: stackFrames.map(({ name }) => name).join(', '),
      threads: threads.map(({ name }) => name).join(', '),
    };
    await vscode.debug.stopDebugging(session);
    assert.deepEqual(told, []);
    return result;
  };
  const uriOf = (name: string, text: string): vscode.Uri => {
    const file = path.join(workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', name);
    writeFileSync(file, text);
    return vscode.Uri.file(file);
  };
  const stepAt = (text: string, document: vscode.TextDocument): void => {
    const position = document.positionAt(document.getText().indexOf(text));
    const editor = window.activeTextEditor;
    assert.equal(editor?.document, document);
    editor.selection = new vscode.Selection(position, position);
  };
  const target = { contract: 'purse', file: '' };

  before(async () => {
    const tell = (message: string): Promise<undefined> => {
      told.push(message);
      return Promise.resolve(undefined);
    };
    told = [];
    Object.assign(window, {
      ...{ showErrorMessage: tell, showWarningMessage: tell, showInformationMessage: tell },
    });
    await setting('ports', { localNetwork: await freePort() });
    await run('startLocalNetwork');
    source_ = uriOf('purse.tolk', source);
    sheet = uriOf('purse.toncall', sheetText);
    lasting = uriOf('lasting.toncall', sheetText.replace('@restore\n', ''));
    target.file = source_.toString();
    tracking = vscode.debug.registerDebugAdapterTrackerFactory(debugType, {
      createDebugAdapterTracker: (session) => {
        begun = session;
        messages = [];
        return { onDidSendMessage: (message: Told) => void messages.push(message) };
      },
    });
  });
  beforeEach(() => {
    told = [];
  });
  after(async () => {
    Object.assign(window, own);
    tracking.dispose();
    await run('stopLocalNetwork');
    await setting('ports', undefined);
    await commands.executeCommand('workbench.action.closeAllEditors');
    [source_, sheet, lasting].forEach(({ fsPath }) => rmSync(fsPath, { force: true }));
  });

  it('from a step of a call sheet: its get-method, in the state after the steps that it depends on', async () => {
    const document = await workspace.openTextDocument(sheet);
    await window.showTextDocument(document);
    stepAt('purse kept()', document);
    const { functions, threads } = await firstStop(() => run('debugSheetStep'));
    assert.match(functions, /^kept/);
    assert.match(threads, /^kept on purse$/);
  });

  it('from a send step: the rehearsal of its message, which is not sent', async () => {
    const document = await workspace.openTextDocument(sheet);
    await window.showTextDocument(document);
    stepAt('send purse', document);
    const { functions, threads } = await firstStop(() =>
      commands.executeCommand('workbench.action.debug.start'),
    );
    assert.match(functions, /onInternalMessage/);
    assert.equal(threads, '1 A alice, 2 B purse');
  });

  it('from above a get-method: its last answer; and from above a message: its last transaction', async () => {
    const document = await workspace.openTextDocument(lasting);
    for (const step of ['deploy', 'send purse', 'purse kept()']) {
      await window.showTextDocument(document);
      stepAt(step, document);
      await run('runSheetCall');
    }
    const method = await firstStop(() => run('debugDeclared', { ...target, method: 'kept' }));
    assert.deepEqual(method, {
      functions: 'kept, get-method kept on purse, block 3',
      threads: 'kept on purse',
    });
    const message = await firstStop(() => run('debugDeclared', { ...target, message: 'Pay' }));
    assert.match(message.functions, /^onInternalMessage/);
    assert.match(message.threads, /purse/);
  });
});
