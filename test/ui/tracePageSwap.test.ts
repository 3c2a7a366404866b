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

const themes: Theme[] = ['dark', 'light', 'hcDark'];

describe('the page of a recorded swap of jettons', function () {
  this.timeout(120_000);
  let workbench: Workbench;
  let folder: string;
  const page = (): FrameLocator => workbench.editor.webview();

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-swap-'));
    await cp(
      path.join(root, 'test/reference/traces/jetton-swap-localnet.json'),
      path.join(folder, 'swap.json'),
    );
    workbench = await openWorkbench({ folder });
    await workbench.showView('Traces');
    await openTraceFile(workbench, 'swap.json');
    await page().locator('.box').first().waitFor();
  });
  afterEach(keepEvidenceOf(() => workbench));
  after(async () => {
    await workbench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const theme of themes) {
    it(`is shown in each of the four pictures, which axe accepts: ${theme}`, async () => {
      await lookAtPictures(workbench, 'trace page swap', theme);
    });
  }
});
