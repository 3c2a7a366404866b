/** An amount that passed from one party to another, parties by index. */
export interface Payment {
  from: number;
  to: number;
  /** Above zero. */
  amount: bigint;
}

/** Steps of the search for cycles; what 10,000 payments between a few hundred parties need many times over. */
const mostSteps = 1_000_000;

/**
 * Who paid whom in the end: payments between the same two parties are one, and the smallest amount along each round
 * trip is subtracted until there is none. What each party gained or lost is unchanged. If the search takes too long,
 * those who lost pay those who gained, in order.
 */
export function cancelCycles(payments: readonly Payment[], most = mostSteps): Payment[] {
  const net = pairwise(payments);
  const edges: Payment[][] = [];
  for (const payment of net) {
    (edges[payment.from] ??= []).push(payment);
  }
  return new Search(edges, most).run() ? net.filter(({ amount }) => amount > 0n) : settled(payments);
}

/** One payment at most between two parties, in the order in which the pairs first appear. */
function pairwise(payments: readonly Payment[]): Payment[] {
  const pairs = new Map<string, Payment>();
  for (const { from, to, amount } of payments) {
    if (from === to || amount === 0n) {
      continue;
    }
    const key = from < to ? `${from} ${to}` : `${to} ${from}`;
    const pair = pairs.get(key);
    if (pair === undefined) {
      pairs.set(key, { from, to, amount });
    } else {
      pair.amount += pair.from === from ? amount : -amount;
    }
  }
  return [...pairs.values()]
    .filter(({ amount }) => amount !== 0n)
    .map(({ from, to, amount }) =>
      amount > 0n ? { from, to, amount } : { from: to, to: from, amount: -amount },
    );
}

/** A depth-first search that subtracts each cycle when it closes. A party that is left behind is in no cycle. */
class Search {
  /** The payments on the way to the current party. */
  readonly #path: Payment[] = [];
  /** The length of the path before a party on it. */
  readonly #position = new Map<number, number>();
  readonly #done = new Set<number>();
  /** The next payment to look at, by party. */
  readonly #next: number[] = [];
  #steps = 0;

  constructor(
    readonly edges: readonly (readonly Payment[] | undefined)[],
    readonly most: number,
  ) {}

  /** @returns whether there was time for all of it */
  run(): boolean {
    for (const start of this.edges.keys()) {
      let party: number | undefined = start;
      this.#position.set(start, 0);
      while (party !== undefined) {
        party = this.#step(party);
        if (++this.#steps > this.most) {
          return false;
        }
      }
    }
    return true;
  }

  /** @returns the party to go on with */
  #step(party: number): number | undefined {
    const at = this.#next[party] ?? 0;
    const payment = this.#done.has(party) ? undefined : this.edges[party]?.[at];
    if (payment === undefined) {
      this.#done.add(party);
      this.#position.delete(party);
      return this.#path.pop()?.from;
    }
    if (payment.amount === 0n || this.#done.has(payment.to)) {
      this.#next[party] = at + 1;
      return party;
    }
    const start = this.#position.get(payment.to);
    this.#path.push(payment);
    if (start === undefined) {
      this.#position.set(payment.to, this.#path.length);
      return payment.to;
    }
    return this.#cancel(start);
  }

  /** Subtracts the cycle that the path's end closes, and goes back to before the first payment that is now nothing. */
  #cancel(start: number): number | undefined {
    const cycle = this.#path.slice(start);
    this.#steps += cycle.length;
    let least = cycle[0]?.amount ?? 0n;
    for (const { amount } of cycle) {
      least = amount < least ? amount : least;
    }
    for (const payment of cycle) {
      payment.amount -= least;
    }
    const first = start + cycle.findIndex(({ amount }) => amount === 0n);
    const party = this.#path[first]?.from;
    // The last payment's receiver is still on the path: it is where the cycle began.
    for (const { to } of this.#path.slice(first, -1)) {
      this.#position.delete(to);
    }
    this.#path.length = first;
    return party;
  }
}

/** What each party lost, paid to those who gained, in the order of the parties. */
function settled(payments: readonly Payment[]): Payment[] {
  const changes = new Map<number, bigint>();
  for (const { from, to, amount } of payments) {
    changes.set(from, (changes.get(from) ?? 0n) - amount);
    changes.set(to, (changes.get(to) ?? 0n) + amount);
  }
  const gains = [...changes].filter(([, change]) => change > 0n);
  const result: Payment[] = [];
  let [to, wanted] = gains.shift() ?? [0, 0n];
  for (const [from, change] of changes) {
    for (let left = -change; left > 0n;) {
      const amount = left < wanted ? left : wanted;
      result.push({ from, to, amount });
      left -= amount;
      wanted -= amount;
      if (wanted === 0n) {
        [to, wanted] = gains.shift() ?? [0, left];
      }
    }
  }
  return result;
}
