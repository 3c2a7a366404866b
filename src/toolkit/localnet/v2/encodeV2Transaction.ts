import type { Message, Transaction } from '@ton/core';
import { beginCell, Cell, storeStateInit } from '@ton/core';
import { loadAnyTransaction } from '../../cell/loadFolded';
import type { TransactionRecord, MessageRecord } from '../records/records';
import { encodeAddress, encodeCurrencies, encodeTransactionId } from './encodeIds';
import type { TypedAccountAddress, V2Answer } from './encodeIds';

/** `ext.transaction`: addresses are plain text, and message bodies also come in a readable form. */
export function encodeV2Transaction(record: TransactionRecord): V2Answer<'getTransactions'>[number] {
  const { fields, inMessage, outMessages } = read(record);
  const encode = (message: MessagePair): V2MessageFields => {
    const { text, data } = encodeData(message.content);
    return {
      '@type': 'ext.message',
      ...encodeMessage(message),
      source: encodeAddress(message.record.source),
      destination: encodeAddress(message.record.destination),
      msg_data: data,
      message: text?.toString('utf8') ?? compatibleMessage(message.content.body),
    };
  };
  return {
    '@type': 'ext.transaction',
    ...fields,
    account: record.account.address,
    ...(inMessage === undefined ? {} : { in_msg: encode(inMessage) }),
    out_msgs: outMessages.map(encode),
  };
}

/** `raw.transaction`: addresses are objects. With the account it becomes `raw.transactionExt`. */
export function encodeTransactionStd(
  record: TransactionRecord,
  withAccount: boolean,
): V2TransactionStdFields {
  const { fields, inMessage, outMessages } = read(record);
  const encode = (message: MessagePair): V2MessageStdFields => ({
    '@type': 'raw.message',
    ...encodeMessage(message),
    source: accountAddress(message.record.source),
    destination: accountAddress(message.record.destination),
    msg_data: encodeData(message.content).data,
  });
  return {
    '@type': withAccount ? 'raw.transactionExt' : 'raw.transaction',
    ...fields,
    ...(withAccount ? { account: record.account.address } : {}),
    ...(inMessage === undefined ? {} : { in_msg: encode(inMessage) }),
    out_msgs: outMessages.map(encode),
  };
}

type V2MessageFields = V2Answer<'getTransactions'>[number]['out_msgs'][number];
type V2TransactionStdFields = V2Answer<'getTransactionsStd'>['transactions'][number];
type V2MessageStdFields = V2TransactionStdFields['out_msgs'][number];

/** A message as in the ledger and in its transaction. */
interface MessagePair {
  record: MessageRecord;
  content: Message;
}

interface ReadTransaction {
  fields: Omit<V2TransactionStdFields, '@type' | 'account' | 'in_msg' | 'out_msgs'>;
  inMessage: MessagePair | undefined;
  outMessages: readonly MessagePair[];
}

function read(record: TransactionRecord): ReadTransaction {
  const transaction = loadAnyTransaction(Cell.fromBoc(record.boc)[0] as Cell);
  const outgoing = transaction.outMessages.values();
  const { inMessage } = transaction;
  return {
    fields: {
      address: accountAddress(record.account.address),
      utime: record.now,
      data: record.boc.toString('base64'),
      transaction_id: encodeTransactionId(record.lt, record.hash),
      ...encodeFees(transaction, outgoing),
    },
    inMessage:
      record.inMessage === null || inMessage == null
        ? undefined
        : { record: record.inMessage, content: inMessage },
    outMessages: record.outMessages.map((message, place) => ({
      record: message,
      content: outgoing[place] as Message,
    })),
  };
}

/** Total: what the account paid, including the forwarding of its messages. */
function encodeFees(
  { totalFees, description }: Transaction,
  outgoing: readonly Message[],
): Pick<V2TransactionStdFields, 'fee' | 'storage_fee' | 'other_fee'> {
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
    fee,
    storage_fee: storage,
    other_fee: fee - storage,
  };
}

function encodeMessage({
  record,
  content,
}: MessagePair): Omit<V2MessageStdFields, '@type' | 'source' | 'destination' | 'msg_data'> {
  const internal = content.info.type === 'internal' ? content.info : undefined;
  return {
    hash: record.hash,
    value: internal?.value.coins ?? 0n,
    extra_currencies: encodeCurrencies(Object.fromEntries(internal?.value.other ?? [])),
    fwd_fee: internal?.forwardFee ?? 0n,
    ihr_fee: 0n,
    created_lt: record.createdLt,
    body_hash: record.bodyHash,
  };
}

/** A message's content, and the bytes of its text if it is a text comment. */
function encodeData({ body, init }: Message): { data: V2MessageStdFields['msg_data']; text: Buffer | null } {
  const text = readComment(body);
  if (text !== null) {
    return { data: { '@type': 'msg.dataText', text: text.toString('base64') }, text };
  }
  const cell = init == null ? null : beginCell().store(storeStateInit(init)).endCell();
  const data = {
    '@type': 'msg.dataRaw',
    body: body.toBoc().toString('base64'),
    init_state: cell?.toBoc().toString('base64') ?? '',
  };
  return { data, text };
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

/** Kept by the service for old clients: the body's bits in base64, and a line break. */
function compatibleMessage(body: Cell): string {
  const bits = body.bits;
  const padded = beginCell()
    .storeBits(bits)
    .storeUint(0, (8 - (bits.length % 8)) % 8);
  const bytes = padded.endCell().beginParse();
  return `${bytes.loadBuffer(bytes.remainingBits / 8).toString('base64')}\n`;
}

function accountAddress(raw: string | null): TypedAccountAddress {
  return { '@type': 'accountAddress', account_address: encodeAddress(raw) };
}
