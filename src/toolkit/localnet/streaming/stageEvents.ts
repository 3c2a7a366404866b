import type * as z from 'zod';
import type { Exact, V3Transaction } from '../../api/v3Objects';
import { v3Transaction } from '../../api/v3Objects';
import type { StreamFinality, StreamType, V3Trace } from '../../api/v3Traces';
import { streamEvents } from '../../api/v3Traces';
import { writeAnswerInTurns } from '../../api/writeAnswer';
import { groupBy } from '../../base/collections';
import type { PendingMessage } from '../chain/inboundMessage';
import type { BlockRecord, TraceRecord, TransactionRecord } from '../records/records';
import type { Token } from '../tokens/readToken';
import type { Found } from '../v3/actions';
import { accountsOf, encodeAction, findActions } from '../v3/actions';
import { books } from '../v3/blocks';
import { encodePending, markPending, pendingTransaction } from '../v3/pendingTraces';
import { Query } from '../v3/query';
import type { V3Context } from '../v3/v3Context';
import { encodeTrace, encodeV3Transaction } from '../v3/v3Context';
import type { Subscription } from './subscription';

/** One trace at one stage of its way: as emulated, as in a block, or as settled. */
interface Moment {
  /** Normalized hash of the message that began it, lowercase hex. */
  norm: string;
  /** What is new. */
  fresh: readonly TransactionRecord[];
  /** Everything so far. */
  whole: readonly TransactionRecord[];
  /** Whether its actions are known. */
  isClassified: boolean;
  transaction(record: TransactionRecord): Exact<V3Transaction>;
  tree(): Promise<Exact<V3Trace>>;
  actions(): Promise<readonly Found[]>;
}

/** An event as JSON. */
interface EventText {
  text: string;
  /** Of events that an invalidation takes back: the trace, lowercase hex. */
  trace?: string;
}

/** A trace that no external message began goes by its first transaction. */
export function normOf({ transactions: [root] }: TraceRecord): string {
  return root?.inMessage?.normalized ?? root?.inMessage?.hash ?? root?.hash ?? '';
}

/** What an accepted message will do, by its dry run, as events. */
export function pendingEvents(context: V3Context, pending: PendingMessage): StageEvents[] {
  const record = pendingTransaction(context.chain, pending);
  return [
    new StageEvents(context, 'pending', {
      norm: pending.external.normalized,
      fresh: [record],
      whole: [record],
      isClassified: true,
      transaction: (one) => markPending(encodeV3Transaction(context, one), pending),
      tree: () => encodePending(context, pending),
      actions: () => findActions(context.tokens, record.trace),
    }),
  ];
}

/** What a block brought, as events: trace after trace. */
export function* blockEvents(
  context: V3Context,
  block: BlockRecord,
  finality: 'confirmed' | 'finalized',
): Generator<StageEvents, void> {
  for (const [trace, fresh] of groupBy(block.transactions, (one) => one.trace)) {
    const whole = trace.transactions.filter((one) => one.block.seqno <= block.seqno);
    yield new StageEvents(context, finality, {
      norm: normOf(trace),
      ...{ fresh, whole },
      isClassified: trace.pendingMessages === 0 && whole.length === trace.transactions.length,
      transaction: (one) => ({ ...encodeV3Transaction(context, one), finality }),
      tree: () => encodeTrace(context, trace),
      actions: () => context.actions.of(trace),
    });
  }
}

/** The events of one trace at one stage, for any number of subscriptions: what several are told is made once. */
export class StageEvents {
  readonly #context: V3Context;
  readonly #finality: StreamFinality;
  readonly #moment: Moment;
  readonly #transactions = new Map<TransactionRecord, Promise<unknown>>();
  readonly #tokens = new Map<TransactionRecord, Promise<Token | undefined>>();
  #actions: Promise<readonly Found[]> | undefined;
  readonly #texts = new Map<string, Promise<string>>();

  constructor(context: V3Context, finality: StreamFinality, moment: Moment) {
    this.#context = context;
    this.#finality = finality;
    this.#moment = moment;
  }

  /**
   * The addresses and traces whose subscribers may be told something.
   * @param isWanted whether somebody wants events of a type; what only those need is not looked up for others
   */
  async targets(isWanted: (type: StreamType) => boolean): Promise<Set<string>> {
    const { norm, fresh, isClassified } = this.#moment;
    const targets = new Set([norm, ...fresh.map(({ account }) => account.address)]);
    if (isClassified && isWanted('actions')) {
      (await this.#allActions()).forEach((found) => accountsOf(found).forEach((one) => targets.add(one)));
    }
    if (this.#finality !== 'pending' && isWanted('jettons_change')) {
      for (const record of fresh) {
        const token = await this.#tokenOf(record);
        if (token?.kind === 'jetton-wallet' && token.owner !== null) {
          targets.add(token.owner);
        }
      }
    }
    return targets;
  }

  /** The events for a subscription, in order. Its least finality is the caller's business. */
  async of(subscription: Subscription): Promise<EventText[]> {
    const { types, addresses, traces } = subscription;
    const { norm: trace, fresh, whole, isClassified } = this.#moment;
    const events: EventText[] = [];
    const add = async (key: string, make: () => Promise<unknown>, isOfTrace: boolean): Promise<void> => {
      const all = `${key} ${subscription.withAddressBook} ${subscription.withMetadata}`;
      const text = this.#texts.get(all) ?? make().then((event) => JSON.stringify(event));
      this.#texts.set(all, text);
      events.push({ text: await text, ...(isOfTrace ? { trace } : {}) });
    };
    const isConcerned = fresh.some(({ account }) => addresses.has(account.address));
    if (types.has('transactions') && isConcerned) {
      const own = whole
        .filter(({ account }) => addresses.has(account.address))
        .sort((one, other) => (one.lt > other.lt ? -1 : 1));
      const key = `transactions ${own.map(({ lt }) => lt).join()}`;
      await add(key, () => this.#ofTransactions(own, subscription), true);
    }
    if (types.has('actions') && isClassified) {
      const own = await this.#actionsFor(subscription, (found) =>
        [...accountsOf(found)].some((account) => addresses.has(account)),
      );
      if (own.length > 0) {
        const key = `actions ${own.map(({ type, transactions }) => `${type}${transactions[0]?.lt}`).join()}`;
        const actions = (): Promise<unknown> =>
          this.#event(
            'actions',
            { ...this.#head('actions'), actions: own.map((one) => this.#action(one)) },
            subscription,
          );
        await add(key, actions, true);
      }
    }
    if (types.has('trace') && traces.has(trace)) {
      const { actionTypes, supportedTypes } = subscription;
      const key = `trace ${[...actionTypes].join()} ${[...supportedTypes].join()}`;
      await add(key, () => this.#ofTrace(subscription), true);
    }
    for (const record of this.#finality === 'pending' ? [] : fresh) {
      const { address } = record.account;
      if (types.has('account_state_change') && addresses.has(address)) {
        await add(`state ${record.lt} ${address}`, () => this.#ofState(record), false);
      }
      if (types.has('jettons_change')) {
        const token = await this.#tokenOf(record);
        const owner = token?.kind === 'jetton-wallet' ? token.owner : undefined;
        if (owner !== undefined && (addresses.has(address) || addresses.has(owner ?? ''))) {
          const key = `jettons ${record.lt} ${address}`;
          await add(key, () => this.#ofJettons(record, token as JettonWallet, subscription), false);
        }
      }
    }
    return events;
  }

  #ofTransactions(own: readonly TransactionRecord[], subscription: Subscription): Promise<unknown> {
    return Promise.all(own.map((record) => this.#transaction(record))).then((transactions) =>
      this.#event('transactions', this.#head('transactions'), subscription, { transactions }),
    );
  }

  async #ofTrace(subscription: Subscription): Promise<unknown> {
    const { trace, transactions } = await this.#moment.tree();
    const own = this.#moment.isClassified ? await this.#actionsFor(subscription, () => true) : [];
    return this.#event(
      'trace',
      {
        ...this.#head('trace'),
        trace,
        transactions: withFinality(transactions, this.#finality),
        ...(own.length === 0 ? {} : { actions: own.map((one) => this.#action(one)) }),
      },
      subscription,
    );
  }

  async #ofState(record: TransactionRecord): Promise<unknown> {
    const { account_state_after: state } = (await this.#transaction(record)) as {
      account_state_after?: unknown;
    };
    const type = 'account_state_change';
    const event = await writeAnswerInTurns(streamEvents[type], {
      ...{ type, finality: this.#finality },
      account: record.account.address,
    });
    return { ...(event as object), state };
  }

  #ofJettons(
    { account, lt }: TransactionRecord,
    { balance, owner, jetton }: JettonWallet,
    subscription: Subscription,
  ): Promise<unknown> {
    const type = 'jettons_change';
    const wallet = { address: account.address, balance, owner, jetton, last_transaction_lt: lt };
    return this.#event(type, { type, finality: this.#finality, jetton: wallet }, subscription);
  }

  #allActions(): Promise<readonly Found[]> {
    this.#actions ??= this.#context.tokens.refresh().then(() => this.#moment.actions());
    return this.#actions;
  }

  async #actionsFor(
    { actionTypes, supportedTypes }: Subscription,
    isMeant: (found: Found) => boolean,
  ): Promise<Found[]> {
    return (await this.#allActions()).filter(
      (found) =>
        (actionTypes.size === 0 || actionTypes.has(found.type)) &&
        (supportedTypes.size === 0 || supportedTypes.has(found.type)) &&
        isMeant(found),
    );
  }

  #action(found: Found): ReturnType<typeof encodeAction> {
    return { ...encodeAction(found), finality: this.#finality };
  }

  #tokenOf(record: TransactionRecord): Promise<Token | undefined> {
    const token = this.#tokens.get(record) ?? this.#context.tokens.get(record.account.address);
    this.#tokens.set(record, token);
    return token;
  }

  /** An event in the service's form, with the books that the subscription wants. @param ready encoded parts */
  async #event<Name extends keyof typeof streamEvents>(
    name: Name,
    event: z.output<(typeof streamEvents)[Name]>,
    { withAddressBook, withMetadata }: Subscription,
    ready: Readonly<Record<string, unknown>> = {},
  ): Promise<unknown> {
    const wants = withAddressBook || withMetadata;
    const both = wants ? await books(this.#context, new Query({}), { ...event, ...ready }) : undefined;
    const whole = {
      ...event,
      ...(withAddressBook ? { address_book: both?.address_book } : {}),
      ...(withMetadata ? { metadata: both?.metadata } : {}),
    };
    const schema = streamEvents[name] as unknown as z.ZodType<object>;
    return { ...((await writeAnswerInTurns(schema, whole)) as object), ...ready };
  }

  #transaction(record: TransactionRecord): Promise<unknown> {
    const encoded =
      this.#transactions.get(record) ?? writeAnswerInTurns(v3Transaction, this.#moment.transaction(record));
    this.#transactions.set(record, encoded);
    return encoded;
  }

  #head<Type extends StreamType>(
    type: Type,
  ): { type: Type; finality: StreamFinality; trace_external_hash_norm: string } {
    return { type, finality: this.#finality, trace_external_hash_norm: this.#moment.norm };
  }
}

type JettonWallet = Extract<Token, { kind: 'jetton-wallet' }>;

function withFinality(
  transactions: Exact<V3Trace>['transactions'],
  finality: StreamFinality,
): Exact<V3Trace>['transactions'] {
  return (
    transactions &&
    Object.fromEntries(Object.entries(transactions).map(([hash, one]) => [hash, one && { ...one, finality }]))
  );
}
