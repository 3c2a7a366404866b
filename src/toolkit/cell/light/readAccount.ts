import { BitCursor } from './bitCursor';
import type { LightCell } from './lightCell';
import { MalformedCellError } from './malformedCellError';
import { walkDictionary } from './walkDictionary';
import { readAddress } from './readMessage';

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
    libraries: null,
  };
  const last = { account, lastTransactionHash, lastTransactionLt };
  if (!cursor.bit()) {
    return { ...empty, ...last, status: 'nonexist', balance: 0n, extraCurrencies: noCurrencies };
  }
  readAddress(cursor);
  const lastPaid = skipStorageInfo(cursor);
  cursor.skip(64);
  const balance = cursor.coins();
  const currencies = cursor.maybeRef();
  const extraCurrencies = currencies === null ? noCurrencies : readCurrencies(currencies);
  return { ...empty, ...last, balance, extraCurrencies, lastPaid, ...readState(cursor) };
}

function skipStorageInfo(cursor: BitCursor): number {
  cursor.varUint(3);
  cursor.varUint(3);
  const extra = cursor.uint(3);
  if (extra === 1) {
    cursor.skip(256);
  } else if (extra !== 0) {
    throw new MalformedCellError('unknown storage information');
  }
  const lastPaid = cursor.uint(32);
  if (cursor.bit()) {
    cursor.coins();
  }
  return lastPaid;
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
