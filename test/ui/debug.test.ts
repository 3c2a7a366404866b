import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommandLine } from '../support/commandLine';
import { DebugPane } from './support/debugPane';
import { keepEvidenceOf } from './support/keepEvidenceOf';
import { pressLens } from './support/pressLens';
import type { Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

/** Pays out, within a limit, after counting in a loop. */
const source = `const ERR_OVER_LIMIT = 402
struct Storage { kept: uint64; rounds: uint32 }
struct (0x00000051) Pay { amount: uint32 }

@noinline
fun feeOf(amount: int): int {
  var fee = 0;
  repeat (3) {
    fee += amount;
  }
  return fee;
}
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val message = Pay.fromSlice(in.body);
  var till = Storage.fromCell(contract.getData());
  val fee = feeOf(message.amount);
  till.kept += fee;
  till.rounds += 1;
  contract.setData(till.toCell());
  assert (till.kept <= 100) throw ERR_OVER_LIMIT;
}
get fun kept(): int {
  val now = Storage.fromCell(contract.getData());
  assert (feeOf(now.kept) >= 0) throw 9;
  return now.kept;
}
`;

describe('the debugger in the editor', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let debug: DebugPane;
  let folder: string;
  const send = async (amount: number): Promise<void> => {
    await workbench.compose(`send Till Pay {amount: ${amount}} 0.1ton from alice`);
  };

  const startDebugging = async (): Promise<void> => {
    // Another click would start another session, and the first takes its time: it compiles the source.
    await pressLens(workbench.editor.lens('Debug'), debug.button('step-back'), 'visible', 15_000);
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-debug-'));
    await writeFile(path.join(folder, 'till.tolk'), source);
    await writeFile(path.join(folder, 'kept.toncall'), '@network local\n\nTill kept()\n');
    workbench = await openWorkbench({ folder });
    debug = new DebugPane(workbench.page);
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.openFile('till.tolk');
    await pressLens(
      workbench.editor.lens('Deploy Till…'),
      workbench.page.locator('.quick-input-title:visible'),
    );
    await workbench.quickInput.asks('TON: kept of Till Storage (1/3)');
    await workbench.quickInput.fill('0');
    await workbench.quickInput.fill('0');
    await workbench.quickInput.accept();
    await workbench.editor.lens(/kept\(\).* on Till/).waitFor();
  });
  afterEach(keepEvidenceOf(() => workbench));
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('debugs a rehearsal before anything is sent: it begins at the failure, and goes back', async () => {
    await send(50);
    await workbench.messages.pressInDialog('Show Rehearsal');
    await startDebugging();
    await debug.stoppedAt('throw ERR_OVER_LIMIT;');
    await debug.variable(/^till\b/).waitFor();
    await workbench.inBothThemes('debug failure');
    await debug.button('step-back').click();
    await debug.stoppedAt('contract.setData(till.toCell());');
    await debug.button('step-back').click();
    await debug.stoppedAt('till.rounds += 1;');
    await debug.variable(/^fee.*150/).waitFor();
    await debug.button('step-over').click();
    await debug.stoppedAt('contract.setData(till.toCell());');
    await workbench.runCommand('Debug: Stop');
    await debug.button('step-back').waitFor({ state: 'hidden' });
  });

  it('stops at a breakpoint in a trace that happened, forward and backward', async () => {
    await send(5);
    await workbench.view('Traces').row(/Pay/).waitFor();
    await workbench.openFile('till.tolk');
    await debug.clickBeside('fee += amount;');
    await workbench.view('Traces').contextMenu(/Pay/, 'Show Trace as Text');
    await workbench.editor.waitForTitle(/^Pay: /);
    await startDebugging();
    await debug.stoppedAt('fun onInternalMessage(in: InMessage) {');
    for (const fee of ['0', '5', '10']) {
      await debug.button('continue').click();
      await debug.stoppedAt('fee += amount;');
      await debug.variable(new RegExp(`^fee.*\\b${fee}$`)).waitFor();
    }
    await workbench.inBothThemes('debug breakpoint');
    await workbench.setTheme('hcDark');
    await workbench.screenshot('debug breakpoint high contrast');
    await workbench.setTheme('dark');
    await debug.button('reverse-continue').click();
    await debug.stoppedAt('fee += amount;');
    await debug.variable(/^fee.*\b5$/).waitFor();
    await debug.button('continue').click();
    await debug.variable(/^fee.*\b10$/).waitFor();
    await debug.button('step-out').click();
    await debug.stoppedAt('till.kept += fee;');
    await workbench.runCommand('Debug: Stop');
    await debug.button('step-back').waitFor({ state: 'hidden' });
  });

  it('debugs a get-method from its answer', async () => {
    await workbench.openFile('till.tolk');
    await pressLens(workbench.editor.lens(/kept\(\) = 15 on Till/), workbench.editor.lens('Other arguments'));
    await startDebugging();
    await debug.stoppedAt('val now = Storage.fromCell(contract.getData());');
    await debug.button('step-over').click();
    await debug.stoppedAt('assert (feeOf(now.kept)');
    await debug.button('step-into').click();
    await debug.stoppedAt('var fee = 0;');
    await workbench.screenshot('debug get-method');
    await workbench.runCommand('Debug: Stop');
    await debug.button('step-back').waitFor({ state: 'hidden' });
  });

  it('debugs a saved replay with F5', async () => {
    const { status, stderr } = await runCommandLine(
      ['replay', 'Till', '--network', 'local', '--save', 'saved.tonreplay'],
      {},
      workbench.folder,
    );
    assert.equal(status, 0, stderr);
    await workbench.runCommand('Explorer: Focus on Folders View');
    await workbench.page
      .locator('.explorer-folders-view .monaco-list-row', { hasText: 'saved.tonreplay' })
      .click();
    await workbench.editor.webview().getByText('Exact: the replayed transaction is identical').waitFor();
    await workbench.page.keyboard.press('F5');
    await debug.stoppedAt('fun onInternalMessage(in: InMessage) {');
    await workbench.screenshot('debug saved replay');
    await workbench.runCommand('Debug: Stop');
    await debug.button('step-back').waitFor({ state: 'hidden' });
  });

  it('debugs a step of a call sheet from its lens', async () => {
    await workbench.openFile('kept.toncall');
    await startDebugging();
    await debug.stoppedAt('val now = Storage.fromCell(contract.getData());');
    await workbench.screenshot('debug call sheet');
    await workbench.runCommand('Debug: Stop');
    await debug.button('step-back').waitFor({ state: 'hidden' });
  });
});
