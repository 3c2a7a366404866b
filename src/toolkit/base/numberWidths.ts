/**
 * The widths of the fields that numbers from outside end up in (block.tlb, the wallets, TCP, Node's timers): the one place that
 * every entry asks, before anything is asked or sent. A number that has the right form but does not fit is told so in words.
 */
export const numberWidths = {
  /** Unix seconds, in 32 bits. */
  seconds: 2 ** 32 - 1,
  /** Masterchain seqno, in 32 bits. */
  seqno: 2 ** 32 - 1,
  port: 65_535,
  /** Nanocoins and jetton units: VarUInteger 16. */
  coins: 2n ** 120n - 1n,
  /** Amounts of extra currencies: VarUInteger 32. */
  extraCurrency: 2n ** 248n - 1n,
  extraCurrencyId: 2 ** 32 - 1,
  /** A longer wait ends at once in Node. */
  timerMs: 2 ** 31 - 1,
} as const;

/** Whether an amount fits a field of coins. */
export function fitsCoins(amount: bigint): boolean {
  return amount >= 0n && amount <= numberWidths.coins;
}

/** What is wrong with a point in time, as the end of a sentence; undefined for Unix seconds that fit. */
export function secondsProblem(value: number): string | undefined {
  if (Number.isInteger(value) && value >= 0 && value <= numberWidths.seconds) {
    return undefined;
  }
  const inSeconds = Math.floor(value / 1000);
  return inSeconds > 1e9 && inSeconds <= numberWidths.seconds
    ? `is in milliseconds: Unix seconds would be ${inSeconds}`
    : `does not fit in 32 bits: give Unix seconds, up to ${numberWidths.seconds}`;
}

/** A minimal event emitter. */
export class Listeners<T> {
  readonly #all = new Set<(value: T) => void>();

  /** Returns a function that removes the listener. */
  add(listener: (value: T) => void): () => void {
    this.#all.add(listener);
    return () => this.#all.delete(listener);
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  tell(value: T): void {
    this.#all.forEach((listener) => listener(value));
  }
}
