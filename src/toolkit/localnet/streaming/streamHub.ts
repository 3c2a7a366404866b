import type * as z from 'zod';
import { v3Transaction } from '../../api/v3Objects';
import type { StreamType } from '../../api/v3Traces';
import { streamEvents, streamTypes } from '../../api/v3Traces';
import { writeAnswerInTurns } from '../../api/writeAnswer';
import { groupBy } from '../../base/collections';
import { limits } from '../../base/limits';
import type { Log } from '../../base/log';
import { nextTurn } from '../../base/turns';
import { ApiError, parseHash } from '../api/apiError';
import { parseAddress } from '../api/requestParameters';
import type { BlockRecord, TraceRecord, TransactionRecord } from '../records/records';
import { accountsOf, encodeAction } from '../v3/actions';
import { books } from '../v3/blocks';
import { Query } from '../v3/query';
import type { V3Context } from '../v3/v3Context';
import { encodeTrace, encodeV3Transaction } from '../v3/v3Context';

/** Someone who listens. */
export interface StreamClient {
  subscription: Subscription;
  /** One event, as JSON. */
  send: (event: string) => void;
  /** Ends the stream: an event could not be told, and a gap must not go unseen. */
  end: () => void;
}

/** Tells each block to whoever subscribed to what is in it, in order; nothing is done while nobody listens. */
export class StreamHub {
  readonly #context: V3Context;
  readonly #log: Log;
  readonly #clients = new Set<StreamClient>();
  #work: Promise<void> = Promise.resolve();

  constructor(context: V3Context, log: Log) {
    this.#context = context;
    this.#log = log;
  }

  /** Starts to listen to the chain. Returns a function that ends it. */
  watch(): () => void {
    return this.#context.chain.onBlock((block) => {
      if (this.#clients.size > 0 && block.transactions.length > 0) {
        const clients = [...this.#clients];
        this.#work = this.#work.then(() => this.#tell(block, clients));
      }
    });
  }

  get size(): number {
    return this.#clients.size;
  }

  /** Returns a function that removes the client. */
  add(client: StreamClient): () => void {
    this.#clients.add(client);
    return () => this.#clients.delete(client);
  }

  async #tell(block: BlockRecord, clients: readonly StreamClient[]): Promise<void> {
    const events = new BlockEvents(this.#context, block);
    for (const client of clients) {
      try {
        for (const event of await events.of(client.subscription)) {
          if (this.#clients.has(client)) {
            client.send(event);
          }
        }
      } catch (error) {
        this.#log.warn(`A stream ends, as a block could not be told: ${String(error)}`);
        client.end();
      }
      await nextTurn();
    }
  }
}

/** A block is final as soon as it is there. */
const finality = 'finalized';

/** What a block brought, as events for any number of subscriptions: each transaction is encoded once. */
class BlockEvents {
  readonly #context: V3Context;
  readonly #block: BlockRecord;
  /** The block's transactions by trace. */
  readonly #fresh: ReadonlyMap<TraceRecord, readonly TransactionRecord[]>;
  readonly #encoded = new Map<TransactionRecord, Promise<unknown>>();

  constructor(context: V3Context, block: BlockRecord) {
    this.#context = context;
    this.#block = block;
    this.#fresh = groupBy(block.transactions, ({ trace }) => trace);
  }

  /** The events for a subscription, as JSON, in order. */
  async of(subscription: Subscription): Promise<string[]> {
    const { types } = subscription;
    const events: unknown[] = [];
    for (const [trace, fresh] of this.#fresh) {
      if (
        types.has('transactions') &&
        fresh.some(({ account }) => subscription.addresses.has(account.address))
      ) {
        events.push(await this.#transactions(trace, subscription));
      }
      if (types.has('actions') && this.#isCompleted(trace)) {
        events.push(await this.#actions(trace, subscription));
      }
      if (types.has('trace') && subscription.traces.has(normOf(trace))) {
        events.push(await this.#trace(trace, subscription));
      }
      for (const record of fresh) {
        if (types.has('account_state_change') && subscription.addresses.has(record.account.address)) {
          events.push(await this.#state(record));
        }
        if (types.has('jettons_change')) {
          events.push(await this.#jettons(record, subscription));
        }
      }
    }
    return events.filter((event) => event !== undefined).map((event) => JSON.stringify(event));
  }

  /** Whether the trace ended with this block. */
  #isCompleted(trace: TraceRecord): boolean {
    return trace.pendingMessages === 0 && this.#upToNow(trace).length === trace.transactions.length;
  }

  #upToNow({ transactions }: TraceRecord): TransactionRecord[] {
    return transactions.filter(({ block }) => block.seqno <= this.#block.seqno);
  }

  /** All transactions of the trace so far on the subscribed accounts, as the service sends them. */
  async #transactions(trace: TraceRecord, subscription: Subscription): Promise<unknown> {
    const own = this.#upToNow(trace)
      .filter(({ account }) => subscription.addresses.has(account.address))
      .sort((one, other) => (one.lt > other.lt ? -1 : 1));
    return this.#event('transactions', headOf('transactions', trace), subscription, {
      transactions: await Promise.all(own.map((record) => this.#encode(record))),
    });
  }

  async #actions(trace: TraceRecord, subscription: Subscription): Promise<unknown> {
    const { addresses, actionTypes } = subscription;
    await this.#context.tokens.refresh();
    const own = (await this.#context.actions.of(trace)).filter(
      (found) =>
        (actionTypes.size === 0 || actionTypes.has(found.type)) &&
        [...accountsOf(found)].some((account) => addresses.has(account)),
    );
    return own.length === 0
      ? undefined
      : this.#event('actions', { ...headOf('actions', trace), actions: own.map(encodeAction) }, subscription);
  }

  async #trace(trace: TraceRecord, subscription: Subscription): Promise<unknown> {
    const { trace: tree, transactions } = await encodeTrace(this.#context, trace);
    const actions = this.#isCompleted(trace)
      ? { actions: (await this.#context.actions.of(trace)).map(encodeAction) }
      : {};
    return this.#event(
      'trace',
      { ...headOf('trace', trace), trace: tree, transactions, ...actions },
      subscription,
    );
  }

  async #state(record: TransactionRecord): Promise<unknown> {
    const { account_state_after: state } = (await this.#encode(record)) as { account_state_after?: unknown };
    const type = 'account_state_change';
    const event = await writeAnswerInTurns(streamEvents[type], {
      ...{ type, finality },
      account: record.account.address,
    });
    return { ...(event as object), state };
  }

  async #jettons({ account, lt }: TransactionRecord, subscription: Subscription): Promise<unknown> {
    const token = await this.#context.tokens.get(account.address);
    const { addresses } = subscription;
    if (
      token?.kind !== 'jetton-wallet' ||
      !(addresses.has(account.address) || (token.owner !== null && addresses.has(token.owner)))
    ) {
      return undefined;
    }
    const { balance, owner, jetton } = token;
    const type = 'jettons_change';
    const wallet = { address: account.address, balance, owner, jetton, last_transaction_lt: lt };
    return this.#event(type, { type, finality, jetton: wallet }, subscription);
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

  #encode(record: TransactionRecord): Promise<unknown> {
    const encoded =
      this.#encoded.get(record) ??
      writeAnswerInTurns(v3Transaction, encodeV3Transaction(this.#context, record));
    this.#encoded.set(record, encoded);
    return encoded;
  }
}

function headOf<Type extends string>(
  type: Type,
  trace: TraceRecord,
): { type: Type; finality: typeof finality; trace_external_hash_norm: string } {
  return { type, finality, trace_external_hash_norm: normOf(trace) };
}

/** A trace that no external message began goes by its first transaction. */
function normOf({ transactions: [root] }: TraceRecord): string {
  return root?.inMessage?.normalized ?? root?.inMessage?.hash ?? root?.hash ?? '';
}

/** What a client of a stream wants to be told. */
interface Subscription {
  types: ReadonlySet<StreamType>;
  /** Raw, in the chain's form. */
  addresses: ReadonlySet<string>;
  /** Normalized hashes of external messages, lowercase hex. */
  traces: ReadonlySet<string>;
  /** Of actions; empty for all. */
  actionTypes: ReadonlySet<string>;
  withAddressBook: boolean;
  withMetadata: boolean;
}

/**
 * Reads a subscription in the service's order, and refuses it in the service's words.
 * @throws ApiError 400
 */
export function readSubscription(body: Readonly<Record<string, unknown>>): Subscription {
  const types = texts(body, 'types');
  if (types.length === 0) {
    throw refused('types are required for subscription');
  }
  for (const type of types) {
    if (!isStreamType(type)) {
      throw refused(`invalid event type: ${type}`);
    }
  }
  const given = texts(body, 'addresses');
  if (given.length > limits.streamAddresses.most) {
    throw refused(`too many addresses: ${given.length} > max ${limits.streamAddresses.most}`);
  }
  const addresses = new Set(given.map((text) => parseAddress(text) ?? fail(`invalid address: ${text}`)));
  const traces = new Set(
    texts(body, 'trace_external_hash_norms').map((text) => {
      const hash = text.trim();
      return hash === '' ? fail('trace_external_hash_norms contains empty value') : (parseHash(hash) ?? hash);
    }),
  );
  if (traces.size > limits.streamAddresses.most) {
    throw refused(`too many traces: ${traces.size} > max ${limits.streamAddresses.most}`);
  }
  const wantsTrace = types.includes('trace');
  if (traces.size > 0 && !wantsTrace) {
    throw refused('trace_external_hash_norms requires type "trace"');
  }
  if (wantsTrace && traces.size === 0) {
    throw refused('trace_external_hash_norms are required for trace subscription');
  }
  if (types.some((type) => type !== 'trace') && addresses.size === 0) {
    throw refused('addresses are required for subscription');
  }
  const finality = body.min_finality ?? 'finalized';
  if (finality !== 'pending' && finality !== 'confirmed' && finality !== 'finalized') {
    throw refused('invalid subscription request: min_finality is pending, confirmed, or finalized');
  }
  return {
    types: new Set(types.filter(isStreamType)),
    ...{ addresses, traces },
    actionTypes: new Set(texts(body, 'action_types')),
    withAddressBook: body.include_address_book === true,
    withMetadata: body.include_metadata === true,
  };
}

function isStreamType(text: string): text is StreamType {
  return (streamTypes as readonly string[]).includes(text);
}

function texts(body: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
    throw refused(`invalid subscription request: ${name} is a list of texts`);
  }
  return value;
}

function refused(text: string): ApiError {
  return new ApiError(400, text);
}

function fail(text: string): never {
  throw refused(text);
}
