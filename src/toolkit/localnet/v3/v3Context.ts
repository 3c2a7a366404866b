import { Cell, loadMessage } from '@ton/core';
import type { Exact, V3Message, V3Transaction } from '../../api/v3Objects';
import type { V3Trace } from '../../api/v3Traces';
import { BitCursor, readTransaction } from '../../cell/light/bitCursor';
import type { LightCell } from '../../cell/light/lightCell';
import { readLightCell, writeLightCell } from '../../cell/light/lightCell';
import { readAddress, readMessage } from '../../cell/light/readMessage';
import { loadAnyTransaction, loadFolded } from '../../cell/loadFolded';
import type { CodeHashOf } from '../../execution/encode/decodedBody';
import { encodeMessage } from '../../execution/encode/decodedBody';
import { encodeRunBody, encodeRunHead, orderedTransactions } from '../../execution/encode/encodeTracedRun';
import { encodeTracedTransaction } from '../../execution/encode/encodeTracedTransaction';
import { decodeBodyCell } from '../../contracts/opcodes/decodeBody';
import type { DecodedBody } from '../../contracts/opcodes/decodedBody';
import { opcodes } from '../../contracts/opcodes/opcodes';
import { isTurnOver, mapInTurns, nextTurn } from '../../base/turns';
import type { Ledger } from '../chain/ledger';
import type { LocalChain } from '../chain/localChain';
import type { MessageRecord, TraceRecord, TransactionRecord } from '../records/records';
import type { Token } from '../tokens/readToken';
import type { Tokens } from '../tokens/tokenIndex';
import type { ActionIndex } from './actionIndex';
import { inRanges, takePageInTurns } from './page';
import type { Query } from './query';
import { walk } from './selectTransactions';

/** A message that did something to a token. */
export interface BodyEvent {
  body: DecodedBody;
  aborted: boolean;
  /** The forward payload, whatever it contains. */
  payload: Cell | null;
  /** The custom payload. */
  custom: Cell | null;
}

/** Which events are requested, and their rows. */
export interface EventSelection<K extends Token['kind'], Row> {
  name: EventName;
  kind: K;
  /** One of them sent or received something; anyone if empty. */
  parties: readonly string[];
  /** Checks that need no parsing of the message. */
  isWanted: (transaction: TransactionRecord, token: Extract<Token, { kind: K }>) => boolean;
  /** Undefined if it turns out not to match. */
  row: (event: {
    transaction: TransactionRecord;
    token: Extract<Token, { kind: K }>;
    body: BodyEvent;
  }) => Row | undefined;
}

/** Rows for messages of one name received by tokens of one kind, newest first. Tokens must be refreshed first. */
export async function tokenEvents<K extends Token['kind'], Row>(
  { chain, tokens, events }: V3Context,
  query: Query,
  { name, kind, parties, isWanted, row }: EventSelection<K, Row>,
): Promise<Row[]> {
  const page = query.page();
  const ranges = query.ranges();
  const codes = [...opcodes].filter(([, opcode]) => opcode.name === name).map(([code]) => code);
  let messages: readonly MessageRecord[] = [];
  for (const code of codes) {
    const all = chain.ledger.messagesByOpcode(code);
    messages = messages.concat(parties.length === 0 ? all : await events.of(code, name, parties));
  }
  const rows = function* (): Iterable<Row | undefined> {
    for (const { consumer } of walk(messages, page.ascending)) {
      const known = consumer === null ? undefined : tokens.known(consumer.account.address);
      if (consumer === null || known?.kind !== kind || !inRanges(ranges, consumer.now, consumer.lt)) {
        yield undefined;
        continue;
      }
      const token = known as Extract<Token, { kind: K }>;
      const body = isWanted(consumer, token) ? readEvent(consumer) : null;
      yield body === null ? undefined : row({ transaction: consumer, token, body });
    }
  };
  return takePageInTurns(rows(), page);
}

function readEvent(transaction: TransactionRecord): BodyEvent | null {
  const { inMessage, description } = loadAnyTransaction(Cell.fromBoc(transaction.boc)[0] as Cell);
  const body = inMessage == null ? undefined : decodeBodyCell(inMessage.body, {}, 0);
  if (inMessage == null || body === undefined) {
    return null;
  }
  return {
    body,
    aborted: 'aborted' in description && description.aborted,
    ...readPayloads(inMessage.body, body),
  };
}

/** The custom payload, and `Either Cell ^Cell` at the end of a transfer: the remainder after the other fields. */
function readPayloads(cell: Cell, { name }: DecodedBody): Pick<BodyEvent, 'payload' | 'custom'> {
  let custom: Cell | null = null;
  try {
    const slice = cell.beginParse().skip(32 + 64);
    if (name !== 'nft_transfer') {
      slice.loadCoins();
    }
    if (name !== 'jetton_burn') {
      slice.loadAddressAny();
    }
    slice.loadAddressAny();
    custom = slice.loadMaybeRef();
    if (name === 'jetton_burn') {
      return { custom, payload: null };
    }
    slice.loadCoins();
    return { custom, payload: slice.loadBit() ? slice.loadRef() : slice.asCell() };
  } catch {
    return { custom, payload: null };
  }
}

/** Messages between tokens that are listed by `/jetton/transfers` and the like. */
type EventName = 'jetton_transfer' | 'jetton_burn' | 'nft_transfer';

/** The messages of one opcode by participant: senders, and recipients of what is transferred. */
class PartyLists {
  /** Positions among all messages of the opcode, ascending. */
  readonly #places = new Map<string, number[]>();
  #done = 0;
  /** Positions of messages not yet received. */
  #waiting: number[] = [];

  async update(messages: readonly MessageRecord[], name: EventName): Promise<void> {
    const again = this.#waiting;
    this.#waiting = [];
    for (const place of again) {
      this.#read(messages[place] as MessageRecord, place, name);
    }
    while (this.#done < messages.length) {
      const place = this.#done;
      this.#done += 1;
      this.#read(messages[place] as MessageRecord, place, name);
      if (isTurnOver()) {
        await nextTurn();
      }
    }
  }

  /** Positions of the messages with one of these participants, ascending. */
  of(parties: readonly string[]): number[] {
    const lists = parties.map((party) => this.#places.get(party) ?? []);
    return [...new Set(lists.flat())].sort((a, b) => a - b);
  }

  #read({ consumer, source }: MessageRecord, place: number, name: EventName): void {
    if (consumer === null) {
      this.#waiting.push(place);
      return;
    }
    const receiver = name === 'jetton_burn' ? null : receiverIn(consumer, name);
    for (const party of new Set([source, receiver])) {
      if (party !== null) {
        const places = this.#places.get(party);
        if (places === undefined) {
          this.#places.set(party, [place]);
        } else {
          places.push(place);
        }
      }
    }
  }
}

/** Jetton and NFT messages by owner, built on first use and updated before each answer. */
export class EventIndex {
  #lists = new Map<number, PartyLists>();
  #updating: Promise<void> = Promise.resolve();

  constructor(private readonly chain: LocalChain) {
    chain.onReset(() => (this.#lists = new Map()));
  }

  /** Messages of an opcode possibly sent by one of the parties or transferring something to it, in order. */
  async of(opcode: number, name: EventName, parties: readonly string[]): Promise<MessageRecord[]> {
    const { ledger } = this.chain;
    const messages = ledger.messagesByOpcode(opcode);
    const lists = this.#lists.get(opcode) ?? new PartyLists();
    this.#lists.set(opcode, lists);
    // One at a time, as each leaves the lists consistent.
    const update = this.#updating.then(() => lists.update(messages, name));
    this.#updating = update.catch(() => undefined);
    await update;
    return lists.of(parties).map((place) => messages[place] as MessageRecord);
  }
}

/** The new owner in a transfer; reads no further. */
function receiverIn({ boc }: TransactionRecord, name: EventName): string | null {
  try {
    const { inMessage } = readTransaction(readLightCell(boc));
    if (inMessage === null) {
      return null;
    }
    const cursor = new BitCursor(readMessage(inMessage).body).skip(32 + 64);
    if (name === 'jetton_transfer') {
      cursor.coins();
    }
    return readAddress(cursor);
  } catch {
    // A truncated body names nobody.
    return null;
  }
}

/** What the indexed API answers from. */
export interface V3Context extends EncodeContext {
  readonly chain: LocalChain;
  readonly tokens: Tokens;
  readonly actions: ActionIndex;
  readonly events: EventIndex;
}

/** What traces, transactions, and messages are encoded with. */
interface EncodeContext {
  readonly ledger: Ledger;
  /** Larger traces are returned without their transactions. */
  readonly maximumTraceTransactions: number;
}

export const basechainShard = '8000000000000000';

/** A transaction in the indexed API's format. */
export function encodeV3Transaction(context: EncodeContext, record: TransactionRecord): Exact<V3Transaction> {
  const root = record.trace.transactions[0] as TransactionRecord;
  const printed = context.ledger.debug.of(record.hash);
  return {
    ...encodeTracedTransaction(record, { codeHashOf: codesIn(context), printed, traceId: root.hash }),
    mc_block_seqno: record.block.seqno,
    block_ref: blockReference(record),
    emulated: false,
    finality: 'finalized',
  };
}

/** Transactions of masterchain accounts are in the masterchain block itself. */
function blockReference(record: TransactionRecord): Exact<V3Transaction>['block_ref'] {
  const workchain = record.account.address.startsWith('-1:') ? -1 : 0;
  return { workchain, shard: basechainShard, seqno: record.block.seqno };
}

function codesIn({ ledger }: EncodeContext): CodeHashOf {
  return (address) => ledger.accounts.get(address)?.versions.at(-1)?.codeHash;
}

/**
 * A message by itself, read from a transaction that contains it: the receiver's, which has no other inbound message.
 */
export function encodeMessageOf(context: EncodeContext, record: MessageRecord): Exact<V3Message> {
  const { producer, consumer } = record;
  const { boc } = (consumer ?? producer) as TransactionRecord;
  const { inMessage, outMessages } = readTransaction(readLightCell(boc));
  const cell = consumer === null ? outMessages[producer?.outMessages.indexOf(record) ?? 0] : inMessage;
  const [root] = Cell.fromBoc(writeLightCell(cell as LightCell));
  return encodeMessage(codesIn(context), record, loadFolded(root as Cell, loadMessage));
}

/** A trace in the indexed API's format, with its transactions; yields to other work while encoding. */
export async function encodeTrace(context: EncodeContext, trace: TraceRecord): Promise<Exact<V3Trace>> {
  const order = orderedTransactions(trace);
  if (order.length > context.maximumTraceTransactions) {
    return { ...encodeHead(trace, order), is_incomplete: true, warning: 'trace is too large' };
  }
  const encoded = await mapInTurns(order, (transaction) => encodeV3Transaction(context, transaction));
  return { ...encodeHead(trace, order), ...failures(context, trace), ...encodeRunBody(order, encoded) };
}

function encodeHead(trace: TraceRecord, order: readonly TransactionRecord[]): Exact<V3Trace> {
  return {
    ...encodeRunHead(trace, order),
    mc_seqno_start: order[0]?.block.seqno ?? null,
    mc_seqno_end: order.at(-1)?.block.seqno ?? null,
  };
}

/**
 * What a trace is stuck on: messages that the emulator failed to execute. The service has no such field or state;
 * nothing is added without failures.
 */
function failures(
  { ledger }: EncodeContext,
  trace: TraceRecord,
): Pick<Exact<V3Trace>, 'warning' | 'failed_messages'> {
  if (ledger.failed.size === 0 || trace.pendingMessages === 0) {
    return {};
  }
  const failed = trace.transactions
    .flatMap(({ outMessages }) => outMessages)
    .flatMap(({ consumer, hash }) => (consumer === null ? (ledger.failed.get(hash) ?? []) : []))
    .map(({ hash, destination, error }) => ({ msg_hash: hash, destination, error }));
  const [first] = failed;
  return first === undefined
    ? {}
    : {
        warning: `the emulator failed on ${failed.length === 1 ? 'a message' : `${failed.length} messages`}: ${first.error}`,
        failed_messages: failed,
      };
}
