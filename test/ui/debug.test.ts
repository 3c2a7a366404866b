// Takes more than 20 s: a contract is deployed, and its message is debugged step by step.
import assert from 'node:assert/strict';
import { runCommandLine } from '../support/commandLine';
import { DebugPane } from './support/debugPane';
import { openDeployed } from './support/openDeployed';
import { pressLens } from './support/pressLens';
import type { Workbench } from './support/workbench';

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

describe('the debugger in the editor', () => {
  let workbench: Workbench;
  let debug: DebugPane;
  const send = async (amount: number): Promise<void> => {
    await workbench.compose(`send Till Pay {amount: ${amount}} 0.1ton from alice`);
  };

  const startDebugging = async (): Promise<void> => {
    // Another click would start another session, and the first takes its time: it compiles the source.
    await pressLens(workbench.editor.lens('Debug'), debug.button('step-back'), 'visible', 15_000);
  };

  before(async () => {
    workbench = await openDeployed({
      ...{ file: 'till.tolk', source, storage: { kept: '0', rounds: '0' }, getMethod: 'kept' },
      files: { 'kept.toncall': '@network local\n\nTill kept()\n' },
    });
    debug = new DebugPane(workbench);
  });
  after(() => workbench?.close());

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
    await debug.stop();
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
    await workbench.setPictureTheme('hcDark');
    await workbench.screenshot('debug breakpoint high contrast');
    await workbench.setPictureTheme('dark');
    await debug.button('reverse-continue').click();
    await debug.stoppedAt('fee += amount;');
    await debug.variable(/^fee.*\b5$/).waitFor();
    await debug.button('continue').click();
    await debug.variable(/^fee.*\b10$/).waitFor();
    await debug.button('step-out').click();
    await debug.stoppedAt('till.kept += fee;');
    await debug.stop();
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
    await debug.stop();
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
    await debug.stop();
  });

  it('debugs a step of a call sheet from its lens', async () => {
    await workbench.openFile('kept.toncall');
    await startDebugging();
    await debug.stoppedAt('val now = Storage.fromCell(contract.getData());');
    await workbench.screenshot('debug call sheet');
    await debug.stop();
  });
});
