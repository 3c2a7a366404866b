import { lowerHex } from '../../address/lowerHex';
import type { MessageHead } from '../../cell/light/readMessage';
import type { ChainSettings, KeptBlock, KeptTransaction } from '../records/blockInput';
import type { FailedMessage, TransactionHead } from '../records/records';

/** A block as JSON and its byte strings, in order: changes, codes, then each transaction and its account. */
export interface BlockHead {
  genUtime: number;
  startLt: string;
  settled: string[];
  /** Address and length of the account. */
  changes: [address: string, length: number][];
  /** Lengths. */
  codes: number[];
  transactions: TransactionRow[];
  /** Absent if there are none, as in blocks of earlier versions. */
  failed?: readonly FailedMessage[] | undefined;
  dropped?: readonly string[] | undefined;
}

type TransactionRow = [
  address: string,
  length: number,
  accountLength: number,
  codeHash: string | null,
  ignoresSignatures: 0 | 1,
  hash: string,
  lt: string,
  now: number,
  /** A bare hash refers to a message sent by an earlier row. */
  inMessage: MessageRow | string | null,
  outMessages: MessageRow[],
];

/** 0 means that source or destination is the transaction's own account. */
type MessageRow = [
  hash: string,
  normalized: string | null,
  kind: MessageHead['kind'],
  source: string | 0 | null,
  destination: string | 0 | null,
  createdLt: string,
  createdAt: number,
  opcode: number | null,
  bodyHash: string,
];

export function splitBlock(block: KeptBlock, settled: string[]): { head: BlockHead; blobs: Buffer[] } {
  const { genUtime, startLt, changes, codes, transactions, failed, dropped } = block;
  return {
    head: {
      genUtime,
      startLt: startLt.toString(),
      settled,
      changes: changes.map(({ address, shardAccount }) => [address, shardAccount.length]),
      codes: codes.map((code) => code.length),
      transactions: transactions.map(transactionRow),
      failed,
      dropped,
    },
    blobs: [
      ...changes.map(({ shardAccount }) => shardAccount),
      ...codes,
      ...transactions.flatMap(({ boc, packed }) => [boc, packed]),
    ],
  };
}

/** The inverse of {@link splitBlock}. @param blob the next byte string of this length, as a view */
export function joinBlock(head: BlockHead, blob: (length: number) => Buffer): KeptBlock {
  // Parts parsed at once are copied, so that they do not keep the journal's bytes in memory.
  const copy = (length: number): Buffer => Buffer.from(blob(length));
  const { genUtime, startLt, changes, codes, transactions, failed, dropped } = head;
  return {
    genUtime,
    startLt: BigInt(startLt),
    changes: changes.map(([address, length]) => ({
      address: keptAddress(address),
      shardAccount: copy(length),
    })),
    codes: codes.map(copy),
    transactions: transactions.map((row) => keptTransaction(row, blob)),
    failed: failed?.map(keptFailure),
    dropped: dropped?.map(keptHash),
  };
}

function transactionRow(transaction: KeptTransaction): TransactionRow {
  const { address, boc, packed, codeHash, ignoreSignatures, head } = transaction;
  const { hash, lt, now, inMessage, outMessages } = head;
  const row = (message: MessageHead): MessageRow => messageRow(message, address);
  const received = inMessage === null ? null : 'kind' in inMessage ? row(inMessage) : inMessage.hash;
  const ignores = ignoreSignatures === true ? 1 : 0;
  const sent = outMessages.map(row);
  return [address, boc.length, packed.length, codeHash, ignores, hash, lt.toString(), now, received, sent];
}

function keptTransaction(row: TransactionRow, blob: (length: number) => Buffer): KeptTransaction {
  const [account, length, accountLength, codeHash, ignores, hash, lt, now, received, sent] = row;
  const address = keptAddress(account);
  const inMessage: TransactionHead['inMessage'] =
    typeof received === 'string' ? { hash: keptHash(received) } : received && messageHead(received, address);
  const outMessages = sent.map((message) => messageHead(message, address));
  return {
    address,
    boc: blob(length),
    packed: blob(accountLength),
    codeHash: codeHash === null ? null : keptHash(codeHash),
    head: { hash: keptHash(hash), lt: BigInt(lt), now, inMessage, outMessages },
    ...(ignores === 1 ? { ignoreSignatures: true } : {}),
  };
}

function messageRow(message: MessageHead, account: string): MessageRow {
  const { hash, normalized, kind, source, destination, createdLt, createdAt, opcode, bodyHash } = message;
  const from = source === account ? 0 : source;
  const to = destination === account ? 0 : destination;
  return [hash, normalized, kind, from, to, createdLt.toString(), createdAt, opcode, bodyHash];
}

function messageHead(row: MessageRow, account: string): MessageHead {
  const [hash, normalized, kind, from, to, createdLt, createdAt, opcode, bodyHash] = row;
  const addressOf = (kept: string | 0 | null): string | null =>
    kept === null ? null : kept === 0 ? account : keptAddress(kept);
  return {
    hash: keptHash(hash),
    normalized: normalized === null ? null : keptHash(normalized),
    kind,
    source: addressOf(from),
    destination: addressOf(to),
    createdLt: BigInt(createdLt),
    createdAt,
    opcode,
    bodyHash: keptHash(bodyHash),
  };
}

/**
 * Converts old journal formats: hashes in base64, addresses in uppercase. Both are still read, but written in the
 * internal form.
 */

export function keptHash(text: string): string {
  return text.length === 64 ? text : Buffer.from(text, 'base64').toString('hex');
}

export function keptAddress(text: string): string {
  return lowerHex(text);
}

function keptFailure(message: FailedMessage): FailedMessage {
  return { ...message, hash: keptHash(message.hash), destination: keptAddress(message.destination) };
}

export function keptSettings(settings: ChainSettings): ChainSettings {
  const { names } = settings;
  if (names === undefined) {
    return settings;
  }
  const entries = Object.entries(names).map(([address, name]) => [keptAddress(address), name] as const);
  return { ...settings, names: Object.fromEntries(entries) };
}
