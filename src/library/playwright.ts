import { test as base, expect as baseExpect } from '@playwright/test';
import type { Expect, MatcherReturnType, TestInfo, TestType } from '@playwright/test';
import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
} from '@playwright/test';
import { startLocalnet } from './localnet';
import { failureNotes } from './failureNotes';
import { fromCaller } from './fromCaller';
import type { Outcome } from './judgeOutcome';
import { judgeOutcome } from './judgeOutcome';
import type { PageWallet } from './openPageWallet';
import { openPageWallet } from './openPageWallet';
import { usualPatience } from './usualPatience';
import type { TonAnswer, TonNetwork, TonOptions, TonRelayed, TonWallet } from './pageWalletTypes';
import type { Trace } from './traceTypes';

export type {
  TonAnswer,
  TonNetwork,
  TonOptions,
  TonPatience,
  TonRelayed,
  TonWallet,
} from './pageWalletTypes';

/** The name of the snapshot that each test starts from. */
const startOfTests = 'start of each test';

/** What tests get beside those of Playwright. */
export interface TonFixtures {
  ton: TonOptions;
  /** The network, as it was at the start. */
  network: TonNetwork;
  /** The wallet in the test's pages: `window.tonWorkbench`. */
  wallet: TonWallet;
}

/** What the tests of a worker share. */
export interface TonWorkerFixtures {
  tonNetwork: TonNetwork;
}

/**
 * Playwright's `test` with a wallet in each page, on a local network that every test finds as it was.
 *
 * @example
 * ```ts
 * import { expect, test } from 'ton-workbench/playwright';
 *
 * test.use({ ton: { accounts: ['bob'] } });
 * test('pays', async ({ page, wallet }) => {
 *   await page.goto('http://localhost:5173');
 *   await page.getByRole('button', { name: 'Pay' }).click();
 *   await expect(await wallet.approve()).toSucceed();
 * });
 * ```
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TonFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & TonWorkerFixtures
> = base.extend<TonFixtures, TonWorkerFixtures>({
  ton: [{}, { option: true }],
  tonNetwork: [
    async ({}, use) => {
      const net = await startLocalnet();
      const keep = async (): Promise<void> => {
        await net.control('snapshot', { name: startOfTests });
      };
      await keep();
      await use({ ...net, keep });
      await net.close();
    },
    { scope: 'worker' },
  ],
  network: async ({ tonNetwork }, use) => {
    await tonNetwork.control('restore', { name: startOfTests, keep: false });
    await use(tonNetwork);
  },
  wallet: async ({ ton, network, context }, use, testInfo) => {
    const since = performance.now();
    const patience = (): number => usualPatience(testInfo.timeout, performance.now() - since);
    const opened = await openPageWallet(ton, network, patience);
    await context.addInitScript({ content: opened.script });
    try {
      await use(opened.wallet);
    } finally {
      await attachNotes(opened, testInfo);
      await opened.close();
    }
  },
  // A page has its wallet even if the test does not name it.
  page: async ({ page, wallet }, use) => {
    await (wallet === undefined ? Promise.resolve() : use(page));
  },
});

/** What the wallet of a failed test did, in the report. */
async function attachNotes(opened: PageWallet, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) {
    return;
  }
  for (const { name, ...note } of await failureNotes(opened)) {
    await testInfo.attach(name, note);
  }
}

/** Tells whether a payment, each submission of a signed message, or a trace did all it should. */
function toSucceed(received: Outcome): Promise<MatcherReturnType> {
  return fromCaller(toSucceed, async () => {
    const { pass, why } = await judgeOutcome(received);
    return { pass, message: () => (pass ? 'The payment succeeded.' : `The payment failed: ${why}`) };
  });
}

/** Playwright's `expect`, which also knows what a wallet has sent: `toSucceed`. */
export const expect: Expect<{
  toSucceed: (received: TonAnswer | TonRelayed | readonly TonRelayed[] | Trace) => Promise<MatcherReturnType>;
}> = baseExpect.extend({ toSucceed });
