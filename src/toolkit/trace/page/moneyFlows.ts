import type { V3Message, V3Transaction } from '../../api/v3Objects';
import { formatUnits, shortenMiddle } from '../../base/text';
import { formatChange } from '../figures';
import type { JettonHolder } from '../jettonMoney';
import type { Money } from '../money';
import { carriedCoins, moneyOf } from '../money';
import type { TraceContext } from '../traceContext';
import type { Payment } from './cancelCycles';
import { cancelCycles } from './cancelCycles';
import type { AmountUnit, AssetFlows, MoneyParty } from './tracePage';

/**
 * Who paid whom in a trace, for the coin, each jetton, and each extra currency that moved. Each party's change is its
 * row of {@link moneyOf}, and all of an asset's add up to zero.
 */
export function moneyFlows(context: TraceContext): AssetFlows[] {
  const money = moneyOf(context);
  const jettonTexts = new Set(money.unknownJettons);
  const extras = new Set(money.rows.flatMap(({ extra }) => [...extra.keys()]));
  return [
    amountFlows(context, money, {
      title: context.coin,
      unit: { name: context.coin, decimals: 9 },
      received: ({ in_msg: message }) => carriedCoins(message),
      sent: (message) => carriedCoins(message),
      fees: ({ total_fees: fees, out_msgs: sent }) =>
        (sent ?? []).reduce((sum, message) => sum + (message?.fwd_fee ?? 0n), fees ?? 0n),
      change: (row) => row.coins,
      unknown: money.unknown.filter((text) => !jettonTexts.has(text)),
    }),
    ...jettonFlows(context, money),
    ...[...extras].map((id) =>
      amountFlows(context, money, {
        title: `extra currency ${id}`,
        unit: { name: 'units', decimals: 0 },
        received: ({ in_msg: message }) => message?.value_extra_currencies?.[id] ?? 0n,
        sent: (message) => message?.value_extra_currencies?.[id] ?? 0n,
        fees: ({ total_fees_extra_currencies: fees }) => fees?.[id] ?? 0n,
        change: (row) => row.extra.get(id) ?? 0n,
        unknown: [],
      }),
    ),
  ].filter(({ flows, unknown }) => flows.length + unknown.length > 0);
}

/** What messages carry: the coin, or an extra currency. */
interface Carried {
  title: string;
  unit: AmountUnit;
  received: (transaction: V3Transaction) => bigint;
  sent: (message: V3Message | null) => bigint;
  fees: (transaction: V3Transaction) => bigint;
  change: (row: Money['rows'][number]) => bigint;
  unknown: string[];
}

function amountFlows(context: TraceContext, money: Money, asset: Carried): AssetFlows {
  const { model } = context;
  const book = new PartyBook(context, asset.unit);
  const outside = new Set(money.rows.filter((row) => row.outside).map(({ account }) => account));
  const onTheWay = model.state === 'pending' ? book.onTheWay() : book.other('unknown', 'not in the answer');
  for (const { account, transaction, parent, children, message } of model.nodes) {
    if (account === undefined || transaction === undefined) {
      continue;
    }
    const own = book.account(account);
    const source = message?.source ?? undefined;
    const sender =
      parent?.transaction !== undefined && parent.account !== undefined
        ? book.account(parent.account)
        : parent === undefined && source !== undefined && outside.has(source)
          ? book.outside(source)
          : book.unknown();
    book.pay(sender, own, asset.received(transaction));
    let left = (transaction.out_msgs ?? []).reduce((sum, one) => sum + asset.sent(one), 0n);
    for (const child of children) {
      left -= child.transaction === undefined ? 0n : asset.received(child.transaction);
    }
    book.pay(own, onTheWay, left);
    book.payFees(own, asset.fees(transaction));
  }
  for (const row of money.rows) {
    book.correct(row.outside ? book.outside(row.account) : book.account(row.account), asset.change(row));
  }
  return book.close(asset.title, asset.unknown);
}

/** A jetton by its owners. Sentences that are about no known jetton stand alone. */
function jettonFlows(context: TraceContext, { movements, unknownJettons }: Money): AssetFlows[] {
  const books = new Map<string, PartyBook>();
  for (const { master, from, to, amount } of movements) {
    const book = books.get(master) ?? new PartyBook(context, context.jettonUnit(master));
    books.set(master, book);
    book.pay(holder(book, from, context), holder(book, to, context), amount);
  }
  const flows = [...books].map(([master, book]) => book.close(context.jetton(master).symbol, []));
  const [first] = flows;
  if (flows.length === 1 && first !== undefined) {
    first.unknown.push(...unknownJettons);
  } else if (unknownJettons.length > 0) {
    flows.push({
      title: 'jettons',
      unit: { name: 'units', decimals: 0 },
      parties: [],
      flows: [],
      unknown: [...unknownJettons],
    });
  }
  return flows;
}

function holder(book: PartyBook, side: JettonHolder, context: TraceContext): number {
  switch (side.kind) {
    case 'owner':
      return book.account(side.account);
    case 'wallet':
      return book.other('unknown', `owner of ${shortenMiddle(context.name(side.account))}`);
    case 'minted':
    case 'burned':
      return book.other(side.kind, side.kind);
    case 'onTheWay':
      return book.onTheWay();
    case 'lost':
      return book.other('unknown', 'did not arrive');
  }
}

type Party = Omit<MoneyParty, 'change' | 'text'>;

/** The order in which parties are listed: payers from outside first, fees last. */
const kinds: MoneyParty['kind'][] = ['outside', 'minted', 'account', 'unknown', 'burned', 'fees'];

/** The payments of one asset while they are gathered. */
class PartyBook {
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
