import { Address, Cell } from '@ton/core';
import type { Access } from '../access/createAccess';
import { checkShape } from '../base/checkShape';
import { prepareComposed } from '../send/prepareComposed';
import { WorkbenchError } from '../base/errors';
import { callControl } from '../localnet/callControl';
import { localControlOf } from '../localnet/controlOf';
import type { LocalAccount } from '../accounts/localAccount';
import { sendOnce } from '../send/sendOnce';
import type { Clock } from '../base/time';
import { fromBaseUnits } from '../webhook/values/amount';
import { jettonTransfer } from './paymentBody';
import type { MockPayment, PayScenario } from './mockPayment';
import { paymentLocalOnlyError, paymentUnknownError } from './paymentErrors';
import { payScenarios } from './mockPayment';
import type { PaymentStore } from './paymentStore';
import { whileThrowing } from './throwingAccount';
import * as z from 'zod';

/** What to make happen. */
export interface PayOptions {
  /** Default `paid`. */
  scenario?: PayScenario | undefined;
  /** Name of the wallet that pays; default: the one with the payment's sender address, else alice. */
  from?: string | undefined;
  /** With `late`: milliseconds after the settlement; default 30,000. */
  lateMs?: number | undefined;
}

export interface PaySurroundings {
  access: Access;
  store: PaymentStore;
  clock: Clock;
  signal: AbortSignal;
}

const requestSchema = z.strictObject({
  reference: z.string().max(100),
  scenario: z.enum(payScenarios).optional(),
  from: z.string().max(100).optional(),
  lateMs: z.number().min(0).max(86_400_000).optional(),
});

const usualLateMs = 30_000;
/** Milliseconds until a message that was sent must have had its effect. */
const patienceMs = 30_000;

/**
 * The body of a request to pay.
 * @throws WorkbenchError `bad-request` (input)
 */
export function readPayRequest(text: string): PayOptions & { reference: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const { data, problem } = checkShape(requestSchema, json);
  if (problem !== undefined) {
    throw new WorkbenchError({
      code: 'bad-request',
      kind: 'input',
      message:
        json === undefined ? 'The body is not JSON.' : `${problem.path || 'The body'} ${problem.words}.`,
      hint: `Give {"reference", "scenario"?: ${payScenarios.join(' | ')}, "from"?, "lateMs"?}.`,
    });
  }
  return data;
}

/**
 * Pays a payment, or fails to, with a wallet of the local network, and resolves once the chain has said so.
 *
 * @throws WorkbenchError `payment-local-only`, `payment-unknown`, `account-unknown`, `wallet-not-usable`,
 *   `payment-unaffordable`, `payment-refused` (input), `message-rejected`, `timeout`, and the access layer's errors
 */
export async function payPayment(
  reference: string,
  { scenario = 'paid', from, lateMs = usualLateMs }: PayOptions,
  surroundings: PaySurroundings,
): Promise<MockPayment> {
  const { access, store } = surroundings;
  const control = localControlOf(access.network);
  if (control === undefined) {
    throw paymentLocalOnlyError(access.network.name);
  }
  const payment = store.byReference(reference);
  if (payment === undefined) {
    throw paymentUnknownError(reference);
  }
  const wallets = await callControl(control, 'accounts', {}, surroundings.signal);
  const payer = payerOf(payment, wallets, from);
  await requireCoins(payment, payer, surroundings);
  if (scenario === 'late' || scenario === 'never') {
    await store.change(payment, {
      delivery: scenario === 'never' ? { kind: 'never' } : { kind: 'late', ms: lateMs },
    });
  }
  const pay = (units: bigint): Promise<void> => payOnce(payment, units, payer, wallets, surroundings);
  const units = BigInt(payment.rawAmount);
  switch (scenario) {
    case 'too-little':
      if (units === 1n) {
        throw noLessError(reference);
      }
      await pay(units - 1n);
      break;
    case 'twice':
      await pay(units);
      await pay(units);
      break;
    case 'bounced':
      await whileThrowing(payment.jetton?.senderWallet ?? payment.recipient, surroundings, () => pay(units));
      break;
    default:
      await pay(units);
  }
  return payment;
}

/** A message that the wallet cannot pay for would be sent, and never arrive. */
async function requireCoins(
  { message, reference }: MockPayment,
  { name, address }: LocalAccount,
  { access, signal }: PaySurroundings,
): Promise<void> {
  const { accounts } = await access.v3.accountStates({ address: [address] }, { signal });
  const balance = accounts?.[0]?.balance;
  if (balance != null && BigInt(balance) < BigInt(message.amount)) {
    throw new WorkbenchError({
      code: 'payment-unaffordable',
      kind: 'input',
      message: `${name} has ${fromBaseUnits(BigInt(balance), 9)} TON, and payment ${reference} takes ${fromBaseUnits(BigInt(message.amount), 9)} TON. Nothing was sent.`,
      hint: 'Pay from another wallet, or get coins from the faucet.',
    });
  }
}

/** Sends one message of a payment, and waits until the payment shows its effect. */
async function payOnce(
  payment: MockPayment,
  units: bigint,
  payer: LocalAccount,
  wallets: readonly LocalAccount[],
  { access, store, clock, signal }: PaySurroundings,
): Promise<void> {
  const { jetton, message, recipient } = payment;
  const given = Cell.fromBase64(message.payload);
  const isExact = units.toString() === payment.rawAmount;
  const composed = {
    sender: { kind: 'wallet', name: payer.name },
    to: Address.parseRaw(jetton === undefined ? recipient : jetton.senderWallet),
    value: jetton === undefined ? units : BigInt(message.amount),
    bounce: true,
    body: jetton === undefined || isExact ? given : withAmount(given, units, payer.address, recipient),
    init: undefined,
  } as const;
  const prepared = await prepareComposed(access, composed, wallets, signal);
  if (!('hashNorm' in prepared)) {
    throw new Error('a wallet sends external messages');
  }
  const effect = nextEffect(payment, store, clock, signal);
  try {
    const outcome = await sendOnce(access, prepared, { signal, clock });
    if (outcome.state !== 'sent') {
      throw outcome.error;
    }
    await effect.seen;
  } finally {
    effect.stop();
  }
}

/** The same transfer with another amount: its forward payload still names the payment. */
function withAmount(transfer: Cell, units: bigint, sender: string, recipient: string): Cell {
  const queryId = transfer.beginParse().skip(32).loadUintBig(64);
  return jettonTransfer({ queryId, units, sender, recipient, forward: transfer.refs[0] as Cell });
}

function nextEffect(
  payment: MockPayment,
  store: PaymentStore,
  clock: Clock,
  signal: AbortSignal,
): { seen: Promise<void>; stop: () => void } {
  let stop = (): void => undefined;
  // A payment that was undone and is paid again within the second is settled by the very same transaction: restored.
  const effects = ['settled', 'failed', 'wrong-amount', 'paid-again', 'bounced', 'restored'];
  const seen = new Promise<void>((resolve, reject) => {
    const off = store.changes.add(({ change, payment: changed }) => {
      if (changed === payment && effects.includes(change)) {
        resolve();
      }
    });
    const cancel = clock.after(patienceMs, () => reject(notSettledError(payment.reference)));
    const onAbort = (): void => reject(notSettledError(payment.reference));
    signal.addEventListener('abort', onAbort, { once: true });
    stop = () => {
      off();
      cancel();
      signal.removeEventListener('abort', onAbort);
    };
  });
  seen.catch(() => undefined);
  return { seen, stop: () => stop() };
}

function payerOf(
  payment: MockPayment,
  wallets: readonly LocalAccount[],
  from: string | undefined,
): LocalAccount {
  const sender = Address.parse(payment.senderAddr).toRawString();
  const payer =
    from === undefined
      ? (wallets.find(({ address }) => address === sender) ?? wallets[0])
      : wallets.find(({ name }) => name === from);
  if (payer === undefined) {
    throw new WorkbenchError({
      code: 'account-unknown',
      kind: 'input',
      message: `The local network has no wallet ${JSON.stringify(from ?? '')}.`,
      hint: `Its wallets: ${wallets.map(({ name }) => name).join(', ')}.`,
    });
  }
  return payer;
}

function noLessError(reference: string): WorkbenchError {
  return new WorkbenchError({
    code: 'payment-refused',
    kind: 'input',
    message: `Payment ${reference} is of one base unit: nothing is less than that.`,
    hint: 'Create a payment of more.',
  });
}

function notSettledError(reference: string): WorkbenchError {
  return new WorkbenchError({
    code: 'timeout',
    kind: 'failed',
    message: `The message for payment ${reference} was sent, but it has not arrived yet.`,
    hint: 'If the network makes blocks only by hand, make one.',
    details: { reference },
  });
}
