import { Cell } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadAnyTransaction';
import { decodeCell } from '../../opcodes/decodeBody';
import type { DecodedBody } from '../../opcodes/decodeBody';
import { opcodes } from '../../opcodes/opcodes';
import type { TransactionRecord } from '../chain/transactionRecord';
import type { MessageRecord } from '../chain/records';
import type { Token } from '../tokens/token';
import type { V3Context } from './context';
import type { Json } from './encodeDescription';
import type { Query } from './query';
import { inRanges, takePageInTurns } from './query';
import { walk } from './selectTransactions';

/** A message that did something to a token. */
export interface BodyEvent {
  body: DecodedBody;
  aborted: boolean;
  /** The forward payload, whatever it holds. */
  payload: Cell | null;
  /** The custom payload. */
  custom: Cell | null;
}

/** Rows for the messages of one opcode that tokens of one kind received, newest first; `row` filters and encodes. */
export async function tokenEvents<K extends Token['kind']>(
  { chain, tokens }: V3Context,
  query: Query,
  name: string,
  kind: K,
  row: (event: {
    transaction: TransactionRecord;
    token: Extract<Token, { kind: K }>;
    body: BodyEvent;
  }) => Json | undefined,
): Promise<Json[]> {
  const page = query.page();
  const ranges = query.ranges();
  const codes = [...opcodes].filter(([, opcode]) => opcode.name === name).map(([code]) => code);
  const messages = codes.flatMap((code) => [...chain.ledger.messagesByOpcode(code)]);
  const rows = function* (): Iterable<Json | undefined> {
    for (const { consumer } of walk<MessageRecord>(messages, page.ascending)) {
      const token = consumer === null ? undefined : tokens.known(consumer.account.address);
      if (consumer === null || token?.kind !== kind || !inRanges(ranges, consumer.now, consumer.lt)) {
        continue;
      }
      const body = readEvent(consumer);
      yield body === null
        ? undefined
        : row({ transaction: consumer, token: token as Extract<Token, { kind: K }>, body });
    }
  };
  return takePageInTurns(rows(), page);
}

function readEvent(transaction: TransactionRecord): BodyEvent | null {
  const { inMessage, description } = loadAnyTransaction(Cell.fromBoc(transaction.boc)[0] as Cell);
  const body = inMessage == null ? undefined : decodeCell(inMessage.body, {}, 0);
  if (inMessage == null || body === undefined) {
    return null;
  }
  return {
    body,
    aborted: 'aborted' in description && description.aborted,
    ...readPayloads(inMessage.body, body),
  };
}

/** The custom payload, and `Either Cell ^Cell` at the end of a transfer: what is left when the rest is read. */
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
