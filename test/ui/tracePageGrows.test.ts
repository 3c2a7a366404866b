import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../../scripts/lib/root.mjs';
import type { TracePage } from '../../src/protocol/tracePage';
import { standaloneHtml } from '../../src/toolkit/trace/page/standaloneHtml';
import { pageOf } from '../unit/trace/page/pageNodes';
import { newContext } from './support/windowPage';

/** A transaction with so many unlike ones below it. */
const payments = (count: number): TracePage =>
  pageOf([{}, ...Array.from({ length: count }, (_, index) => ({ parent: 0, message: `m${index}` }))]);

describe('the page of a trace that grows', () => {
  let page: Page;
  const place = async (): Promise<string> =>
    (await page.locator('.stage > .picture > g').getAttribute('transform')) ?? '';
  const growTo = async (count: number): Promise<void> => {
    const message = { type: 'show', page: payments(count) };
    await page.evaluate((data) => window.dispatchEvent(new MessageEvent('message', { data })), message);
    await page.locator('.edge', { hasText: `m${count - 1}` }).waitFor({ state: 'attached' });
  };

  before(async () => {
    const asset = (name: string): Promise<string> => readFile(path.join(root, 'dist/webview', name), 'utf8');
    const [script, style] = await Promise.all([asset('tracePage.js'), asset('tracePage.css')]);
    page = await (await newContext({ viewport: { width: 1000, height: 640 } })).newPage();
    await page.setContent(standaloneHtml({ page: payments(0), details: [], script, style }));
    await page.locator('.box').waitFor();
  });
  after(() => page?.context().close());

  it('is in the middle until the user moves it, and then stays where it is', async () => {
    const alone = await place();
    assert.match(alone, /scale\(1 1\)$/);
    await growTo(2);
    const [left, right] = await page
      .locator('.stage > .picture, .box')
      .evaluateAll((elements) => elements.map((one) => one.getBoundingClientRect()))
      .then(([stage = assert.fail(), ...boxes]) => [
        Math.min(...boxes.map((box) => box.left)) - stage.left,
        stage.right - Math.max(...boxes.map((box) => box.right)),
      ]);
    assert.ok(Math.abs((left ?? 0) - (right ?? 0)) < 12, `${left} is left free, and ${right} on the right`);
    const grown = await place();
    assert.notEqual(grown, alone);

    await page.locator('.stage > .picture').hover();
    await page.mouse.wheel(30, 40);
    await page.locator(`.stage > .picture > g:not([transform="${grown}"])`).waitFor();
    const moved = await place();
    await growTo(3);
    assert.equal(await place(), moved);
  });
});
