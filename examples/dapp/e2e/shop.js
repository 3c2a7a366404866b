import { readFileSync } from 'node:fs';
import { Address, Cell, beginCell } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { test as base } from 'ton-workbench/playwright';

const source = readFileSync(new URL('../contracts/till.tolk', import.meta.url), 'utf8');

/** The till is compiled and deployed once per worker; each test finds it as it was. */
export const test = base.extend({
  till: [
    async ({ tonNetwork }, use) => {
      const compiled = await runTolkCompiler({
        entrypointFileName: 'till.tolk',
        fsReadCallback: () => source,
      });
      if (compiled.status !== 'ok') {
        throw new Error(compiled.message);
      }
      const data = beginCell().storeCoins(1_000_000_000n).storeUint(0, 32).endCell();
      const { address } = await tonNetwork.control('deploy', {
        code: Cell.fromBase64(compiled.codeBoc64).toBoc().toString('base64'),
        data: data.toBoc().toString('base64'),
        value: '2000000000',
        name: 'till',
      });
      await tonNetwork.keep();
      await use(Address.parse(address).toString());
    },
    { scope: 'worker' },
  ],
  sold: async ({ till, network }, use) => {
    await use(async () => {
      const body = JSON.stringify({ address: till, method: 'sold', stack: [] });
      const answer = await fetch(`${network.v3}/runGetMethod`, { method: 'POST', body });
      return Number((await answer.json()).stack[0].value);
    });
  },
});

/** Opens the shop, and connects its page. */
export async function connect(page, wallet, till) {
  await page.goto(`/?till=${till}`);
  await page.getByRole('button', { name: 'Connect wallet' }).click();
  await wallet.approve();
  await page.getByText('Connected', { exact: true }).waitFor();
}
