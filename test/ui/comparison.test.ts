// Takes more than 20 s: two contracts are deployed, and three themes of four pictures go through axe.
import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import { changeAmount } from './support/changeAmount';
import { lookAtPictures } from './support/lookAtPictures';
import { deployFrom, openDeployed } from './support/openDeployed';
import type { Workbench } from './support/workbench';

/** Pays out up to its limit. */
const source = `const ERR_OVER_LIMIT = 402
struct Storage { limit: coins }
struct (0x00000031) Withdraw { queryId: uint64 = 0; amount: coins; to: address }
struct (0x00000032) Payout { amount: coins }
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val message = Withdraw.fromSlice(in.body);
  var kept = Storage.fromCell(contract.getData());
  assert (message.amount <= kept.limit) throw ERR_OVER_LIMIT;
  kept.limit -= message.amount;
  contract.setData(kept.toCell());
  val payout = createMessage({
    bounce: BounceMode.NoBounce,
    value: message.amount,
    dest: message.to,
    body: Payout { amount: message.amount },
  });
  payout.send(SEND_MODE_REGULAR);
}
get fun limit(): coins {
  return Storage.fromCell(contract.getData()).limit;
}
`;

/** Its second parameter is what decides, and no instruction hands it over: the function is inlined. */
const vaultSource = `const ERR_OVER_LIMIT = 402
struct Storage { limit: coins  spent: coins = 0 }
struct (0x00000031) Claim { queryId: uint64 = 0; amount: coins }
fun checkLimit(st: Storage, amount: coins) {
  assert (st.spent + amount <= st.limit) throw ERR_OVER_LIMIT;
}
fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = lazy Claim.fromSlice(in.body);
  var st = Storage.fromCell(contract.getData());
  checkLimit(st, msg.amount);
  st.spent += msg.amount;
  contract.setData(st.toCell());
}
get fun spent(): coins {
  return Storage.fromCell(contract.getData()).spent;
}
`;

describe('a refused withdrawal', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openDeployed({
      ...{ file: 'till.tolk', source, storage: { limit: '1ton' }, getMethod: 'limit' },
      files: { 'vault.tolk': vaultSource },
    });
  });
  after(() => workbench?.close());

  describe('a failure, in a dialog and on a page', () => {
    before(async () => {
      await deployFrom(workbench, {
        file: 'vault.tolk',
        storage: { limit: '10ton', spent: '6ton' },
        getMethod: 'spent',
      });
    });

    after(() => workbench.page.setViewportSize({ width: 1280, height: 800 }));

    it('is told before it happens: the verdict, the line with the values that decide, and nothing twice', async () => {
      await workbench.compose('send Vault Claim {amount: 6ton} 0.1ton from alice');
      const { message, detail } = await workbench.messages.dialog();
      await workbench.screenshot('failure headline dialog dark');
      assert.equal(message, 'Vault would refuse Claim: ERR_OVER_LIMIT, 402');
      assert.match(
        detail,
        /^vault\.tolk:5 +assert \(st\.spent \+ amount <= st\.limit\)\n6 TON \+ 6 TON <= 10 TON\n/,
      );
      assert.match(detail, /\nalice → Vault, 0\.1 TON; 0\.\d+ TON would come back\n/);
      assert.doesNotMatch(detail, /ERR_OVER_LIMIT|402|[0-9a-f]{64}/);
      await workbench.messages.pressInDialog('Send Anyway');
    });

    it('begins the page of its trace with the same lines', async () => {
      const view = workbench.view('Traces');
      await view.row(/Claim/).waitFor();
      await view.row(/Claim/).click();
      const page = workbench.editor.webview();
      const source = page.locator('.source');
      await source.waitFor();
      assert.equal(await page.locator('h1').innerText(), '✗ Vault refused Claim: ERR_OVER_LIMIT, 402');
      assert.equal(await source.locator('button').innerText(), 'vault.tolk:5');
      const [code = '', values = ''] = (await source.locator('pre').innerText()).split('\n');
      assert.equal(code, 'assert (st.spent + amount <= st.limit)');
      assert.equal(values.trim().replace(/ +/g, ' '), '6 TON + 6 TON <= 10 TON');
      assert.equal(values.indexOf('10 TON'), code.indexOf('st.limit'), 'each value is under its name');
      assert.doesNotMatch(await page.locator('.details > p').first().innerText(), /refused/);
      await workbench.inBothThemes('failure headline page');
      await workbench.page.setViewportSize({ width: 400, height: 800 });
      await workbench.inBothThemes('failure headline 400');
    });
  });

  describe('a comparison of two traces', () => {
    const inPage = (selector: string, hasText?: string | RegExp): Locator =>
      workbench.editor.webview().locator(selector, hasText === undefined ? {} : { hasText });
    const button = (name: string): Locator =>
      workbench.editor.webview().getByRole('button', { name, exact: true }).first();

    it('says on each box what changed, or which of the two has it', async () => {
      await workbench.compose('send Till Withdraw {amount: 5ton, to: bob} 6ton from alice');
      await workbench.messages.pressInDialog('Send Anyway');
      await workbench.view('Traces').contextMenu(/^Withdraw/, 'Send Again With Changes…');
      await workbench.quickInput.asks('TON: Send Again With Changes');
      await changeAmount(workbench, '0.3ton');
      await workbench.quickInput.row('to: bob').waitFor();
      await workbench.quickInput.pick('Use This Body');
      await workbench.messages.pressInDialog('Go Back and Send');
      const till = inPage('.box.compared-changed', 'Till');
      await till.waitFor();
      assert.deepEqual(await till.locator('.result').allTextContents(), [
        '≠ exit 402 ERR_OVER_LIMIT → exit 0',
        'amount 5 TON → 0.3 TON +3',
      ]);
      assert.deepEqual(await inPage('.box.compared-added .result').allTextContents(), [
        '+ only in the trace sent again',
        '✓ exit 0',
      ]);
      assert.deepEqual(await inPage('.box.compared-missing .result').allTextContents(), [
        '− only in the trace before',
        '↩ exit 0',
      ]);
      const letters = await inPage('.box .letter').allTextContents();
      const names = await inPage('.box .name').allTextContents();
      assert.equal(new Set(letters).size, new Set(names).size, `${letters.join()} of ${names.join()}`);
    });

    it('names every changed value in the details', async () => {
      await inPage('.box.compared-changed', 'Till').click();
      await inPage('.details h3', 'What differs: the trace before → the trace sent again').waitFor();
      const facts = await inPage('.details section:first-of-type dt').allTextContents();
      assert.deepEqual(facts.slice(0, 3), ['result', 'amount', 'limit afterward']);
      await inPage('.details dd', '5 TON → 0.3 TON').waitFor();
      await inPage('.details dd', 'exit 402 ERR_OVER_LIMIT → exit 0').waitFor();
      await inPage('.details dd', 'unchanged → 0.7 TON').waitFor();
    });

    it('has the money of both, and the difference', async () => {
      await button('Money').click();
      await button('TON, the trace sent again').click();
      const heads = await inPage('.balances thead th').allTextContents();
      assert.deepEqual(heads, [
        'TON gained or lost in',
        'the trace before',
        'the trace sent again',
        'difference',
      ]);
      const bob = inPage('.balances tbody tr', 'bob');
      assert.match((await bob.locator('td').allTextContents()).join(' | '), /^0 \| \+0\.\d+ \| \+0\.\d+$/);
    });

    it('has a table whose last column can be scrolled to, below its heading', async () => {
      await button('Table').click();
      const heading = button('fee TON');
      await heading.waitFor();
      await button('what differs').waitFor();
      const sheet = inPage('.table');
      await sheet.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
      const details = (await inPage('.details').boundingBox()) ?? assert.fail();
      const cell = inPage('.rows .number:last-child').first();
      for (const part of [heading, cell]) {
        const { x, width } = (await part.boundingBox()) ?? assert.fail();
        assert.ok(x + width <= details.x, `${x} + ${width} is beyond ${details.x}`);
      }
      await workbench.screenshot('comparison table scrolled');
      const [head, body] = [await heading.boundingBox(), await cell.boundingBox()];
      assert.equal(head?.x, body?.x);
    });

    for (const theme of ['light', 'dark', 'hcDark'] as const) {
      it(`can be read in every picture, ${theme}`, async () => {
        await lookAtPictures(workbench, 'comparison', theme);
      });
    }
  });
});
