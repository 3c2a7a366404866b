import type { V3Message, V3Transaction } from '../api/v3Objects';
import { formatUnits, groupDigits, isoTime, visibleText } from '../base/text';
import type { TraceModel } from './traceModel';

/** An integer with grouped digits: `1 204 331`. */
export function formatInteger(value: bigint | number | string): string {
  return groupDigits(value);
}

/** Nanocoins as coins, without a label. */
export function formatCoins(nanocoins: bigint): string {
  return formatUnits(nanocoins, 9);
}

/** {@link formatUnits} with the sign always shown, except for zero. */
export function formatChange(amount: bigint, decimals: number): string {
  return amount > 0n ? `+${formatUnits(amount, decimals)}` : formatUnits(amount, decimals);
}

/** Seconds since the epoch as `2025-08-02 18:09:43 UTC`. */
export function formatTime(seconds: number): string {
  return isoTime(seconds).replace('T', ' ').replace('.000Z', ' UTC');
}

/** `1 transaction`, `5 transactions`. */
export function counted(count: number, noun: string): string {
  return `${formatInteger(count)} ${count === 1 ? noun : `${noun}s`}`;
}

/** Fees in nanocoins by kind. `total` is their sum: everything that permanently left the trace's accounts. */
export interface Fees {
  /** Storage fees for code and data, with arrears. */
  storage: bigint;
  /** TVM gas. */
  gas: bigint;
  /** The part of forwarding fees that goes to the sender's validators, and fines for failed actions. */
  action: bigint;
  /** The part of forwarding fees that goes to the receiver's validators: travels with the message. */
  forward: bigint;
  /** Importing an external message. */
  import: bigint;
  /** The remainder not explained by the phases. */
  other: bigint;
  total: bigint;
  /** False if the answer omits some: then the amounts are lower bounds. */
  isKnown: boolean;
}

export const feeKinds = ['storage', 'gas', 'action', 'forward', 'import', 'other'] as const;

/** The fees of one transaction, including forwarding fees carried by its out-messages. */
export function feesOf(transaction: V3Transaction | undefined): Fees {
  const description = transaction?.description;
  const storage =
    (description?.storage_ph?.storage_fees_collected ?? 0n) +
    (description?.credit_ph?.due_fees_collected ?? 0n);
  const gas = description?.compute_ph?.gas_fees ?? 0n;
  const action = (description?.action?.total_action_fees ?? 0n) + (description?.bounce?.msg_fees ?? 0n);
  let forward = 0n;
  for (const message of transaction?.out_msgs ?? []) {
    forward += message?.fwd_fee ?? 0n;
  }
  const collected = transaction?.total_fees ?? storage + gas + action;
  const rest = collected - storage - gas - action;
  const external = transaction?.in_msg != null && transaction.in_msg.source == null;
  return {
    storage,
    gas,
    action,
    forward,
    import: external ? rest : 0n,
    other: external ? 0n : rest,
    total: collected + forward,
    isKnown: transaction?.total_fees != null && (transaction.out_msgs ?? []).every(hasForwardFee),
  };
}

/** Messages to the outside carry none. */
function hasForwardFee({ fwd_fee: fee, destination }: V3Message): boolean {
  return fee != null || destination == null;
}

/** Fees in coins, without a label: `0.006`, `at least 0.006`, `unknown`. */
export function feeText({ total, isKnown }: Pick<Fees, 'total' | 'isKnown'>): string {
  if (isKnown) {
    return formatCoins(total);
  }
  return total === 0n ? 'unknown' : `at least ${formatCoins(total)}`;
}

/** The fees of all transactions in the model. */
export function traceFees(model: TraceModel): Fees {
  const sum: Fees = {
    ...{ storage: 0n, gas: 0n, action: 0n, forward: 0n, import: 0n, other: 0n, total: 0n },
    isKnown: true,
  };
  for (const { transaction } of model.nodes) {
    if (transaction !== undefined) {
      const fees = feesOf(transaction);
      for (const kind of feeKinds) {
        sum[kind] += fees[kind];
      }
      sum.total += fees.total;
      sum.isKnown &&= fees.isKnown;
    }
  }
  return sum;
}

/** Maximum length of a displayed symbol; jettons choose theirs freely. */
const longest = 24;

/** A symbol as people read it: case and forms of a letter make no difference. */
export function plainSymbol(symbol: string): string {
  return symbol.normalize('NFKC').toLowerCase().trim();
}

/** A jetton's symbol as it is shown beside amounts: one that reads like the coin's is marked. */
export function jettonSymbol(symbol: string, coin: string): string {
  const shown = visibleText(symbol, longest);
  return [coin, 'TON'].some((one) => plainSymbol(one) === plainSymbol(symbol)) ? `${shown} (jetton)` : shown;
}

/** Nanocoins as coins for a narrow row: truncated after four digits, never rounded up; `<0.0001` for less. */
export function shortCoins(nanocoins: bigint): string {
  return nanocoins > 0n && nanocoins < 100_000n ? '<0.0001' : formatUnits(nanocoins / 100_000n, 4);
}
