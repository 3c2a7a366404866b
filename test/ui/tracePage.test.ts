// Takes more than 20 s: three themes of four pictures go through axe, and the window is reloaded.
import { SendMode, internal, toNano } from '@ton/core';
import { TonClient, WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FrameLocator, Locator } from 'playwright-core';
import { namedAccounts } from '../../src/toolkit/localnet/accounts/namedAccounts';
import { freePort } from '../support/freePort';
import { readXml } from '../support/readXml';
import { lookAtPictures, pictures } from './support/lookAtPictures';
import { openTill } from './support/openTill';
import { patience } from './support/patience';
import { waitForMark } from './support/waitForMark';
import { newContext } from './support/windowPage';
import type { Theme, Workbench } from './support/workbench';

describe('the page of a trace', () => {
  let workbench: Workbench;
  let v2: string;
  const page = (): FrameLocator => workbench.editor.webview();
  const details = (): Locator => page().getByRole('complementary', { name: 'Details' });
  const picture = (name: string): Locator => page().getByRole('button', { name, exact: true });
  /** How far the boxes are beside the middle of the stage, in pixels. */
  const offCenter = async (): Promise<number> => {
    const places = await page()
      .locator('.stage > .picture, .box > .frame')
      .evaluateAll((elements) => elements.map((one) => one.getBoundingClientRect().toJSON() as DOMRect));
    const [stage = assert.fail(), ...boxes] = places;
    const left = Math.min(...boxes.map((box) => box.left)) - stage.left;
    const right = stage.right - Math.max(...boxes.map((box) => box.right));
    const top = Math.min(...boxes.map((box) => box.top)) - stage.top;
    const bottom = stage.bottom - Math.max(...boxes.map((box) => box.bottom));
    return Math.max(Math.abs(left - right), Math.abs(top - bottom));
  };
  const lookAt = (name: string, theme: Theme): Promise<void> => lookAtPictures(workbench, name, theme);

  before(async () => {
    const port = await freePort();
    v2 = `http://127.0.0.1:${port}/api/v2`;
    workbench = await openTill({ 'tonWorkbench.ports': { localNetwork: port } });
  });
  after(() => workbench?.close());

  it('opens with a click: the verdict first, linked to the line, and the failed transaction selected', async () => {
    await workbench.view('Traces').click(/Withdraw/);
    const verdict = page().getByRole('heading', { level: 1 });
    await page().locator('.heading').getByRole('button', { name: 'till.tolk:8' }).waitFor();
    assert.match((await verdict.textContent()) ?? '', /ERR_OVER_LIMIT/);
    await details()
      .getByText(/^Till, transaction 2 of 3$/)
      .waitFor();
    await details().getByText('500', { exact: true }).waitFor();
    await lookAt('trace page failed call', 'light');
    await lookAt('trace page failed call', 'dark');
    await lookAt('trace page failed call', 'hcDark');
    await workbench.setTheme('dark');
  });

  it('opens in the middle, with each button once, and says what its widths and colors mean', async () => {
    await workbench.view('Traces').click(/Withdraw/);
    await page().locator('.heading').getByRole('button', { name: 'till.tolk:8' }).waitFor();
    await details().getByRole('button', { name: 'Debug' }).waitFor();
    // The page draws before it knows its size.
    for (const end = Date.now() + patience; ; await setTimeout(50)) {
      const aside = await offCenter();
      if (aside < 4) {
        break;
      }
      assert.ok(Date.now() < end, `${aside} px beside the middle`);
    }
    const buttons = await page().locator('.commands button').allTextContents();
    assert.deepEqual(
      buttons.filter((name, index) => buttons.indexOf(name) !== index),
      [],
    );
    const legend = page().locator('.legend');
    const measure = page().getByRole('combobox', { name: 'size by' });
    await legend.getByText(/^Wider arrows carry more coins: at most [\d.]+ TON\./).waitFor();
    await measure.selectOption('gas');
    await legend.getByText(/^The more orange a box, the more gas it took: at most [\d ]+\./).waitFor();
    await lookAt('trace page by gas', 'dark');
    await measure.selectOption('value');
  });

  it('goes through the steps of a transaction: the line that runs and the values follow the slider', async () => {
    await workbench.view('Traces').click(/Withdraw/);
    await details().getByRole('button', { name: 'Step Through' }).click();
    const slider = details().getByRole('slider', { name: /^Step / });
    const here = details().locator('.lines [aria-current=step]');
    const value = (name: string): Locator =>
      details().locator('.steps dt', { hasText: name }).locator('xpath=following-sibling::dd[1]');
    await slider.waitFor();
    // It begins where it failed.
    await here.getByText('throw ERR_OVER_LIMIT').waitFor();
    await details().getByText('Exit code 402 (ERR_OVER_LIMIT)', { exact: true }).waitFor();
    assert.equal(await value('kept.limit').textContent(), '100');
    const { keyboard } = workbench.page;
    await keyboard.press('Home');
    await details()
      .getByText(/^Step 1 of /)
      .waitFor();
    await keyboard.press('End');
    await here.getByText('throw ERR_OVER_LIMIT').waitFor();
    await keyboard.press('ArrowLeft');
    await details().locator('.steps').getByText('Exit code').waitFor({ state: 'detached' });
    await lookAt('trace page steps', 'light');
    await lookAt('trace page steps', 'dark');
    await lookAt('trace page steps', 'hcDark');
    await workbench.setTheme('dark');
    await details().locator('.lines button', { hasText: 'fromCell' }).click();
    await here.getByText('fromCell').waitFor();
    await details().locator('.steps').getByRole('button', { name: 'till.tolk:7' }).click();
    await workbench.editor.waitForTitle('till.tolk');
    await workbench.editor.lens("at today's prices").waitFor();
    await workbench.view('Traces').click(/Withdraw/);
    await details()
      .getByRole('heading', { name: /^Till, / })
      .waitFor();
  });

  it('brings the failed transaction back into sight, also if it is selected', async () => {
    await details()
      .getByRole('heading', { name: /^Till, / })
      .waitFor();
    const drawn = page().locator('svg.picture');
    const isSelectionInSight = (wanted: boolean): Promise<void> =>
      drawn.evaluate(
        (svg, isWanted) =>
          new Promise((resolve) => {
            const look = (): void => {
              const frame = svg.getBoundingClientRect();
              const box = svg.querySelector('.box.selected')?.getBoundingClientRect();
              const isIn = box !== undefined && box.top >= frame.top && box.bottom <= frame.bottom;
              if (isIn === isWanted) {
                resolve();
              } else {
                requestAnimationFrame(look);
              }
            };
            look();
          }),
        wanted,
      );
    await isSelectionInSight(true);
    await drawn.hover({ position: { x: 10, y: 10 } });
    await workbench.page.mouse.wheel(0, 3_000);
    await isSelectionInSight(false);
    await page().getByRole('button', { name: 'Show the failed transaction' }).click();
    await isSelectionInSight(true);
    await page().locator('svg.picture:focus').waitFor();
    await workbench.screenshot('trace page failed shown dark');
  });

  it('has one selection with the tree, in every picture', async () => {
    const view = workbench.view('Traces');
    await view.expand(/Withdraw/);
    await view.row(/^B Till$/).waitFor();
    for (const one of pictures.filter((name) => name !== 'Money')) {
      await picture(one).click();
      for (const account of ['alice', 'Till']) {
        await view.click(new RegExp(`^\\w ${account}$`));
        await details()
          .getByRole('heading', { name: new RegExp(`^${account}, `) })
          .waitFor();
      }
    }
    await picture('Flow').click();
    await page().getByText('alice', { exact: true }).first().click();
    await view
      .row(/^A alice$/)
      .and(workbench.page.locator('.selected'))
      .first()
      .waitFor();
  });

  it('goes to the next result from the search field, which moves nothing', async () => {
    const field = page().getByRole('searchbox');
    const hits = page().locator('.hits');
    const { keyboard } = workbench.page;
    const before = await picture('Fit').boundingBox();
    await field.fill('alice');
    for (const [key, place] of [
      [undefined, '1 of 2'],
      ['F3', '2 of 2'],
      ['Shift+F3', '1 of 2'],
      ['Enter', '2 of 2'],
      ['Shift+Enter', '1 of 2'],
    ] as const) {
      if (key !== undefined) {
        await keyboard.press(key);
      }
      await hits.getByText(place, { exact: true }).waitFor();
      assert.deepEqual(await picture('Fit').boundingBox(), before);
    }
    await picture('Table').click();
    const only = page().getByRole('checkbox', { name: 'Only what the search finds' });
    await only.check();
    await page().getByRole('treeitem', { name: /Till/ }).waitFor({ state: 'detached' });
    await field.fill('');
    await page().getByRole('treeitem', { name: /Till/ }).waitFor();
    assert.equal(await only.getAttribute('aria-disabled'), 'true');
    assert.equal(await only.isChecked(), false);
    await only.click({ force: true });
    assert.equal(await only.isChecked(), false);
    await workbench.screenshot('trace page table without a search dark');
    await picture('Flow').click();
    await page().getByRole('button', { name: 'Show the failed transaction' }).click();
  });

  it('leads from the tree to the line that threw with the keyboard alone', async () => {
    const view = workbench.view('Traces');
    await view.click(/Withdraw/);
    const link = page().locator('.heading').getByRole('button', { name: 'till.tolk:8' });
    await link.waitFor();
    await page().getByRole('tree').focus();
    const { keyboard } = workbench.page;
    await keyboard.press('Home');
    await keyboard.press('ArrowDown');
    await details()
      .getByRole('heading', { name: /^Till, / })
      .waitFor();
    // From the picture, the link in the details is a few tabs away.
    const inDetails = details().getByRole('button', { name: /till\.tolk:8/ });
    for (let press = 0; press < 20; press++) {
      await keyboard.press('Tab');
      if (await inDetails.evaluate((element) => element === document.activeElement)) {
        break;
      }
    }
    await keyboard.press('Enter');
    await workbench.editor.waitForTitle('till.tolk');
    await waitForMark(
      workbench.page.locator('.view-line', { hasText: 'throw ERR_OVER_LIMIT;' }).first(),
      /threw here: message\.amount = 500, kept\.limit = 100/,
    );
  });

  it('has verdict, picture, and details within reach at a zoom of 200 %, beside the sidebar', async () => {
    // A window of 1,280 × 800 that is zoomed so has this many pixels.
    await workbench.page.setViewportSize({ width: 640, height: 400 });
    try {
      await workbench.view('Traces').click(/Withdraw/);
      await details()
        .getByRole('heading', { name: /^Till, / })
        .waitFor();
      const parts = {
        verdict: page().locator('h1'),
        toolbar: page().locator('.toolbar'),
        picture: page().locator('.picture'),
        details: details().getByRole('heading', { level: 2 }),
        end: details().locator('dd').last(),
      };
      for (const [name, part] of Object.entries(parts)) {
        await part.scrollIntoViewIfNeeded();
        const isWhole = await part.evaluate((element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect();
          const isInSight = top < innerHeight && bottom > 0 && left >= 0 && right <= innerWidth;
          return isInSight && bottom - top >= 15 && element.scrollWidth <= element.clientWidth + 1;
        });
        assert.ok(isWhole, `${name} is cut`);
        await workbench.screenshot(`trace page zoomed ${name} dark`);
      }
      for (const name of pictures) {
        await picture(name).click();
        const isWider = await page()
          .locator('html')
          .evaluate((element) => element.scrollWidth > element.clientWidth);
        assert.equal(isWider, false, `${name} is scrolled sideways`);
      }
      await picture('Flow').click();
    } finally {
      await workbench.page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  it('shows a payout to many as one box with its sum, which opens', async () => {
    await payTo254();
    const view = workbench.view('Traces');
    await view.click(/254 transfers, 2\.54 TON/);
    const fold = page().locator('.box', { hasText: '254 accounts' });
    await fold.waitFor();
    await page().locator('.edge', { hasText: '2.54 TON' }).first().waitFor();
    await lookAt('trace page payout', 'dark');
    await lookAt('trace page payout', 'light');
    await lookAt('trace page payout', 'hcDark');
    await workbench.setTheme('dark');
    await fold.locator('.more').click();
    await page().locator('.minimap').waitFor();
    await workbench.screenshot('trace page payout opened dark');
    const refold = page().locator('.more', { hasText: 'fold 254' });
    await refold.click();
    await fold.locator('.more').click();
    await refold.waitFor();
  });

  it('says what is folded in the sequence, too, and opens it there', async () => {
    await page().locator('.more', { hasText: 'fold 254' }).click();
    await picture('Sequence').click();
    const folded = page().locator('.event .more', { hasText: '×254 folded' });
    await folded.waitFor();
    await lookAt('trace page payout folded', 'dark');
    await picture('Sequence').click();
    await folded.click();
    const refold = page().locator('.event .more', { hasText: 'fold 254' });
    await refold.click();
    await folded.click();
    await refold.waitFor();
    await workbench.screenshot('trace page payout sequence opened dark');
  });

  it('saves the picture as a file with every name', async () => {
    await picture('Flow').click();
    await page().getByRole('combobox', { name: 'Export' }).selectOption('svg');
    await workbench.quickInput.asks('Export');
    await workbench.quickInput.accept();
    await workbench.messages.waitForNotification(/Saved trace-.*\.svg/);
    const [file = ''] = (await readdir(workbench.folder)).filter((name) => name.endsWith('.svg'));
    const text = await readFile(path.join(workbench.folder, file), 'utf8');
    assert.equal(readXml(text.trim()).name, 'svg');
    assert.match(text, /alice/);
  });

  it('copies itself as a Mermaid diagram, and as the answer of the API', async () => {
    const copied = async (format: string): Promise<string> => {
      await workbench.page.evaluate(() => navigator.clipboard.writeText(''));
      await page().getByRole('combobox', { name: 'Export' }).selectOption(format);
      let text = '';
      for (const end = Date.now() + patience; text === '' && Date.now() < end;) {
        text = await workbench.page.evaluate(() => navigator.clipboard.readText());
      }
      return text;
    };
    assert.match(await copied('mermaid'), /^flowchart[\s\S]*alice/);
    const { transactions } = JSON.parse(await copied('json')) as { transactions: object };
    assert.equal(Object.keys(transactions).length, 255);
  });

  it('saves itself as a file that opens anywhere, without the editor and without a network', async () => {
    await page().getByRole('combobox', { name: 'Export' }).selectOption('html');
    await workbench.quickInput.asks('Export');
    await workbench.quickInput.accept();
    await workbench.messages.waitForNotification(/Saved trace-.*\.html/);
    const [file = ''] = (await readdir(workbench.folder)).filter((name) => name.endsWith('.html'));
    const context = await newContext({ offline: true });
    try {
      const saved = await context.newPage();
      const asked: string[] = [];
      saved.on('request', (request) => asked.push(request.url()));
      const errors: string[] = [];
      saved.on('pageerror', (error) => errors.push(String(error)));
      await saved.goto(pathToFileURL(path.join(workbench.folder, file)).href);
      await saved.getByText('254 accounts', { exact: true }).click();
      await saved.getByRole('button', { name: 'Table' }).click();
      await saved.getByRole('treeitem', { name: /alice/ }).click();
      await saved.getByRole('heading', { name: /^alice, transaction 1 of 255$/ }).waitFor();
      assert.deepEqual(errors, []);
      assert.equal(asked.filter((url) => !url.startsWith('file:')).length, 0, asked.join('\n'));
    } finally {
      await context.close();
    }
  });

  it('is where it was after the window has reloaded', async () => {
    await picture('Sequence').click();
    // What was unfolded stays so.
    const heads = page().locator('.lane-heads', { hasText: 'A alice' });
    await heads.waitFor();
    await workbench.runCommand('Developer: Reload Window');
    await page().getByRole('button', { name: 'Sequence', pressed: true }).waitFor();
    await heads.waitFor();
    assert.doesNotMatch((await heads.textContent()) ?? '', /254 accounts/);
  });

  /** 0.01 TON each to as many accounts as the VM pays in one transaction; none of them exists. */
  async function payTo254(): Promise<void> {
    const alice = namedAccounts.find(({ name }) => name === 'alice')!;
    const client = new TonClient({ endpoint: `${v2}/jsonRPC` });
    const wallet = client.open(
      WalletContractV5R1.create({ workchain: 0, publicKey: Buffer.from(alice.publicKey, 'hex') }),
    );
    await wallet.sendTransfer({
      seqno: await wallet.getSeqno(),
      secretKey: Buffer.from(alice.secretKey, 'hex'),
      sendMode: SendMode.PAY_GAS_SEPARATELY,
      messages: Array.from({ length: 254 }, (_, index) =>
        internal({
          to: `0:${String(index + 1).padStart(64, '0')}`,
          value: toNano('0.01'),
          bounce: false,
        }),
      ),
    });
  }
});
