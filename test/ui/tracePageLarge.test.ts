import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { syntheticTrace, wide } from '../unit/trace/syntheticTrace';
import { keepEvidenceOf } from './support/keepEvidenceOf';
import { lookAtPictures } from './support/lookAtPictures';
import { openTraceFile } from './support/openTraceFile';
import { openWorkbench } from './support/workbench';
import type { Theme, Workbench } from './support/workbench';

const count = 10_000;

describe('the page of a trace with 10,000 transactions', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let folder: string;
  const page = (): FrameLocator => workbench.editor.webview();
  const picture = (name: string): Locator => page().getByRole('button', { name, exact: true });
  const heading = (text: RegExp): Locator =>
    page().getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: text });
  /** Where the picture is. */
  const place = (): Promise<string | null> =>
    page().locator('.picture > g').first().getAttribute('transform');

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-large-'));
    await writeFile(
      path.join(folder, 'large.json'),
      JSON.stringify({ traces: [syntheticTrace(count, wide)] }),
    );
    workbench = await openWorkbench({ folder });
  });
  afterEach(keepEvidenceOf(() => workbench));
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('opens from a file, and draws no more than what is in sight', async () => {
    await workbench.showView('Traces');
    await openTraceFile(workbench, 'large.json');
    await page().locator('.box').first().waitFor({ timeout: 60_000 });
    await heading(/transaction 1 of 10 ?000$/).waitFor();
    assert.ok((await page().locator('.box').count()) < 200);
    await workbench.inBothThemes('trace page 10000');
  });

  it('is moved with the mouse and the wheel', async () => {
    const stage = page().locator('.picture');
    const { x, y, width, height } = (await stage.boundingBox()) ?? assert.fail();
    const { mouse } = workbench.page;
    const before = await place();
    await mouse.move(x + width / 2, y + height - 60);
    await mouse.down();
    await mouse.move(x + width / 2 - 200, y + height - 160, { steps: 10 });
    await mouse.up();
    const dragged = await place();
    assert.notEqual(dragged, before);
    await mouse.wheel(300, 80);
    await page().locator(`.picture > g:not([transform="${dragged}"])`).first().waitFor();
  });

  it('switches its pictures without losing what is selected', async () => {
    await page().getByRole('tree').focus();
    await workbench.page.keyboard.press('End');
    const last = heading(/transaction 10 ?000 of 10 ?000$/);
    await last.waitFor();
    for (const name of ['Sequence', 'Table', 'Flow']) {
      await picture(name).click();
      await page().locator('[role=treeitem][aria-selected=true]').waitFor();
      await last.waitFor();
      await workbench.screenshot(`trace page 10000 ${name.toLowerCase()} dark`);
    }
    await picture('Money').click();
    await page().locator('.bar').first().waitFor();
    await workbench.screenshot('trace page 10000 money dark');
    await picture('Flow').click();
  });

  it('is seen from afar with its totals, and selects what is clicked', async () => {
    await picture('Fit').click();
    await page().locator('.picture .silhouette').first().waitFor();
    await page()
      .locator('.totals', { hasText: /\d transactions/ })
      .waitFor();
    // All of it: nothing is left for a minimap to show.
    await page().locator('.minimap').waitFor({ state: 'detached' });
    await workbench.inBothThemes('trace page 10000 all');
    // The first box is less than a pixel in the corner.
    const boxes = await page().locator('.picture .silhouette .boxes.ok').boundingBox();
    await workbench.page.mouse.click((boxes?.x ?? 0) + 4, (boxes?.y ?? 0) + 1);
    await heading(/transaction 1 of 10 ?000$/).waitFor();
    await picture('Sequence').click();
    await picture('Fit').click();
    await page().locator('.minimap').waitFor({ state: 'detached' });
    await workbench.screenshot('trace page 10000 sequence all dark');
  });

  for (const theme of ['light', 'hcDark'] satisfies Theme[]) {
    it(`looks as good in every picture, which axe accepts: ${theme}`, async () => {
      await lookAtPictures(workbench, 'trace page 10000', theme);
    });
  }
});
