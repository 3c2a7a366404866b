import type { StorageUsed } from '@ton/core';
import type { StorageRules } from './storageRules';
import type { StorageState } from './storageState';

/** What a transaction's storage phase takes, and leaves. */
export interface StorageCharge {
  /** Nanocoins taken from the balance. */
  collected: bigint;
  /** Nanocoins that the balance did not cover. */
  due: bigint;
  status: StorageState['status'] | 'nonexist';
}

/**
 * What storing this costs per 2^16 seconds, in nanocoins, at the prices of a moment.
 *
 * @param time Unix seconds; 0 before the first price
 */
export function storageRate({ prices }: StorageRules, { bits, cells }: StorageUsed, time: number): bigint {
  const price = prices.findLast(({ since }) => since <= time);
  return price === undefined ? 0n : bits * price.bit + cells * price.cell;
}

/** Nanocoins for a number of seconds at one rate, rounded up. */
export function feeAtRate(rate: bigint, seconds: number): bigint {
  return roundedUp(rate * BigInt(seconds));
}

/**
 * Storage fees from the last payment until `time`, without earlier debts, in nanocoins: each price for as long as it
 * is valid, the sum rounded up once, as validators do (StoragePrices::compute_storage_fees).
 *
 * @param time Unix seconds
 */
function storageFee(rules: StorageRules, state: StorageState, time: number): bigint {
  const { used, lastPaid } = state;
  if (lastPaid === 0 || isSpecial(rules, state)) {
    return 0n;
  }
  let sum = 0n;
  for (const [index, { since }] of rules.prices.entries()) {
    const from = Math.max(since, lastPaid);
    const until = Math.min(rules.prices[index + 1]?.since ?? time, time);
    if (until > from) {
      sum += storageRate(rules, used, since) * BigInt(until - from);
    }
  }
  return roundedUp(sum);
}

/** Whether an account is one of the special ones, which pay nothing and are never frozen. */
export function isSpecial({ specialAccounts }: StorageRules, { address }: StorageState): boolean {
  return specialAccounts.has(address);
}

/** What an account owes at a moment: its debt, and the fees since the last payment, in nanocoins. */
export function owedAt(rules: StorageRules, state: StorageState, time: number): bigint {
  return storageFee(rules, state, time) + state.due;
}

/**
 * What a transaction at `time` that brings no coins charges for storage, and what becomes of the account
 * (Transaction::prepare_storage_phase and compute_state).
 *
 * @param time Unix seconds, not before the last payment
 */
export function chargeStorage(rules: StorageRules, state: StorageState, time: number): StorageCharge {
  const { balance, status, hasExtraCurrencies, whenFrozen } = state;
  const owed = owedAt(rules, state, time);
  const collected = owed < balance ? owed : balance;
  const due = owed - collected;
  const after = (): StorageCharge['status'] => {
    switch (status) {
      case 'active':
        return due > rules.freezeDueLimit && !isSpecial(rules, state) && whenFrozen !== undefined
          ? whenFrozen.status
          : 'active';
      case 'frozen':
        return due > rules.deleteDueLimit && !hasExtraCurrencies ? 'nonexist' : 'frozen';
      case 'uninit':
        // An address without code and coins is nothing.
        return collected === balance && !hasExtraCurrencies ? 'nonexist' : 'uninit';
    }
  };
  return { collected, due, status: after() };
}

/** Prices are for 2^16 seconds. */
function roundedUp(sum: bigint): bigint {
  return (sum + 0xffffn) >> 16n;
}
