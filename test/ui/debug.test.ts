import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator } from 'playwright-core';
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
  let folder: string;
  const line = (text: string): Locator => workbench.page.locator('.view-line', { hasText: text }).first();
  const toolbar = (name: string): Locator => workbench.page.locator(`.debug-toolbar .codicon-debug-${name}`);
  const variable = (text: RegExp): Locator =>
    workbench.page.locator('.debug-variables .monaco-list-row', { hasText: text }).first();
  /** Waits until the line with a text is marked as the one that is next. */
  const stoppedAt = async (text: string): Promise<void> => {
    await workbench.page.waitForFunction((wanted) => {
      const topOf = (element: Element | undefined | null): number =>
        element?.getBoundingClientRect().top ?? Number.NaN;
      const lines = [...document.querySelectorAll('.view-line')];
      const found = lines.find((one) => one.textContent?.replaceAll('\u00a0', ' ').includes(wanted));
      const mark = document.querySelector('.debug-top-stack-frame-line');
      return Math.abs(topOf(found) - topOf(mark)) < 4;
    }, text);
  };
  const send = async (amount: number): Promise<void> => {
    await workbench.compose(`send Till Pay {amount: ${amount}} 0.1ton from alice`);
  };

  const startDebugging = async (): Promise<void> => {
    // Another click would start another session, and the first takes its time: it compiles the source.
    await pressLens(workbench.editor.lens('Debug'), toolbar('step-back'), 'visible', 15_000);
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-debug-'));
    await writeFile(path.join(folder, 'till.tolk'), source);
    workbench = await openWorkbench({ folder });
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
    await stoppedAt('throw ERR_OVER_LIMIT;');
    await variable(/^till\b/).waitFor();
    await workbench.inBothThemes('debug failure');
    await toolbar('step-back').click();
    await stoppedAt('contract.setData(till.toCell());');
    await toolbar('step-back').click();
    await stoppedAt('till.rounds += 1;');
    await variable(/^fee.*150/).waitFor();
    await toolbar('step-over').click();
    await stoppedAt('contract.setData(till.toCell());');
    await workbench.runCommand('Debug: Stop');
    await toolbar('step-back').waitFor({ state: 'hidden' });
  });

  it('stops at a breakpoint in a trace that happened, forward and backward', async () => {
    await send(5);
    await workbench.view('Traces').row(/Pay/).waitFor();
    await workbench.openFile('till.tolk');
    await workbench.page.keyboard.press('ControlOrMeta+Home');
    const gutter = await line('fee += amount;').boundingBox();
    const margin = await workbench.page
      .locator('.editor-instance .glyph-margin:visible')
      .first()
      .boundingBox();
    await workbench.page.mouse.click(margin!.x + margin!.width / 2, gutter!.y + gutter!.height / 2);
    await workbench.page.locator('.codicon-debug-breakpoint:visible').first().waitFor();
    await workbench.view('Traces').click(/Pay/);
    await workbench.editor.waitForTitle(/^Pay: /);
    await startDebugging();
    await stoppedAt('fun onInternalMessage(in: InMessage) {');
    for (const fee of ['0', '5', '10']) {
      await toolbar('continue').click();
      await stoppedAt('fee += amount;');
      await variable(new RegExp(`^fee.*\\b${fee}$`)).waitFor();
    }
    await workbench.inBothThemes('debug breakpoint');
    await toolbar('reverse-continue').click();
    await stoppedAt('fee += amount;');
    await variable(/^fee.*\b5$/).waitFor();
    await toolbar('continue').click();
    await variable(/^fee.*\b10$/).waitFor();
    await toolbar('step-out').click();
    await stoppedAt('till.kept += fee;');
    await workbench.runCommand('Debug: Stop');
    await toolbar('step-back').waitFor({ state: 'hidden' });
  });

  it('debugs a get-method from its answer', async () => {
    await workbench.openFile('till.tolk');
    await pressLens(workbench.editor.lens(/kept\(\) = 15 on Till/), workbench.editor.lens('Other arguments'));
    await startDebugging();
    await stoppedAt('val now = Storage.fromCell(contract.getData());');
    await toolbar('step-over').click();
    await stoppedAt('assert (feeOf(now.kept)');
    await toolbar('step-into').click();
    await stoppedAt('var fee = 0;');
    await workbench.screenshot('debug get-method');
    await workbench.runCommand('Debug: Stop');
    await toolbar('step-back').waitFor({ state: 'hidden' });
  });
});
