import { Cell } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadAnyTransaction';
import { decodeBodyCell } from '../../opcodes/decodeBody';
import type { DecodedBody } from '../../opcodes/decodedBody';
import { opcodes } from '../../opcodes/opcodes';
import type { TransactionRecord, MessageRecord } from '../records/records';
import type { Token } from '../tokens/token';
import type { V3Context } from './context';
import type { EventName } from './eventIndex';
import type { Query } from './query';
import { inRanges, takePageInTurns } from './page';
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
