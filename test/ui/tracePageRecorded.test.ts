import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FrameLocator } from 'playwright-core';
import { root } from '../../scripts/lib/root.mjs';
import { keepEvidenceOf } from './support/keepEvidenceOf';
import { lookAtPictures } from './support/lookAtPictures';
import { openTraceFile } from './support/openTraceFile';
import type { Theme, Workbench } from './support/workbench';
import { openWorkbench } from './support/workbench';

const recorded = [
  { name: 'transfer', file: 'ft-sent-traces.json' },
  { name: 'swap', file: 'jetton-swap-localnet.json' },
];
const themes: Theme[] = ['dark', 'light', 'hcDark'];

describe('the page of a recorded trace', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let folder: string;
  const page = (): FrameLocator => workbench.editor.webview();

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-recorded-'));
    for (const { file } of recorded) {
      await cp(path.join(root, 'test/reference/traces', file), path.join(folder, file));
    }
    workbench = await openWorkbench({ folder });
    await workbench.showView('Traces');
  });
  afterEach(keepEvidenceOf(() => workbench));
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

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
