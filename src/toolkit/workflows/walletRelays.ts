import { Address, Cell, beginCell, loadMessageRelaxed } from '@ton/core';
import type { Access } from '../access/createAccess';
import { loadFolded } from '../cell/loadFolded';
import { sendAsContract } from './followMessage';
import { WorkbenchError } from '../base/errors';
import { exitWords } from '../contracts/exitCodes';
import type { Decoded } from '../getMethods/getMethodResult';
import { isSuccess } from '../getMethods/getMethodResult';
import { runGetMethod } from '../getMethods/runGetMethod';
import { callControl } from '../localnet/callControl';
import type { LocalAccount } from '../accounts/localAccount';
import type { InternalMessage } from '../send/sendableMessage';
import { internalMessage } from '../send/sendableMessage';
import { isSuccessCode } from '../contracts/standardExitCode';
import type { Clock } from '../base/time';
import { systemClock } from '../base/time';
import type { ItemFacts, ItemQuestion, RelayOrder, RelayOutcome } from '../tonConnect/walletNetwork';

/** Nanocoins that a relayer attaches for the gas of the wallet. */
const relayedValue = 100_000_000n;

/** Milliseconds for all questions about the items of a request. */
const lookUpPatience = 10_000;

/** Questions about items at once. */
const lookUpsAtOnce = 8;

/** The message with which another account of the network submits a signed one. It is not charged: the network forges it. */
export function relayedMessage(
  wallet: string,
  message: string,
  accounts: readonly LocalAccount[],
): InternalMessage {
  const { body, init } = loadFolded(Cell.fromBase64(message), loadMessageRelaxed);
  const relayer = accounts.find(({ address }) => address !== wallet)?.address ?? wallet;
  return internalMessage({
    ...{ source: Address.parseRaw(relayer), destination: Address.parseRaw(wallet) },
    ...{ value: relayedValue, bounce: true, body, init: init ?? undefined },
  });
}

interface RelayPlace {
  access: Access;
  /** Base URL of the network's control API. */
  control: string;
  accounts: readonly LocalAccount[];
  clock?: Clock;
}

/** Submits a signed message of a wallet, and reads what became of it. Each is one message; the wallet takes a seqno once. */
export async function relayMessage(
  { access, control, accounts, clock = systemClock }: RelayPlace,
  { wallet, message, times, after }: RelayOrder,
  signal: AbortSignal,
): Promise<RelayOutcome[]> {
  const sent = relayedMessage(wallet, message, accounts);
  if (after !== undefined) {
    const { ahead } = await callControl(control, 'signingState', { address: wallet }, signal);
    const missing = after - Math.floor(clock.now() / 1000) - ahead;
    if (missing > 0) {
      await callControl(control, 'time', { seconds: missing }, signal);
    }
  }
  const outcomes: RelayOutcome[] = [];
  for (let time = 0; time < times; time += 1) {
    const { trace } = await sendAsContract(control, sent, signal);
    outcomes.push(
      trace === undefined
        ? { words: 'submitted, and waits for a block' }
        : await outcomeOf(access, trace, signal),
    );
  }
  return outcomes;
}

async function outcomeOf(access: Access, trace: string, signal: AbortSignal): Promise<RelayOutcome> {
  const { transactions } = await access.v3.transactions(
    { hash: [trace], limit: 1 },
    { signal, priority: 'user' },
  );
  const compute = transactions?.[0]?.description?.compute_ph;
  const code = compute?.exit_code ?? undefined;
  if (code === undefined) {
    return { trace, words: 'submitted' };
  }
  return isSuccessCode(code)
    ? { trace, accepted: true, words: 'the wallet accepted it' }
    : {
        ...{ trace, accepted: false },
        words: `the wallet refused it with exit code ${code} (${exitWords(code, 'compute', { standards: ['wallet v5 r1'] })})`,
      };
}

/** Answers each question about an item by get-methods of its contracts, in order, and in bounded time. */
export async function answerItemQuestions(
  access: Access,
  questions: readonly ItemQuestion[],
  signal: AbortSignal = new AbortController().signal,
): Promise<ItemFacts[]> {
  const limit = AbortSignal.timeout(lookUpPatience);
  const ends = AbortSignal.any([signal, limit]);
  const facts: ItemFacts[] = [];
  const left = [...questions.entries()];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [at, question] = next;
      facts[at] = await lookUp(access, question, ends).catch((error: unknown) => {
        if (signal.aborted) {
          throw error;
        }
        const why = limit.aborted
          ? `did not answer within ${lookUpPatience / 1000} s`
          : `cannot be asked: ${WorkbenchError.is(error) ? error.message : String(error)}`;
        return { type: 'problem', words: `${subject(question)} ${why}` };
      });
    }
  };
  await Promise.all(Array.from({ length: lookUpsAtOnce }, work));
  return facts;
}

function subject(question: ItemQuestion): string {
  return question.type === 'jetton' ? `the jetton ${question.master}` : `the NFT ${question.address}`;
}

async function lookUp(access: Access, question: ItemQuestion, signal: AbortSignal): Promise<ItemFacts> {
  const problem = (words: string): ItemFacts => ({ type: 'problem', words });
  if (question.type === 'nft') {
    const data = await run(access, question.address, 'get_nft_data', undefined, signal);
    const owner = addressIn(data.values[3]);
    return owner === undefined
      ? problem(`${subject(question)} ${data.failed ?? 'names no owner in get_nft_data'}`)
      : { type: 'nft', owner };
  }
  const { master, owner } = question;
  const found = await run(access, master, 'get_wallet_address', owner, signal);
  const wallet = addressIn(found.values[0]);
  if (wallet === undefined) {
    return problem(`${subject(question)} ${found.failed ?? 'gives no address in get_wallet_address'}`);
  }
  const data = await run(access, wallet, 'get_wallet_data', undefined, signal);
  const [balance] = data.values;
  if (data.failed !== undefined) {
    const what = `the account's wallet of the jetton ${master}, ${wallet}, ${data.failed}`;
    return problem(`${what}: the account likely has none of it`);
  }
  if (addressIn(data.values[1]) !== owner || addressIn(data.values[2]) !== master) {
    return problem(
      `${wallet}, which ${subject(question)} names, is not the wallet of this account and jetton`,
    );
  }
  return balance?.kind === 'number' && balance.value >= 0n
    ? { type: 'jetton', wallet, balance: balance.value.toString() }
    : problem(`${wallet} gives no balance in get_wallet_data`);
}

function addressIn(decoded: Decoded | undefined): string | undefined {
  return decoded?.kind === 'address' && decoded.address !== null ? decoded.address : undefined;
}

/** What a get-method returns; `failed`, as the end of a sentence, if it returns nothing. */
async function run(
  access: Access,
  address: string,
  method: string,
  argument: string | undefined,
  signal: AbortSignal,
): Promise<{ values: readonly Decoded[]; failed?: string }> {
  const stack =
    argument === undefined
      ? []
      : [
          {
            type: 'slice' as const,
            cell: beginCell().storeAddress(Address.parseRaw(argument)).endCell(),
          },
        ];
  const result = await runGetMethod(access, { address, method, stack }, { signal, priority: 'user' });
  return isSuccess(result)
    ? { values: result.stack.map(({ decoded }) => decoded) }
    : {
        values: [],
        failed: `does not answer ${method} (exit code ${result.exitCode}, ${result.exitMeaning})`,
      };
}
