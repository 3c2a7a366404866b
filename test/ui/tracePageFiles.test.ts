// Takes more than 20 s: ten thousand transactions are drawn, and 32 pictures go through axe.
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator, Locator } from 'playwright-core';
import { root } from '../../scripts/lib/root.mjs';
import { syntheticTrace, wide } from '../unit/trace/syntheticTrace';
import { lookAtPictures } from './support/lookAtPictures';
import { openTraceFile } from './support/openTraceFile';
import { openWorkbench } from './support/workbench';
import type { Theme, Workbench } from './support/workbench';

const count = 10_000;
const recorded = [
  { name: 'transfer', file: 'ft-sent-traces.json' },
  { name: 'swap', file: 'jetton-swap-localnet.json' },
];

describe('the page of a trace from a file', () => {
  let workbench: Workbench;
  let folder: string;
  const page = (): FrameLocator => workbench.editor.webview();

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-traces-'));
    await writeFile(
      path.join(folder, 'large.json'),
      JSON.stringify({ traces: [syntheticTrace(count, wide)] }),
    );
    for (const { file } of recorded) {
      await cp(path.join(root, 'test/reference/traces', file), path.join(folder, file));
    }
    workbench = await openWorkbench({ folder });
    await workbench.showView('Traces');
  });
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  describe('with 10,000 transactions', () => {
    const picture = (name: string): Locator => page().getByRole('button', { name, exact: true });
    const heading = (text: RegExp): Locator =>
      page().getByRole('complementary', { name: 'Details' }).getByRole('heading', { name: text });
    /** Where the picture is. */
    const place = (): Promise<string | null> =>
      page().locator('.picture > g').first().getAttribute('transform');

    it('opens from a file, and draws no more than what is in sight', async () => {
      await openTraceFile(workbench, 'large.json');
      await page().locator('.box').first().waitFor();
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

  describe('of a real one', () => {
    const themes: Theme[] = ['dark', 'light', 'hcDark'];

    for (const { name, file } of recorded) {
      it(`opens from its file: ${name}`, async () => {
        await openTraceFile(workbench, file);
        await page()
          .getByRole('heading', { level: 1, name: new RegExp(name) })
          .waitFor();
        await page().locator('.box').first().waitFor();
      });

      it(`gives the values most of the room beside it, however long the names of fields are: ${name}`, async () => {
        await page().locator('dl dd').first().waitFor();
        const shares = await page()
          .locator('dl')
          .evaluateAll((lists) =>
            lists.map((list) => (list.querySelector('dd')?.clientWidth ?? 0) / list.clientWidth),
          );
        assert.ok(shares.length > 0 && Math.min(...shares) >= 0.5, shares.join(' '));
      });

      for (const theme of themes) {
        it(`is shown in each of the four pictures, which axe accepts: ${name}, ${theme}`, async () => {
          await lookAtPictures(workbench, `trace page ${name}`, theme);
        });
      }
    }
  });
});
