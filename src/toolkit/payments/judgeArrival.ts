import { Cell } from '@ton/core';
import type { V3Transaction } from '../api/v3Objects';
import { opcodeOf } from '../contracts/opcodes/opcodes';
import type { MockPayment } from './mockPayment';
import type { PaymentStore } from './paymentStore';

/** A transaction that belongs to a payment. Hashes are lowercase hex. */
export interface Arrival {
  payment: MockPayment;
  /** Whether the coins or jettons have stayed with the recipient. */
  arrived: boolean;
  /** Base units; null if they never left the sender's jetton wallet. */
  units: bigint | null;
  /** Raw address of who paid; undefined if unknown. */
  sender: string | undefined;
  txHash: string;
  traceId: string;
  /** ISO 8601. */
  at: string;
  /** Why it failed: exit code or result code. */
  code: number | undefined;
}

/** The payment that a transaction is about, if any: by its incoming message alone. */
export function judgeArrival(transaction: V3Transaction, store: PaymentStore): Arrival | undefined {
  const { account, in_msg: message } = transaction;
  if (account == null || message == null || message.bounced === true) {
    return undefined;
  }
  return (
    (store.isJettonWallet(account) ? jettonArrival(transaction, account, store) : undefined) ??
    bodyArrival(transaction, account, store)
  );
}

/** Coins that reached the recipient, or a jetton transfer that the sender's own jetton wallet refused. */
function bodyArrival(transaction: V3Transaction, account: string, store: PaymentStore): Arrival | undefined {
  const { in_msg: message } = transaction;
  const hash = message?.message_content?.hash;
  const payment = hash == null ? undefined : store.byBody(Buffer.from(hash, 'hex').toString('base64'));
  // An external message has no source: nobody has paid with it.
  if (payment === undefined || message?.source == null) {
    return undefined;
  }
  if (payment.jetton !== undefined) {
    const refused = account === payment.jetton.senderWallet && transaction.description?.aborted === true;
    return refused
      ? { ...factsOf(transaction), payment, arrived: false, units: null, sender: message.source }
      : undefined;
  }
  if (account !== payment.recipient) {
    return undefined;
  }
  // A transaction that is aborted without a bounce keeps the coins: to a wallet that is not deployed yet.
  const arrived = transaction.description?.bounce == null;
  return { ...factsOf(transaction), payment, arrived, units: message.value ?? null, sender: message.source };
}

function jettonArrival(
  transaction: V3Transaction,
  account: string,
  store: PaymentStore,
): Arrival | undefined {
  const found = readJettonArrival(transaction.in_msg?.message_content?.body ?? '');
  const payment = found && store.byArrival(account, found.forwardHash);
  const arrived = transaction.description?.aborted !== true;
  // What a jetton wallet takes is genuine; anybody can send it something to refuse.
  const isGenuine = arrived || transaction.in_msg?.source === payment?.jetton?.senderWallet;
  return payment && isGenuine
    ? { ...factsOf(transaction), payment, arrived, units: found.units, sender: found.from }
    : undefined;
}

function factsOf({
  hash,
  trace_id: traceId,
  now,
  description,
}: V3Transaction): Pick<Arrival, 'txHash' | 'traceId' | 'at' | 'code'> {
  const exit = description?.compute_ph?.exit_code;
  const result = description?.action?.result_code;
  const code = exit != null && exit > 1 ? exit : (result ?? exit ?? undefined);
  return {
    txHash: hash ?? '',
    traceId: traceId ?? hash ?? '',
    at: new Date((now ?? 0) * 1000).toISOString(),
    code,
  };
}

/** What reached a jetton wallet. */
interface JettonArrival {
  /** Base units. */
  units: bigint;
  /** Raw address of the owner who sent it; undefined for a mint without one. */
  from: string | undefined;
  /** Hash of the forward payload: 64 lowercase hex digits. */
  forwardHash: string;
}

const internalTransfer = opcodeOf('jetton_internal_transfer');

/** The internal transfer (TEP-74) in a body; undefined if it is something else. */
function readJettonArrival(body: string): JettonArrival | undefined {
  try {
    const slice = Cell.fromBase64(body).beginParse();
    if (slice.loadUint(32) !== internalTransfer) {
      return undefined;
    }
    slice.skip(64);
    const units = slice.loadCoins();
    const from = slice.loadMaybeAddress()?.toRawString();
    slice.loadMaybeAddress();
    slice.loadCoins();
    const payload = slice.loadBit() ? slice.loadRef() : slice.asCell();
    return { units, from, forwardHash: payload.hash().toString('hex') };
  } catch {
    return undefined;
  }
}
