import { expect } from 'ton-workbench/playwright';
import { connect, test } from './shop.js';

const buy = (page) => page.getByRole('button', { name: 'Buy tea' }).click();
const status = (page) => page.getByRole('status');

test('sells tea', async ({ page, wallet, till, sold }) => {
  const before = await sold();
  await connect(page, wallet, till);
  await buy(page);
  const payment = await wallet.approve();
  await expect(status(page)).toHaveText('Thank you');
  await expect(payment).toSucceed();
  expect(await sold()).toBe(before + 1);
});

test('sells nothing to who cancels', async ({ page, wallet, till, sold }) => {
  const before = await sold();
  await connect(page, wallet, till);
  await buy(page);
  await wallet.reject();
  await expect(status(page)).toHaveText('You have cancelled the payment');
  expect(await sold()).toBe(before);
});

test.describe('bob, whose wallet is a v4', () => {
  test.use({ ton: { accounts: ['bob'] } });
  for (let round = 1; round <= 17; round += 1) {
    test(`buys tea ${round}`, async ({ page, wallet, till, sold }) => {
      await connect(page, wallet, till);
      await buy(page);
      await expect(await wallet.approve()).toSucceed();
      // What other tests have bought is undone.
      expect(await sold()).toBe(2);
    });
  }
});

test.describe('a wallet that asks nobody', () => {
  test.use({ ton: { approve: 'none' } });
  test('refuses to connect', async ({ page, wallet, till }) => {
    await page.goto(`/?till=${till}`);
    await page.getByRole('button', { name: 'Connect wallet' }).click();
    await expect.poll(() => wallet.answers.length).toBe(1);
    expect(wallet.answers[0].error.code).toBe(300);
    await expect(page.getByRole('button', { name: 'Buy tea' })).toBeDisabled();
  });
});
