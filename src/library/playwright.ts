import { test as base, expect as baseExpect } from '@playwright/test';
import type { Expect, MatcherReturnType, TestInfo, TestType } from '@playwright/test';
import type {
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
} from '@playwright/test';
import { createAccess } from './access';
import { startLocalnet } from './localnet';
import type { Localnet } from './localnet';
import { followTrace } from './trace';
import type { Trace } from './traceTypes';
import { startWallet } from './wallet';
import type { Wallet, WalletAnswer, WalletDecision, WalletFeatureWord, WalletRequest } from './wallet';

/** Milliseconds for a request to come, and for an answer. */
const usualPatience = 30_000;

/** The name of the snapshot that each test starts from. */
const startOfTests = 'start of each test';

/** What a test's wallet is: `test.use({ ton: { accounts: ['bob'], approve: 'all' } })`. */
export interface TonOptions {
  /** Names of accounts of the local network, which must be there; dApps get the first. Default: `['alice']`. */
  readonly accounts?: readonly string[] | undefined;
  /** Who decides: the test (`ask`, the default), or nobody: `all` are approved, or `none`. */
  readonly approve?: 'ask' | 'all' | 'none' | undefined;
  /** What the wallet lacks, so that it is an older or a smaller one. */
  readonly features?: readonly WalletFeatureWord[] | undefined;
}

/** The local network of a worker. */
export interface TonNetwork extends Localnet {
  /** What is on the network now is there at the start of each test: call it after you have deployed something. */
  keep(): Promise<void>;
}

/** A request that was decided, and what the dApp was told. */
export interface TonAnswer extends WalletAnswer {
  /** What the dApp asked for, in one line; empty if it was refused before anybody was asked. */
  readonly asks: string;
  /**
   * The trace of the message that was sent, when nothing more will happen.
   * @throws Error if nothing was sent
   */
  trace(): Promise<Trace>;
}

/** The wallet of a test's page. */
export interface TonWallet {
  /** Raw address of the account, lowercase hex. */
  readonly address: string;
  /** All answers so far, oldest first. */
  readonly answers: readonly TonAnswer[];
  /** Approves the next request, as soon as it is there, or decides it in another way. Resolves once the dApp is answered. */
  approve(options?: {
    readonly decision?: WalletDecision | undefined;
    /** Milliseconds; default 30,000. */
    readonly timeout?: number | undefined;
  }): Promise<TonAnswer>;
  /** Rejects the next request. */
  reject(options?: { readonly timeout?: number | undefined }): Promise<TonAnswer>;
  /** Does with a signed message what a relayer would. */
  relay: Wallet['relay'];
}

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
    const opened = await openWallet(ton, network);
    await context.addInitScript({ content: opened.script });
    try {
      await use(opened.wallet);
    } finally {
      await attachTraces(opened.wallet, testInfo);
      await opened.close();
    }
  },
  // A page has its wallet even if the test does not name it.
  page: async ({ page, wallet }, use) => {
    await (wallet === undefined ? Promise.resolve() : use(page));
  },
});

/** A request that waits, with what decides it. */
interface Waiting {
  request: WalletRequest;
  decide: (decision: WalletDecision) => void;
}

async function openWallet(
  { accounts = ['alice'], approve = 'ask', features }: TonOptions,
  network: TonNetwork,
): Promise<{ wallet: TonWallet; script: string; close: () => Promise<void> }> {
  const missing = accounts.find((name) => network.accounts.every((account) => account.name !== name));
  if (missing !== undefined) {
    const known = network.accounts.map(({ name }) => name).join(', ');
    throw new Error(`The local network has no account ${JSON.stringify(missing)}. It has: ${known}.`);
  }
  const access = createAccess({ network });
  const asked = new Map<number, string>();
  const requests = new Line<Waiting>('No request came to the wallet');
  const answers: TonAnswer[] = [];
  const told = new Map<number, (answer: TonAnswer) => void>();
  const wallet = await startWallet(access, {
    account: accounts[0],
    features,
    decide: (request) => {
      asked.set(request.number, request.asks);
      return approve === 'ask'
        ? new Promise((decide) => requests.add({ request, decide }))
        : approve === 'all'
          ? 'approve'
          : 'reject';
    },
    onAnswer: (answer) => {
      const asks = asked.get(answer.number) ?? '';
      const full = { ...answer, asks, trace: () => traceOf(network, answer.hash) };
      answers.push(full);
      told.get(answer.number)?.(full);
    },
  });
  const decide = async (decision: WalletDecision, timeout = usualPatience): Promise<TonAnswer> => {
    if (approve !== 'ask') {
      throw new Error(`Nobody is asked: the wallet is set up with approve: ${JSON.stringify(approve)}.`);
    }
    const next = await requests.take(timeout);
    const answered = new Promise<TonAnswer>((resolve) => told.set(next.request.number, resolve));
    next.decide(decision);
    return inTime(answered, timeout, `The wallet did not answer: ${next.request.asks}`);
  };
  const script = await (await fetch(wallet.inject)).text();
  return {
    script,
    wallet: {
      ...{ address: wallet.address, answers, relay: (...given) => wallet.relay(...given) },
      approve: ({ decision = 'approve', timeout } = {}) => decide(decision, timeout),
      reject: ({ timeout } = {}) => decide('reject', timeout),
    },
    close: () => wallet.close(),
  };
}

/** The last state of a trace. */
async function traceOf(network: TonNetwork, hash: string | undefined): Promise<Trace> {
  if (hash === undefined) {
    throw new Error('The wallet sent nothing for this request, so there is no trace.');
  }
  let last: Trace | undefined;
  const names = Object.fromEntries(network.accounts.map(({ name, address }) => [name, address]));
  for await (const trace of followTrace(createAccess({ network }), hash, { names })) {
    last = trace;
  }
  if (last === undefined) {
    throw new Error(`The network shows no trace of the message ${hash}.`);
  }
  return last;
}

/** What the payments of a failed test did, in the report. */
async function attachTraces(wallet: TonWallet, testInfo: TestInfo): Promise<void> {
  if (testInfo.status === testInfo.expectedStatus) {
    return;
  }
  for (const answer of wallet.answers) {
    if (answer.hash !== undefined) {
      const text = await answer.trace().then(
        (trace) => `${answer.asks}\n\n${trace.verdict ?? 'Nothing failed.'}\n\n${trace.toText()}\n`,
        (error: unknown) => `${answer.asks}\n\nThe trace cannot be shown: ${String(error)}\n`,
      );
      await testInfo.attach(`trace of request ${answer.number}`, { body: text, contentType: 'text/plain' });
    }
  }
}

/** Things that come, and those who wait for them. */
class Line<T> {
  readonly #come: T[] = [];
  readonly #waiting: ((one: T) => void)[] = [];

  constructor(private readonly nothing: string) {}

  add(one: T): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#come.push(one);
    } else {
      next(one);
    }
  }

  take(timeout: number): Promise<T> {
    const [first] = this.#come.splice(0, 1);
    if (first !== undefined) {
      return Promise.resolve(first);
    }
    let wait: ((one: T) => void) | undefined;
    const come = new Promise<T>((resolve) => this.#waiting.push((wait = resolve)));
    return inTime(come, timeout, this.nothing).catch((error: unknown) => {
      this.#waiting.splice(this.#waiting.indexOf(wait!), 1);
      throw error;
    });
  }
}

function inTime<T>(result: Promise<T>, timeout: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} within ${timeout} ms.`)), timeout);
  });
  return Promise.race([result, late]).finally(() => clearTimeout(timer));
}

/** The trace of an answer, or what the dApp was told instead. */
async function outcomeOf(answer: TonAnswer): Promise<{ error?: { message: string }; trace?: Trace }> {
  return answer.error === undefined ? { trace: await answer.trace() } : { error: answer.error };
}

/** Tells whether the payment of an answer, or a trace, did all it should: nothing failed, in none of its transactions. */
async function toSucceed(received: TonAnswer | Trace): Promise<MatcherReturnType> {
  const { error, trace } =
    'steps' in received ? { error: undefined, trace: received } : await outcomeOf(received);
  const why = error?.message ?? trace?.verdict ?? 'it is not known why';
  const pass = trace?.succeeded === true;
  return { pass, message: () => (pass ? 'The payment succeeded.' : `The payment failed: ${why}`) };
}

/** Playwright's `expect`, which also knows what a wallet has sent: `toSucceed`. */
export const expect: Expect<{ toSucceed: (received: TonAnswer | Trace) => Promise<MatcherReturnType> }> =
  baseExpect.extend({ toSucceed });
