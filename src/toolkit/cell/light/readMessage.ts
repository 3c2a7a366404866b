import { BitCursor, MalformedCellError, walkDictionary } from './bitCursor';
import type { LightCell } from './lightCell';
import { ordinaryCell } from './lightCell';

export type MessageKind = 'internal' | 'external-in' | 'external-out';

/** What routing and the index need from a message (block.tlb, `Message Any`). */
export interface MessageFacts {
  kind: MessageKind;
  /** Raw addresses in lowercase; null for none or an external address. */
  source: string | null;
  destination: string | null;
  /** 0 for an external-in message. */
  createdLt: bigint;
  createdAt: number;
  /** The body as a separate cell. */
  body: LightCell;
  hasInit: boolean;
  /** Nanocoins that an internal message carries; 0 for others. */
  value: bigint;
  bounced: boolean;
  hasExtraCurrencies: boolean;
}

/** Throws MalformedCellError if the cell is not a message. */
export function readMessage(cell: LightCell): MessageFacts {
  const cursor = new BitCursor(cell);
  const facts = readInfo(cursor);
  const hasInit = cursor.bit();
  if (hasInit) {
    if (cursor.bit()) {
      cursor.ref();
    } else {
      skipStateInit(cursor);
    }
  }
  const body = cursor.bit() ? cursor.ref() : cursor.rest();
  return { ...facts, body, hasInit };
}

/** Values of messages from and to the outside, which lack them. */
const plain = { value: 0n, bounced: false, hasExtraCurrencies: false };

function readInfo(cursor: BitCursor): Omit<MessageFacts, 'body' | 'hasInit'> {
  if (!cursor.bit()) {
    const bounced = cursor.skip(2).bit();
    const source = readAddress(cursor);
    const destination = readAddress(cursor);
    const value = cursor.coins();
    const hasExtraCurrencies = cursor.maybeRef() !== null;
    cursor.coins();
    cursor.coins();
    const createdLt = cursor.bigUint(64);
    return {
      kind: 'internal',
      source,
      destination,
      createdLt,
      createdAt: cursor.uint(32),
      value,
      bounced,
      hasExtraCurrencies,
    };
  }
  const outgoing = cursor.bit();
  const source = readAddress(cursor);
  const destination = readAddress(cursor);
  if (outgoing) {
    const createdLt = cursor.bigUint(64);
    const createdAt = cursor.uint(32);
    return { kind: 'external-out', source, destination, createdLt, createdAt, ...plain };
  }
  cursor.coins();
  return { kind: 'external-in', source, destination, createdLt: 0n, createdAt: 0, ...plain };
}

/** MsgAddress; external and variable addresses count as none. */
export function readAddress(cursor: BitCursor): string | null {
  switch (cursor.uint(2)) {
    case 0:
      return null;
    case 1:
      cursor.skip(cursor.uint(9));
      return null;
    case 2:
      skipAnycast(cursor);
      return rawAddress(cursor.int(8), cursor.bytes(32));
    default: {
      skipAnycast(cursor);
      const length = cursor.uint(9);
      cursor.skip(32 + length);
      return null;
    }
  }
}

function skipAnycast(cursor: BitCursor): void {
  if (cursor.bit()) {
    cursor.skip(cursor.uint(5));
  }
}

/** `workchain:hex` in lowercase: the form of addresses everywhere inside the program. */
export function rawAddress(workchain: number, hash: Buffer): string {
  return `${workchain}:${hash.toString('hex')}`;
}

export function isMasterchain(address: string): boolean {
  return address.startsWith('-1:');
}

function skipStateInit(cursor: BitCursor): void {
  if (cursor.bit()) {
    cursor.skip(5);
  }
  if (cursor.bit()) {
    cursor.skip(2);
  }
  cursor.maybeRef();
  cursor.maybeRef();
  cursor.maybeRef();
}

/** First 32 bits of a body, or null if it is shorter. */
export function readOpcode(body: LightCell): number | null {
  return body.bitLength >= 32 && !body.exotic ? body.data.readUInt32BE(0) : null;
}

/**
 * TEP-467: the hash of an external-in message rebuilt without source, import fee, and state init, with its body in a
 * reference. Lowercase hex.
 */
export function normalizedMessageHash(message: LightCell, facts: MessageFacts): string {
  const cursor = new BitCursor(message).skip(2);
  readAddress(cursor);
  const from = message.bitLength - cursor.remainingBits;
  readAddress(cursor);
  const length = message.bitLength - cursor.remainingBits - from;
  if (facts.destination === null || length !== 267) {
    throw new MalformedCellError('destination missing');
  }
  const destination = new BitCursor(message).skip(from);
  // 10 (external-in), 00 (no source), the destination's 267 bits, 0000 (no fee), 0 (no init), 1 (body in a reference)
  const bits = `1000${bitText(destination, length)}000001`;
  return ordinaryCell(bytesOf(bits), bits.length, [facts.body]).hexHash;
}

function bitText(cursor: BitCursor, length: number): string {
  return cursor.bigUint(length).toString(2).padStart(length, '0');
}

function bytesOf(bits: string): Buffer {
  const padded = bits.length % 8 === 0 ? bits : `${bits}1`.padEnd(Math.ceil((bits.length + 1) / 8) * 8, '0');
  return Buffer.from(BigInt(`0b1${padded}`).toString(16).slice(1), 'hex');
}

/** What the index stores about a message. Hashes are hex, addresses raw, both lowercase. */
export interface MessageHead {
  hash: string;
  /** Normalized hash of an external-in message if it differs from `hash`. */
  normalized: string | null;
  kind: MessageKind;
  source: string | null;
  destination: string | null;
  createdLt: bigint;
  createdAt: number;
  opcode: number | null;
  bodyHash: string;
}

/** Throws MalformedCellError if the cell is not a message. */
export function readMessageHead(cell: LightCell): MessageHead {
  const facts = readMessage(cell);
  const { kind, source, destination, createdLt, createdAt, body } = facts;
  const hash = cell.hexHash;
  const normalized = kind === 'external-in' ? normalizedMessageHash(cell, facts) : hash;
  return {
    hash,
    normalized: normalized === hash ? null : normalized,
    kind,
    source,
    destination,
    createdLt,
    createdAt,
    opcode: readOpcode(body),
    bodyHash: body.hexHash,
  };
}

type AccountStatus = 'nonexist' | 'uninit' | 'active' | 'frozen';

/** An account as stated by its ShardAccount (block.tlb). */
export interface AccountFacts {
  status: AccountStatus;
  /** Nanocoins. */
  balance: bigint;
  /** By id. */
  extraCurrencies: Readonly<Record<string, bigint>>;
  lastTransactionLt: bigint;
  /** Lowercase hex. */
  lastTransactionHash: string;
  /** The Account cell (its hash is the account's state hash). */
  account: LightCell;
  code: LightCell | null;
  data: LightCell | null;
  /** Hash of the state if frozen, lowercase hex. */
  frozenHash: string | null;
  /** Whether the masterchain calls it in every block. */
  tick: boolean;
  tock: boolean;
  lastPaid: number;
  /** Rent that it owes, in nanocoins. */
  duePayment: bigint;
  /** Dictionary of the account's libraries. */
  libraries: LightCell | null;
}

const noCurrencies = Object.freeze({});

/** Throws MalformedCellError if the cell is not a ShardAccount. */
export function readAccount(shardAccount: LightCell): AccountFacts {
  const root = new BitCursor(shardAccount);
  const account = root.ref();
  const lastTransactionHash = root.bytes(32).toString('hex');
  const lastTransactionLt = root.bigUint(64);
  const cursor = new BitCursor(account);
  const empty = {
    code: null,
    data: null,
    frozenHash: null,
    tick: false,
    tock: false,
    lastPaid: 0,
    duePayment: 0n,
    libraries: null,
  };
  const last = { account, lastTransactionHash, lastTransactionLt };
  if (!cursor.bit()) {
    return { ...empty, ...last, status: 'nonexist', balance: 0n, extraCurrencies: noCurrencies };
  }
  readAddress(cursor);
  const storage = readStorageInfo(cursor);
  cursor.skip(64);
  const balance = cursor.coins();
  const currencies = cursor.maybeRef();
  const extraCurrencies = currencies === null ? noCurrencies : readCurrencies(currencies);
  return { ...empty, ...last, balance, extraCurrencies, ...storage, ...readState(cursor) };
}

function readStorageInfo(cursor: BitCursor): Pick<AccountFacts, 'lastPaid' | 'duePayment'> {
  cursor.varUint(3);
  cursor.varUint(3);
  const extra = cursor.uint(3);
  if (extra === 1) {
    cursor.skip(256);
  } else if (extra !== 0) {
    throw new MalformedCellError('unknown storage information');
  }
  const lastPaid = cursor.uint(32);
  return { lastPaid, duePayment: cursor.bit() ? cursor.coins() : 0n };
}

function readState(
  cursor: BitCursor,
): Pick<AccountFacts, 'status'> &
  Partial<Pick<AccountFacts, 'code' | 'data' | 'frozenHash' | 'tick' | 'tock' | 'libraries'>> {
  if (cursor.bit()) {
    if (cursor.bit()) {
      cursor.skip(5);
    }
    const special = cursor.bit();
    const tick = special && cursor.bit();
    const tock = special && cursor.bit();
    const code = cursor.maybeRef();
    const data = cursor.maybeRef();
    return { status: 'active', tick, tock, code, data, libraries: cursor.maybeRef() };
  }
  return cursor.bit()
    ? { status: 'frozen', frozenHash: cursor.bytes(32).toString('hex') }
    : { status: 'uninit' };
}

function readCurrencies(dictionary: LightCell): Record<string, bigint> {
  const result: Record<string, bigint> = {};
  walkDictionary(dictionary, 32, (id, amount) => {
    result[id.toString()] = amount.varUint(5);
  });
  return result;
}
