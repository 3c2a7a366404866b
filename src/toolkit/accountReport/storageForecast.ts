import type { StorageUsed } from '@ton/core';
import { numberWidths } from '../base/numberWidths';
import { chargeStorage, feeAtRate, isSpecial, owedAt, storageRate } from './storageFees';
import type { StorageRules } from './storageRules';
import type { StorageState } from './storageState';

/** What an account's storage costs, and how long it lasts. Times are Unix seconds, amounts nanocoins. */
export interface StorageForecast {
  /** The moment that it is about. */
  time: number;
  status: StorageState['status'];
  balance: bigint;
  used: StorageUsed;
  /** Until when storage was charged; undefined if its next transaction begins to count. */
  lastPaid: number | undefined;
  /** What a transaction now would charge: the debt, and the fees since the last one. */
  owed: bigint;
  /** Of it, the debt that its last transaction left. */
  debt: bigint;
  /** For 365 days at the prices of that moment. */
  yearly: bigint;
  /** It is one of the masterchain's special accounts, which pay nothing. */
  isSpecial: boolean;
  /**
   * The first second, maybe past, at which it owes more than its balance; undefined if it never does within the 32
   * bits of block times.
   */
  uncoveredFrom: number | undefined;
  /**
   * The first second at which a transaction that brings no coins freezes it; undefined if it is not active, or none
   * does within the 32 bits of block times.
   */
  freezesFrom: number | undefined;
  /**
   * The first second at which a transaction that brings no coins deletes it; of an active account, if one freezes it
   * at `freezesFrom`. Undefined if none does.
   */
  deletesFrom: number | undefined;
  /** Of an active account that is frozen later: the earliest moment of its deletion. */
  deletesEarliest: number | undefined;
  freezeDueLimit: bigint;
  deleteDueLimit: bigint;
  /** Why the figures may be inexact, one sentence each. */
  doubts: readonly string[];
}

/** Seconds. */
const storageYear = 365 * 86_400;

/** Block times have 32 bits. */
export const lastBlockTime = numberWidths.seconds;

/**
 * Forecasts storage fees from the account's state and the network's rules, as exact as they are: validators compute the
 * same, to the nanocoin and the second.
 *
 * @param time Unix seconds; the moment of the last payment if that is later
 */
export function forecastStorage(
  rules: StorageRules,
  state: StorageState,
  time: number,
  doubts: readonly string[] = [],
): StorageForecast {
  const now = Math.max(time, state.lastPaid);
  const special = isSpecial(rules, state);
  const { status, balance, used, lastPaid, due } = state;
  const freezesFrom =
    status === 'active'
      ? firstTime(now, (at) => chargeStorage(rules, state, at).status !== 'active')
      : undefined;
  return {
    ...{ time: now, status, balance, used, debt: due, isSpecial: special },
    lastPaid: lastPaid === 0 ? undefined : lastPaid,
    owed: owedAt(rules, state, now),
    yearly: special ? 0n : feeAtRate(storageRate(rules, used, now), storageYear),
    uncoveredFrom: firstTime(lastPaid, (at) => owedAt(rules, state, at) > balance),
    freezesFrom,
    ...deletion(rules, state, now, freezesFrom),
    freezeDueLimit: rules.freezeDueLimit,
    deleteDueLimit: rules.deleteDueLimit,
    doubts,
  };
}

function deletion(
  rules: StorageRules,
  state: StorageState,
  now: number,
  freezesFrom: number | undefined,
): Pick<StorageForecast, 'deletesFrom' | 'deletesEarliest'> {
  const isDeleted = (one: StorageState) => (at: number) =>
    chargeStorage(rules, one, at).status === 'nonexist';
  if (state.status !== 'active') {
    return { deletesFrom: firstTime(now, isDeleted(state)), deletesEarliest: undefined };
  }
  const frozen = freezesFrom === undefined ? undefined : frozenAt(rules, state, freezesFrom);
  if (frozen === undefined || freezesFrom === undefined) {
    return { deletesFrom: undefined, deletesEarliest: undefined };
  }
  const deletesFrom = firstTime(freezesFrom, isDeleted(frozen));
  // Code and data cost more than a hash: frozen later, it owes the limit sooner.
  const owesAll = firstTime(freezesFrom, (at) => chargeStorage(rules, state, at).due > rules.deleteDueLimit);
  const isSooner =
    !state.hasExtraCurrencies &&
    owesAll !== undefined &&
    (deletesFrom === undefined || owesAll < deletesFrom);
  return { deletesFrom, deletesEarliest: isSooner ? owesAll : undefined };
}

/** The account after a transaction that freezes it. */
function frozenAt(rules: StorageRules, state: StorageState, time: number): StorageState | undefined {
  const { whenFrozen } = state;
  if (whenFrozen === undefined) {
    return undefined;
  }
  const { due } = chargeStorage(rules, state, time);
  return { ...state, ...whenFrozen, balance: 0n, due, lastPaid: time, whenFrozen: undefined };
}

/** The first second from `from` at which something holds, if it holds ever after; undefined if it never does. */
function firstTime(from: number, holds: (time: number) => boolean): number | undefined {
  if (!holds(lastBlockTime)) {
    return undefined;
  }
  let before = from - 1;
  let after = lastBlockTime;
  while (after - before > 1) {
    const middle = before + Math.floor((after - before) / 2);
    if (holds(middle)) {
      after = middle;
    } else {
      before = middle;
    }
  }
  return after;
}
