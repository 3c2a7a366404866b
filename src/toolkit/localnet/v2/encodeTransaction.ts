import type { Message, Transaction } from '@ton/core';
import { beginCell, Cell, storeStateInit } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadAnyTransaction';
import type { TransactionRecord, MessageRecord } from '../records/records';
import type { Json } from '../../api/json';
import { encodeAddress, encodeCurrencies, encodeTransactionId } from './encodeIds';

/** Of `ext.transaction`, `raw.transaction` (addresses as objects) and `raw.transactionExt` (that, with the account). */
export type TransactionForm = 'ext' | 'raw' | 'rawExt';

export function encodeTransaction(record: TransactionRecord, form: TransactionForm): Json {
  const transaction = loadAnyTransaction(Cell.fromBoc(record.boc)[0] as Cell);
  const outgoing = transaction.outMessages.values();
  const fees = encodeFees(transaction, outgoing);
  const inMessage = transaction.inMessage;
  return {
    '@type': form === 'rawExt' ? 'raw.transactionExt' : `${form}.transaction`,
    address: accountAddress(record.account.address),
    ...(form !== 'raw' ? { account: record.account.address } : {}),
    utime: record.now,
    data: record.boc.toString('base64'),
    transaction_id: encodeTransactionId(record.lt, record.hash),
    ...fees,
    ...(record.inMessage === null || inMessage == null
      ? {}
      : { in_msg: encodeMessage(record.inMessage, inMessage, form) }),
    out_msgs: record.outMessages.map((message, place) =>
      encodeMessage(message, outgoing[place] as Message, form),
    ),
  };
}

/** Total: what the account paid, the forwarding of its messages included. */
function encodeFees({ totalFees, description }: Transaction, outgoing: readonly Message[]): Json {
  const forwarding = outgoing.reduce(
    (sum, { info }) => sum + (info.type === 'internal' ? info.forwardFee : 0n),
    0n,
  );
  const storage =
    'storagePhase' in description && description.storagePhase != null
      ? description.storagePhase.storageFeesCollected
      : 0n;
  const fee = totalFees.coins + forwarding;
  return {
    fee: fee.toString(),
    storage_fee: storage.toString(),
    other_fee: (fee - storage).toString(),
  };
}

function encodeMessage(record: MessageRecord, message: Message, form: TransactionForm): Json {
  const internal = message.info.type === 'internal' ? message.info : undefined;
  const address = (raw: string | null): unknown =>
    form === 'ext' ? encodeAddress(raw) : accountAddress(raw);
  const currencies = [...(internal?.value.other ?? [])].map(([id, amount]) => [id, amount.toString()]);
  return {
    '@type': form === 'ext' ? 'ext.message' : 'raw.message',
    hash: record.hash,
    source: address(record.source),
    destination: address(record.destination),
    value: (internal?.value.coins ?? 0n).toString(),
    extra_currencies: encodeCurrencies(Object.fromEntries(currencies) as Record<string, string>),
    fwd_fee: (internal?.forwardFee ?? 0n).toString(),
    ihr_fee: '0',
    created_lt: record.createdLt.toString(),
    body_hash: record.bodyHash,
    ...encodeData(message, form),
  };
}

function encodeData(message: Message, form: TransactionForm): Json {
  const text = readComment(message.body);
  if (text !== null) {
    const data = { '@type': 'msg.dataText', text: text.toString('base64') };
    return { msg_data: data, ...(form === 'ext' ? { message: text.toString('utf8') } : {}) };
  }
  const init = message.init == null ? null : beginCell().store(storeStateInit(message.init)).endCell();
  const data = {
    '@type': 'msg.dataRaw',
    body: message.body.toBoc().toString('base64'),
    init_state: init?.toBoc().toString('base64') ?? '',
  };
  return { msg_data: data, ...(form === 'ext' ? { message: compatibleMessage(message.body) } : {}) };
}

/** A text comment's bytes: opcode 0, then text in snake form. Null for any other body. */
function readComment(body: Cell): Buffer | null {
  if (body.isExotic || body.bits.length < 32 || body.bits.length % 8 !== 0) {
    return null;
  }
  const first = body.beginParse();
  if (first.loadUint(32) !== 0) {
    return null;
  }
  const parts: Buffer[] = [];
  for (let slice = first; ;) {
    if (slice.remainingBits % 8 !== 0) {
      return null;
    }
    parts.push(slice.loadBuffer(slice.remainingBits / 8));
    if (slice.remainingRefs === 0) {
      return Buffer.concat(parts);
    }
    slice = slice.loadRef().beginParse();
  }
}

/** Kept by the service for old clients: the bits of the body in base64, and a line break. */
function compatibleMessage(body: Cell): string {
  const bits = body.bits;
  const padded = beginCell()
    .storeBits(bits)
    .storeUint(0, (8 - (bits.length % 8)) % 8);
  const bytes = padded.endCell().beginParse();
  return `${bytes.loadBuffer(bytes.remainingBits / 8).toString('base64')}\n`;
}

function accountAddress(raw: string | null): Json {
  return { '@type': 'accountAddress', account_address: encodeAddress(raw) };
}
