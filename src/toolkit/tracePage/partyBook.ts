import { formatUnits } from '../text';
import type { TraceContext } from '../trace/traceContext';
import { cancelCycles } from './cancelCycles';
import type { Payment } from './cancelCycles';
import { formatChange } from '../trace/figures';
import type { AmountUnit, AssetFlows, MoneyParty } from './tracePage';

type Party = Omit<MoneyParty, 'change' | 'text'>;

/** The order in which parties are listed: payers from outside first, fees last. */
const kinds: MoneyParty['kind'][] = ['outside', 'minted', 'account', 'unknown', 'burned', 'fees'];

/** The payments of one asset while they are gathered. */
export class PartyBook {
  readonly #parties: Party[] = [];
  readonly #indexes = new Map<string, number>();
  readonly #payments: Payment[] = [];
  readonly #fees: Payment[] = [];
  /** By index of the party. */
  readonly #changes: bigint[] = [];
  #accounts: ReadonlyMap<string, number> | undefined;

  constructor(
    readonly context: TraceContext,
    readonly unit: AmountUnit,
  ) {}

  account(account: string): number {
    return this.#party(`account ${account}`, 'account', account);
  }

  /** An account before the trace. */
  outside(account: string): number {
    return this.#party(`outside ${account}`, 'outside', account);
  }

  onTheWay(): number {
    return this.other('outside', 'on the way');
  }

  /** Whoever the data does not name. */
  unknown(): number {
    return this.other('unknown', 'unknown');
  }

  other(kind: MoneyParty['kind'], name: string): number {
    const key = `${kind} ${name}`;
    return this.#indexes.get(key) ?? this.#add(key, { kind, name, account: -1 });
  }

  /** A payment; of an amount below zero, back. */
  pay(from: number, to: number, amount: bigint): void {
    this.#book(this.#payments, from, to, amount);
  }

  payFees(from: number, amount: bigint): void {
    this.#book(this.#fees, from, this.other('fees', 'fees'), amount);
  }

  /** Makes a party's change what it is known to be; the difference has an unknown other side. */
  correct(party: number, change: bigint): void {
    const difference = change - (this.#changes[party] ?? 0n);
    if (difference !== 0n) {
      this.pay(this.unknown(), party, difference);
    }
  }

  close(title: string, unknown: string[]): AssetFlows {
    const paid = [...cancelCycles(this.#payments), ...sumsOf(this.#fees)];
    const used = new Set(paid.flatMap(({ from, to }) => [from, to]));
    const order = [...used].sort((a, b) => this.#rank(a) - this.#rank(b) || a - b);
    const places = new Map(order.map((party, place) => [party, place]));
    return {
      title,
      unit: this.unit,
      parties: order.map((party) => {
        const change = this.#changes[party] ?? 0n;
        const text = `${formatChange(change, this.unit.decimals)} ${this.unit.name}`;
        return { ...(this.#parties[party] as Party), change: String(change), text };
      }),
      flows: paid.map(({ from, to, amount }) => ({
        from: places.get(from) ?? -1,
        to: places.get(to) ?? -1,
        amount: String(amount),
        text: `${formatUnits(amount, this.unit.decimals)} ${this.unit.name}`,
      })),
      unknown,
    };
  }

  #book(list: Payment[], from: number, to: number, amount: bigint): void {
    if (amount === 0n) {
      return;
    }
    list.push(amount > 0n ? { from, to, amount } : { from: to, to: from, amount: -amount });
    this.#changes[from] = (this.#changes[from] ?? 0n) - amount;
    this.#changes[to] = (this.#changes[to] ?? 0n) + amount;
  }

  #rank(party: number): number {
    return kinds.indexOf(this.#parties[party]?.kind ?? 'unknown');
  }

  #party(key: string, kind: MoneyParty['kind'], account: string): number {
    const known = this.#indexes.get(key);
    if (known !== undefined) {
      return known;
    }
    this.#accounts ??= new Map(this.context.model.accounts.map((one, index) => [one, index]));
    return this.#add(key, {
      kind,
      name: this.context.name(account),
      account: this.#accounts.get(account) ?? -1,
    });
  }

  #add(key: string, party: Party): number {
    this.#indexes.set(key, this.#parties.length);
    return this.#parties.push(party) - 1;
  }
}

/** One payment per pair of parties. */
function sumsOf(payments: readonly Payment[]): Payment[] {
  const sums = new Map<string, Payment>();
  for (const { from, to, amount } of payments) {
    const sum = sums.get(`${from} ${to}`) ?? { from, to, amount: 0n };
    sum.amount += amount;
    sums.set(`${from} ${to}`, sum);
  }
  return [...sums.values()];
}
