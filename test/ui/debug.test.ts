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
struct Till { kept: uint64; rounds: uint32 }
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
  var till = Till.fromCell(contract.getData());
  val fee = feeOf(message.amount);
  till.kept += fee;
  till.rounds += 1;
  contract.setData(till.toCell());
  assert (till.kept <= 100) throw ERR_OVER_LIMIT;
}
get fun kept(): int {
  val till = Till.fromCell(contract.getData());
  return till.kept;
}
`;

describe('the debugger in the editor', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let folder: string;
  const lens = (text: string | RegExp): Locator =>
    workbench.page.locator('.codelens-decoration :is(a, span):visible', { hasText: text }).first();
  const line = (text: string): Locator => workbench.page.locator('.view-line', { hasText: text }).first();
  const toolbar = (name: string): Locator => workbench.page.locator(`.debug-toolbar .codicon-debug-${name}`);
  const variable = (text: RegExp): Locator =>
    workbench.page.locator('.debug-variables .monaco-list-row', { hasText: text }).first();
  const stoppedAt = async (text: string): Promise<void> => {
    await workbench.page
      .locator('.view-overlays .debug-top-stack-frame-line, .debug-top-stack-frame-line')
      .first()
      .waitFor();
    await line(text).waitFor();
    const at = await line(text).boundingBox();
    await workbench.page.waitForFunction((top) => {
      const mark = document.querySelector('.debug-top-stack-frame-line')?.getBoundingClientRect();
      return mark !== undefined && Math.abs(mark.top - top) < 4;
    }, at!.y);
  };
  const send = async (amount: number): Promise<void> => {
    await workbench.runCommand('TON: Compose Message…');
    await workbench.quickInput.asks('TON: Compose Message');
    await workbench.quickInput.fill(`send Till Pay {amount: ${amount}} 0.1ton from alice`);
  };
  const inBothThemes = async (name: string): Promise<void> => {
    await workbench.screenshot(`${name} dark`);
    await workbench.setTheme('light');
    await workbench.screenshot(`${name} light`);
    await workbench.setTheme('dark');
  };

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-debug-'));
    await writeFile(path.join(folder, 'till.tolk'), source);
    workbench = await openWorkbench({ folder });
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    await workbench.page.keyboard.press('ControlOrMeta+P');
    await workbench.quickInput.type('till.tolk');
    await workbench.quickInput.pick('till.tolk');
    await workbench.editor.waitForTitle('till.tolk');
    await pressLens(lens('Deploy Till…'), workbench.page.locator('.quick-input-title:visible'));
    await workbench.quickInput.asks('TON: kept of Till Storage (1/3)');
    await workbench.quickInput.fill('0');
    await workbench.quickInput.fill('0');
    await workbench.quickInput.accept();
    await lens(/kept\(\).* on Till/).waitFor();
  });
  keepEvidenceOf(() => workbench);
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('begins where a trace failed, and goes back', async () => {
    await send(50);
    await workbench.view('Traces').row(/Pay/).waitFor();
    await workbench.screenshot('x');
  });
});
