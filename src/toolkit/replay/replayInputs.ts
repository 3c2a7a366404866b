import type { TupleItem } from '@ton/core';
import { Address, Cell, serializeTuple } from '@ton/core';
import type { SourcedAccount } from '../accounts/libraryShelf';
import type { V3Block } from '../api/v3Blocks';
import { disassembleCode } from '../cell/disassembleCode';
import { loadAnyTransaction } from '../cell/loadFolded';
import { WorkbenchError } from '../base/errors';
import { secondsProblem } from '../base/numberWidths';
import { readTonAmount } from '../stack/integerText';
import type { ReplayEdits } from './replayEdits';

/** Reads the values of edits; both throw on text that is none. */
export interface EditValueReaders {
  /** A cell: stack text such as `b(u32 1)`, a BoC, or a file. */
  cell(text: string): Promise<Cell>;
  /** A body as messages are composed, `Increase {by: 5}` or `comment "hi"`; undefined for text that is a cell. */
  body?(text: string): Promise<Cell | undefined>;
  /** The raw address for an address or name. */
  address(text: string): Promise<string>;
}

const keys = ['body', 'value', 'sender', 'time', 'balance', 'code', 'data', 'config.N', 'signature'];

/**
 * Edits as text, `KEY=VALUE`: `body=b(u32 1)` or `body=Increase {by: 5}`, `value=0.5`, `sender=bob`, `time=1767225600` or `time=+60` (seconds),
 * `balance=10`, `code=FILE`, `data=b(u64 7)`, `config.8=BOC`, `signature=ignored`.
 *
 * @param inputs the transaction's, for its time
 * @throws WorkbenchError `replay-edit-invalid` (input), and the errors of the readers
 */
export async function readReplayEdits(
  texts: readonly string[],
  inputs: ReplayInputs,
  readers: EditValueReaders,
): Promise<ReplayEdits> {
  const { now } = loadAnyTransaction(Cell.fromBase64(inputs.target.boc));
  let edits: ReplayEdits = {};
  const given = new Set<string>();
  for (const text of texts) {
    const [, key = '', value = ''] = /^\s*([\w.]+)\s*=(.*)$/s.exec(text) ?? [];
    if (given.has(key)) {
      throw invalidError(text, `${key} is given twice`);
    }
    given.add(key);
    edits = { ...edits, ...(await readEdit({ text, key, value: value.trim(), now, readers }, edits)) };
  }
  return edits;
}

interface EditText {
  text: string;
  key: string;
  value: string;
  now: number;
  readers: EditValueReaders;
}

async function readEdit(edit: EditText, before: ReplayEdits): Promise<ReplayEdits> {
  const { text, key, value, readers } = edit;
  switch (key) {
    case 'body':
      return { body: (await readers.body?.(value)) ?? (await readers.cell(value)) };
    case 'code':
      return { code: await readers.cell(value) };
    case 'data':
      return { data: await readers.cell(value) };
    case 'sender':
      return { sender: Address.parse(await readers.address(value)) };
    case 'value':
      return { value: coins(edit) };
    case 'balance':
      return { balance: coins(edit) };
    case 'time':
      return { now: time(edit) };
    case 'signature':
      if (value !== 'ignored') {
        throw invalidError(text, 'the only value of signature is ignored');
      }
      return { ignoreSignatures: true };
    default: {
      const [, id] = /^config\.(-?\d{1,9})$/.exec(key) ?? [];
      if (id === undefined) {
        throw invalidError(text, key === '' ? 'it has no KEY=' : `there is nothing called ${key} to change`);
      }
      return { config: new Map([...(before.config ?? []), [Number(id), await readers.cell(value)]]) };
    }
  }
}

function coins({ text, value }: EditText): bigint {
  const amount = readTonAmount(value);
  if (amount === undefined) {
    throw invalidError(text, 'its value is not an amount such as 0.5');
  }
  return amount;
}

function time({ text, value, now }: EditText): number {
  const wanted = readEditTime(value, now);
  if (wanted === undefined) {
    throw invalidError(text, 'its value is neither Unix seconds nor a change such as +60');
  }
  return wanted;
}

/** Unix seconds, or a change such as `+60` of `now`; undefined if the text is neither. */
export function readEditTime(text: string, now: number): number | undefined {
  const [, sign, digits] = /^([+-]?)(\d{1,10})$/.exec(text) ?? [];
  const seconds = Number(digits);
  const wanted = sign === '+' ? now + seconds : sign === '-' ? now - seconds : seconds;
  return digits === undefined || secondsProblem(wanted) !== undefined ? undefined : wanted;
}

function invalidError(text: string, problem: string): WorkbenchError {
  return new WorkbenchError({
    code: 'replay-edit-invalid',
    kind: 'input',
    message: `The change ${JSON.stringify(text.slice(0, 200))} cannot be made: ${problem}.`,
    hint: `Write KEY=VALUE with one of ${keys.join(', ')}.`,
  });
}

/** A transaction of the chain, and what its block gave it. */
export interface PastTransaction {
  /** The transaction cell as BoC, base64. */
  boc: string;
  /** Random seed of its block: 32 bytes, lowercase hex. */
  seed: string;
}

/** Everything that a transaction depended on: enough to run it again without a network. */
export interface ReplayInputs {
  /** Name of the network, for people. */
  network: string;
  /** Raw address of the account. */
  account: string;
  /** The masterchain block that holds the transaction or refers to its block; undefined for a transaction of a test. */
  seqno?: number | undefined;
  /** The transaction to replay. */
  target: PastTransaction;
  /** The account's state at the end of the masterchain block before. */
  state: SourcedAccount;
  /** The account's transactions between that state and the target, oldest first. */
  earlier: readonly PastTransaction[];
  /** The configuration in force, as getConfigAll gives it: BoC, base64. */
  config: string;
  /** Library cells that the state and the messages refer to: BoCs, base64. */
  libraries: readonly string[];
  /** The previous blocks, if the code reads them and the network has them. */
  previousBlocks?: PreviousBlocks | undefined;
  /** The code reads previous blocks, but the service did not give them. */
  lacksPreviousBlocks?: true | undefined;
  /** Hashes (lowercase hex) of libraries that the network did not give. */
  missingLibraries: readonly string[];
  /** All signature checks passed. */
  ignoreSignatures?: true | undefined;
  /** It ran on an engine such as ours, whatever version of TVM and rules the configuration says. */
  isOurs?: true | undefined;
  /** Commit of the TON sources of the engine that ran it, if that is known. */
  engine?: string | undefined;
}

/** A masterchain block. */
interface MasterchainBlock {
  seqno: number;
  /** Lowercase hex. */
  rootHash: string;
  fileHash: string;
}

/** The blocks that code can ask for with PREVMCBLOCKS and its siblings. */
export interface PreviousBlocks {
  /** The 16 newest, newest first. */
  last: readonly MasterchainBlock[];
  /** The newest key block. */
  key: MasterchainBlock;
  /**
   * The 16 newest whose seqno is divisible by 100, newest first; empty if the code does not ask for them. Undefined if
   * the VM had no such list.
   */
  hundreds?: readonly MasterchainBlock[] | undefined;
}

/** Whether code asks for previous blocks: for none, for those but the hundreds, or for all. */
type PreviousBlocksUse = 'none' | 'recent' | 'all';

/**
 * Finds the instructions that read previous blocks in codes. Data that looks like such an instruction counts, too: a few
 * requests too many do no harm.
 */
export async function previousBlocksUse(codes: readonly Cell[]): Promise<PreviousBlocksUse> {
  let use: PreviousBlocksUse = 'none';
  for (const code of codes) {
    const text = await disassembleCode(code).then(
      (listing) => listing.text,
      // What cannot be read may ask for them.
      () => 'PREVMCBLOCKS',
    );
    if (/\b(?:PREVMCBLOCKS_100|PREVBLOCKSINFOTUPLE|GETPARAM(?:LONG)? 13)\b/.test(text)) {
      return 'all';
    }
    if (/\b(?:PREVMCBLOCKS|PREVKEYBLOCK)\b/.test(text)) {
      use = 'recent';
    }
  }
  return use;
}

/** Previous blocks as the engine takes them: a tuple of the VM, BoC in base64. */
export function previousBlocksBoc({ last, key, hundreds }: PreviousBlocks): string {
  const items = [
    tuple(last.map(blockTuple)),
    blockTuple(key),
    ...(hundreds === undefined ? [] : [tuple(hundreds.map(blockTuple))]),
  ];
  const stack = serializeTuple([tuple(items)]).beginParse();
  // The depth of the stack and the rest below: what remains is the value.
  stack.skip(24);
  stack.loadRef();
  return stack.asCell().toBoc().toString('base64');
}

function blockTuple({ seqno, rootHash, fileHash }: MasterchainBlock): TupleItem {
  return tuple([
    int(-1n),
    int(-(1n << 63n)),
    int(BigInt(seqno)),
    int(BigInt(`0x${rootHash}`)),
    int(BigInt(`0x${fileHash}`)),
  ]);
}

function int(value: bigint): TupleItem {
  return { type: 'int', value };
}

function tuple(items: TupleItem[]): TupleItem {
  return { type: 'tuple', items };
}

const masterchain = { workchain: -1, shard: '8000000000000000' };
const count = 16;

/** What is asked of `/api/v3/blocks`. */
export interface BlockQuery {
  workchain: number;
  shard: string;
  seqno?: number;
  end_lt?: bigint;
  limit: number;
  sort?: 'asc' | 'desc';
}

/**
 * The blocks before a transaction: 2 to 3 requests, and 16 more for those whose seqno is divisible by 100.
 *
 * @param newest seqno of the masterchain block that the transaction's block refers to
 * @returns undefined if the service does not have one of them
 */
export async function fetchPreviousBlocks(
  newest: number,
  withHundreds: boolean,
  ask: (query: BlockQuery) => Promise<readonly V3Block[]>,
): Promise<PreviousBlocks | undefined> {
  const known = new Map<number, V3Block>();
  const one = async (seqno: number): Promise<V3Block | undefined> => {
    const block = known.get(seqno) ?? (await ask({ ...masterchain, seqno, limit: 1 }))[0];
    return block?.seqno === seqno ? block : undefined;
  };
  const first = await one(newest);
  if (first?.end_lt == null) {
    return undefined;
  }
  for (const block of await ask({ ...masterchain, end_lt: first.end_lt, limit: count, sort: 'desc' })) {
    known.set(block.seqno ?? -1, block);
  }
  known.set(newest, first);
  const key = first.key_block === true ? newest : (first.prev_key_block_seqno ?? -1);
  const hundred = newest - (newest % 100);
  const wanted = {
    last: seqnos(newest, 1),
    key: [key],
    hundreds: withHundreds ? seqnos(hundred, 100) : [],
  };
  const blocks = async (numbers: readonly number[]): Promise<MasterchainBlock[]> => {
    const found: MasterchainBlock[] = [];
    for (const seqno of numbers) {
      const block = await one(seqno);
      if (block?.root_hash != null && block.file_hash != null) {
        found.push({ seqno, rootHash: block.root_hash, fileHash: block.file_hash });
      }
    }
    return found;
  };
  const last = await blocks(wanted.last);
  const [keyBlock] = await blocks(wanted.key);
  const hundreds = await blocks(wanted.hundreds);
  const isWhole = last.length === wanted.last.length && hundreds.length === wanted.hundreds.length;
  return isWhole && keyBlock !== undefined ? { last, key: keyBlock, hundreds } : undefined;
}

/** The newest first; the first block has seqno 1. */
function seqnos(newest: number, step: number): number[] {
  return Array.from({ length: count }, (_, index) => newest - index * step).filter((seqno) => seqno > 0);
}
