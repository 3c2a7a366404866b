import { Address, beginCell, Cell } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadFolded';
import { fitsCoins } from '../../base/numberWidths';
import { methodIdOf } from '../../contracts/abi/methodIdOf';
import type { ExitPhase } from '../../contracts/exitCodes';
import { exitWords } from '../../contracts/exitCodes';
import type { ExecutedTransaction } from '../../execution/encodeRun';
import { decimalPattern, integerPattern, toBaseUnits } from '../../webhook/values/amount';
import { ApiError } from '../api/apiError';
import { BlockBuilder } from '../chain/blockBuilder';
import type { GetMethodChain } from '../chain/executeGetMethod';
import { executeGetMethod } from '../chain/executeGetMethod';
import type { LocalChain } from '../chain/localChain';
import { previewLedger } from '../chain/previewLedger';
import { readToken } from '../tokens/readToken';
import type { FoundJetton } from './findJetton';
import { jettonAmountWords, jettonName } from './giftWords';
import type { MintForm, MintOrder } from './mintForms';
import { mintForms } from './mintForms';
import type { ForgedMessage } from './sendAs';
import { forgeMessage, sendAs } from './sendAs';

/** Nanocoins for the minter, and how many of them go on to the wallet. What is left returns to the admin. */
const minterCoins = 1_000_000_000n;
const walletCoins = 400_000_000n;
/** Maximum transactions of a rehearsal. */
const mostTransactions = 1_000;

const walletMethod = methodIdOf('get_wallet_address');
const balanceMethod = methodIdOf('get_wallet_data');

/** Jettons that were minted, in their smallest unit. */
export interface MintedJetton {
  /** The message's hash, lowercase hex. */
  message: string;
  /** The owner's jetton wallet, raw. */
  wallet: string;
  /** The mint message that the minter takes. */
  form: string;
  /** What the wallet's balance rose by, and what it is now; null in manual mode, until a block is made. */
  rose: bigint | null;
  balance: bigint | null;
}

/**
 * An amount as typed, in the jetton's smallest unit.
 * @param isUnits the text is in the smallest unit already
 * @throws ApiError 422 if it is none, or the jetton's decimals are unknown
 */
export function readJettonAmount(text: string, isUnits: boolean, jetton: FoundJetton): bigint {
  const { decimals } = jetton;
  if (!(isUnits ? integerPattern : decimalPattern).test(text)) {
    throw new ApiError(
      422,
      `amount is not ${isUnits ? 'a whole number of units' : 'a number such as 100 or 0.5'}`,
    );
  }
  if (!isUnits && decimals === null) {
    throw new ApiError(
      422,
      `the decimals of ${jettonName(jetton)} are unknown, because they are not on the chain: give the amount in its smallest unit, with units (--units)`,
    );
  }
  const amount = isUnits ? BigInt(text) : toBaseUnits(text, decimals ?? 0);
  if (amount === undefined) {
    throw new ApiError(422, `amount has more than the ${decimals} decimals of ${jettonName(jetton)}`);
  }
  if (amount === 0n || !fitsCoins(amount)) {
    throw new ApiError(
      422,
      amount === 0n ? 'amount is 0' : 'amount does not fit in 120 bits, as amounts of jettons must',
    );
  }
  return amount;
}

/**
 * Mints jettons to anyone, in the name of the minter's admin. Each known mint message is first run on a copy of the
 * network; the first with which the wallet gets exactly the amount is sent. If none is, nothing happens.
 * @param owner raw
 * @param amount in the jetton's smallest unit
 * @throws ApiError 422 with the reason
 */
export async function giveJetton(
  chain: LocalChain,
  jetton: FoundJetton,
  owner: string,
  amount: bigint,
): Promise<MintedJetton> {
  const { jetton: master, admin } = jetton;
  if (admin === null) {
    throw new ApiError(
      422,
      `${jettonName(jetton)} has no admin (get_jetton_data), so nobody can mint it: send some from a holder, in its name`,
    );
  }
  const wallet = await walletOf(chain, jetton, owner);
  const before = await balanceOf(chain, wallet);
  const order = { amount, owner, admin, walletCoins };
  const tried: Rehearsal[] = [];
  for (const form of mintForms) {
    const message = messageOf(master, form, order);
    const rehearsal = await rehearse(chain, { form, message, wallet, before });
    if (rehearsal.rose === amount) {
      const hash = await sendAs(chain, message);
      const isDone = chain.ledger.messages(hash)[0]?.consumer != null;
      const balance = isDone ? await balanceOf(chain, wallet) : null;
      return {
        message: hash,
        wallet,
        form: form.name,
        rose: balance === null ? null : balance - before,
        balance,
      };
    }
    tried.push(rehearsal);
  }
  throw new ApiError(422, refusal(jetton, amount, tried));
}

function messageOf(to: string, form: MintForm, order: MintOrder): ForgedMessage {
  return { from: order.admin, to, value: minterCoins, body: form.body(order), bounce: true };
}

/** What a mint message would do. */
interface Rehearsal {
  form: MintForm;
  /** By how much the wallet's balance would rise. */
  rose: bigint;
  /** Why it would not, in words that can follow the form's. */
  why: string;
}

async function rehearse(
  chain: LocalChain,
  {
    form,
    message,
    wallet,
    before,
  }: { form: MintForm; message: ForgedMessage; wallet: string; before: bigint },
): Promise<Rehearsal> {
  const context = chain.newContext();
  const builder = new BlockBuilder(chain, context);
  await builder.run([forgeMessage(chain, message)], mostTransactions);
  const [postponed] = builder.postponed;
  if (postponed !== undefined) {
    throw new ApiError(502, `an account that minting needs cannot be read: ${postponed.error}`);
  }
  const { executed } = builder;
  const rose = executed.some(({ address }) => address === wallet)
    ? (await balanceOf(copyOf(chain, previewLedger(context, [], executed), context.now), wallet)) - before
    : 0n;
  return { form, rose, why: builder.failed[0]?.error ?? whyNot(message.to, executed) };
}

/** The chain's get-methods on the state after a rehearsal. */
function copyOf(chain: LocalChain, ledger: GetMethodChain['ledger'], now: number): GetMethodChain {
  const { config, emulator, fork } = chain;
  return {
    ...{ config, emulator, fork, ledger },
    get libraries() {
      return chain.libraries;
    },
    now: () => now,
    // The rehearsal has read what it touches.
    load: () => Promise.resolve(),
  };
}

/** The first failure among the transactions. */
function whyNot(minter: string, executed: readonly ExecutedTransaction[]): string {
  for (const { address, boc } of executed) {
    const failure = failureOf(boc);
    if (failure !== undefined) {
      return address === minter ? failure : `${address}: ${failure}`;
    }
  }
  return 'no effect';
}

function failureOf(boc: Buffer): string | undefined {
  const { description } = loadAnyTransaction(Cell.fromBoc(boc)[0] as Cell);
  if (description.type !== 'generic' || !description.aborted) {
    return undefined;
  }
  const { computePhase, actionPhase } = description;
  if (computePhase.type === 'skipped') {
    return `no code ran (${computePhase.reason})`;
  }
  const [code, phase]: [number, ExitPhase] = computePhase.success
    ? [actionPhase?.resultCode ?? 0, 'action']
    : [computePhase.exitCode, 'compute'];
  return `exit code ${code} (${exitWords(code, phase)})`;
}

function refusal(jetton: FoundJetton, amount: bigint, tried: readonly Rehearsal[]): string {
  const { admin, mintable } = jetton;
  const taken = tried.find(({ rose }) => rose > 0n);
  if (taken !== undefined) {
    const [got, asked] = [jettonAmountWords(taken.rose, jetton), jettonAmountWords(amount, jetton)];
    return `the code of ${jettonName(jetton)} gives ${got} where ${asked} are minted (${taken.form.name}), so nothing was sent`;
  }
  const answers = new Map<string, string[]>();
  for (const { form, why } of tried) {
    answers.set(why, [...(answers.get(why) ?? []), form.name]);
  }
  // Most do not know the opcode, and say so in one way: that way is told last, without the forms.
  const groups = [...answers].sort(([, one], [, other]) => one.length - other.length);
  const [usual] = groups.pop() ?? [''];
  const list = [
    ...groups.map(([why, forms]) => `${forms.join('; ')}: ${why}`),
    `${groups.length === 0 ? 'Each' : 'The others'}: ${usual}`,
  ].join('. ');
  const closed = mintable ? '' : ', and says that it is not mintable';
  return `the minter of ${jettonName(jetton)} mints with none of the known messages${closed}, so nothing was sent. ${list}. If its source has another mint message, send that as ${admin}`;
}

/** The owner's jetton wallet, as the master computes it. */
async function walletOf(chain: LocalChain, jetton: FoundJetton, owner: string): Promise<string> {
  const cell = beginCell().storeAddress(Address.parseRaw(owner)).endCell();
  const { exitCode, stack } = await executeGetMethod(chain, jetton.jetton, walletMethod, [
    { type: 'slice', cell },
  ]);
  const [item] = stack;
  const address =
    exitCode === 0 && (item?.type === 'slice' || item?.type === 'cell')
      ? item.cell.beginParse().loadMaybeAddress()
      : null;
  if (address === null) {
    throw new ApiError(
      422,
      `${jettonName(jetton)} does not tell the wallets of owners (get_wallet_address, exit code ${exitCode})`,
    );
  }
  return address.toRawString();
}

/** 0 for a wallet that does not exist yet. */
async function balanceOf(chain: GetMethodChain, wallet: string): Promise<bigint> {
  const { exitCode, stack } = await executeGetMethod(chain, wallet, balanceMethod, []);
  const token = exitCode === 0 ? readToken('jetton-wallet', stack) : null;
  return token?.kind === 'jetton-wallet' ? token.balance : 0n;
}
