import { WorkbenchError } from '../toolkit/base/errors';
import { usualLateness } from '../toolkit/tonConnect/protocol';
import { createAccess } from './access';
import type { Localnet } from './localnet';
import type { TonAnswer, TonOptions, TonRelayed, TonWallet } from './pageWalletTypes';
import { waitForTrace } from './trace';
import type { Trace } from './traceTypes';
import { startWallet } from './wallet';
import type { WalletAnswer, WalletDecision, WalletRequest } from './wallet';
import { checkApproveOptions, checkRejectOptions, checkRelay, checkTonOptions } from './checkTonOptions';
import { fromCaller, toldAt } from './fromCaller';
import { RequestLine, inTime } from './requestLine';

/** The wallet of a test's pages, and what it has done. */
export interface PageWallet {
  readonly wallet: TonWallet;
  /** What injects it into a page. */
  readonly script: string;
  /** Submissions of signed messages, oldest first. */
  readonly relayed: readonly TonRelayed[];
  /** Requests that nobody has decided, oldest first. */
  readonly undecided: readonly WalletRequest[];
  close(): Promise<void>;
}

/**
 * Opens the wallet of a test.
 *
 * @param patience milliseconds to wait for a request, and for its answer, unless the test says how long
 * @throws WorkbenchError `usage`, `wallet-account-unknown`, `wallet-features-unknown` (input)
 */
export async function openPageWallet(
  options: TonOptions,
  network: Localnet,
  patience: () => number,
): Promise<PageWallet> {
  const { accounts, approve, features } = checked(options, network);
  const access = createAccess({ network });
  const asked = new Map<number, string>();
  const requests = new RequestLine();
  const answers: TonAnswer[] = [];
  const relayed: TonRelayed[] = [];
  const told = new Map<number, (answer: TonAnswer) => void>();
  const wallet = await startWallet(access, {
    ...{ account: accounts[0], features },
    decide: (request) => {
      asked.set(request.number, request.asks);
      return approve === 'ask'
        ? new Promise((decide) => requests.add({ request, decide }))
        : approve === 'all'
          ? 'approve'
          : 'reject';
    },
    onAnswer: (answer) => {
      const asks = asked.get(answer.number);
      const trace = (): Promise<Trace> =>
        fromCaller(trace, () => traceOf(network, answer.hash, notSentWords(answer)));
      const full = { ...answer, asks: asks ?? '', trace };
      answers.push(full);
      told.get(answer.number)?.(full);
      if (asks === undefined && answer.error !== undefined) {
        requests.refuse(answer);
      }
    },
  });
  const decide = async (decision: WalletDecision, timeout = patience()): Promise<TonAnswer> => {
    if (approve !== 'ask') {
      throw new WorkbenchError({
        code: 'usage',
        kind: 'input',
        message: `Nobody is asked: the wallet is set up with approve: ${JSON.stringify(approve)}.`,
        hint: 'See `answers` for what became of each request.',
      });
    }
    const next = await requests.take(timeout);
    const answered = new Promise<TonAnswer>((resolve) => told.set(next.request.number, resolve));
    next.decide(decision);
    const most = timeout + latenessOf(decision);
    return inTime(answered, most, () => notAnsweredError(next.request, most));
  };
  const relay: TonWallet['relay'] = (request, way) =>
    fromCaller(relay, async () => {
      const wanted = checkRelay(request, way);
      const number = wanted.number ?? lastSigned(answers);
      const asks = asked.get(number) ?? '';
      const outcomes = await wallet.relay(number, wanted.way);
      const submitted = outcomes.map(({ trace: hash, accepted, words }): TonRelayed => {
        const trace = (): Promise<Trace> =>
          fromCaller(trace, () => traceOf(network, hash, `The signed message is in no block: ${words}.`));
        return { number, asks, hash, accepted, words, trace };
      });
      relayed.push(...submitted);
      return submitted;
    });
  const approveNext: TonWallet['approve'] = (given) =>
    fromCaller(approveNext, async () => {
      const { decision, timeout } = checkApproveOptions(given);
      return decide(decision, timeout);
    });
  const rejectNext: TonWallet['reject'] = (given) =>
    fromCaller(rejectNext, async () => decide('reject', checkRejectOptions(given).timeout));
  return {
    wallet: { address: wallet.address, answers, approve: approveNext, reject: rejectNext, relay },
    script: await (await fetch(wallet.inject)).text(),
    relayed,
    get undecided() {
      return requests.undecided;
    },
    close: () => wallet.close(),
  };
}

function checked(options: TonOptions, { accounts }: Localnet): ReturnType<typeof checkTonOptions> {
  try {
    return checkTonOptions(
      options,
      accounts.map(({ name }) => name),
    );
  } catch (error) {
    throw toldAt(error, []);
  }
}

/** Milliseconds that an answer is late on purpose. */
function latenessOf(decision: WalletDecision): number {
  const seconds =
    typeof decision === 'object' ? decision.seconds : decision === 'answer-late' ? usualLateness : 0;
  return seconds * 1000;
}

/** @throws WorkbenchError `wallet-not-signed` (input) */
function lastSigned(answers: readonly TonAnswer[]): number {
  const last = answers.findLast(({ internalBoc }) => internalBoc !== undefined);
  if (last === undefined) {
    throw new WorkbenchError({
      code: 'wallet-not-signed',
      kind: 'input',
      message: 'The wallet has signed no message for a relayer, so there is nothing to submit.',
      hint: 'Approve a signMessage request first.',
    });
  }
  return last.number;
}

function notAnsweredError({ number, asks }: WalletRequest, timeout: number): WorkbenchError {
  return new WorkbenchError({
    code: 'timeout',
    kind: 'failed',
    message: `The wallet did not answer request ${number} (${asks}) within ${timeout} ms.`,
    hint: 'The option `timeout` waits longer.',
  });
}

function notSentWords({ number, internalBoc }: WalletAnswer): string {
  return internalBoc === undefined
    ? `The wallet sent nothing for request ${number}, so there is no trace.`
    : `The wallet signed a message for request ${number} and sent nothing: relay() submits it, and what that returns has the trace.`;
}

/** The last state of a trace. */
async function traceOf(network: Localnet, hash: string | undefined, without: string): Promise<Trace> {
  if (hash === undefined) {
    throw new WorkbenchError({ code: 'trace-not-found', kind: 'failed', message: without });
  }
  const names = Object.fromEntries(network.accounts.map(({ name, address }) => [name, address]));
  return waitForTrace(createAccess({ network }), hash, { names });
}
