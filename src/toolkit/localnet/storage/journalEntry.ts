import type { StateFidelity } from '../../accounts/accountSource';
import type { ForkPoint } from '../fork/forkPoint';
import type { ChainSettings } from '../chain/chainSettings';
import type { AccountChange } from '../chain/accountIndex';
import type { BlockInput } from '../chain/ledger';

/** What happened to a chain, in order. Applied one after the other, entries give the chain again. */
export type JournalEntry =
  /** An external message was accepted; it is answered only after this is written. */
  | { type: 'accepted'; boc: Buffer }
  /** A block was made; `settled` are the accepted messages (hashes, base64) that it executed or dropped. */
  | { type: 'block'; block: BlockInput; settled: string[] }
  | { type: 'settings'; settings: ChainSettings }
  /** The chain was taken back to the end of that block. */
  | { type: 'restored'; seqno: number }
  /** The chain goes on from a block of another network; the first entry of a fork. */
  | { type: 'fork'; point: ForkPoint; settings: ChainSettings }
  /** An account was read from that network; an empty ShardAccount says that there is none. */
  | { type: 'fetched'; address: string; fidelity: StateFidelity; shardAccount: Buffer }
  | { type: 'library'; boc: Buffer };

const types = ['accepted', 'block', 'settings', 'restored', 'fork', 'fetched', 'library'] as const;

/** One byte for the type, the length of a JSON head, the head, and the byte strings it speaks of. */
export function encodeEntry(entry: JournalEntry): Buffer {
  const { head, blobs } = split(entry);
  const json = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.allocUnsafe(5);
  prefix[0] = types.indexOf(entry.type);
  prefix.writeUInt32BE(json.length, 1);
  return Buffer.concat([prefix, json, ...blobs]);
}

interface BlockHead {
  genUtime: number;
  startLt: string;
  settled: string[];
  /** Address and length of the account. */
  changes: [string, number][];
  /** Address, lengths of the transaction and the account, 1 when signatures were ignored. */
  transactions: [string, number, number, 0 | 1][];
}

interface Parts {
  head: unknown;
  blobs: Buffer[];
}

function split(entry: JournalEntry): Parts {
  switch (entry.type) {
    case 'accepted':
      return { head: {}, blobs: [entry.boc] };
    case 'settings':
      return { head: entry.settings, blobs: [] };
    case 'restored':
      return { head: { seqno: entry.seqno }, blobs: [] };
    case 'fork':
      return { head: { point: entry.point, settings: entry.settings }, blobs: [] };
    case 'fetched':
      return { head: { address: entry.address, fidelity: entry.fidelity }, blobs: [entry.shardAccount] };
    case 'library':
      return { head: {}, blobs: [entry.boc] };
    case 'block': {
      const { genUtime, startLt, changes, transactions } = entry.block;
      const head: BlockHead = {
        genUtime,
        startLt: startLt.toString(),
        settled: entry.settled,
        changes: changes.map(({ address, shardAccount }) => [address, shardAccount.length]),
        transactions: transactions.map(({ address, boc, shardAccount, ignoreSignatures }) => [
          address,
          boc.length,
          shardAccount.length,
          ignoreSignatures === true ? 1 : 0,
        ]),
      };
      const blobs = [
        ...changes.map(({ shardAccount }) => shardAccount),
        ...transactions.flatMap(({ boc, shardAccount }) => [boc, shardAccount]),
      ];
      return { head, blobs };
    }
  }
}

/** The opposite of {@link encodeEntry}; throws when the bytes are no entry. */
export function decodeEntry(bytes: Buffer): JournalEntry {
  const type = types[bytes[0] ?? -1];
  const end = 5 + bytes.readUInt32BE(1);
  const head: unknown = JSON.parse(bytes.toString('utf8', 5, end));
  let offset = end;
  const blob = (length: number): Buffer => {
    const part = Buffer.from(bytes.subarray(offset, offset + length));
    offset += length;
    return part;
  };
  switch (type) {
    case 'accepted':
    case 'library':
      return { type, boc: blob(bytes.length - end) };
    case 'fork':
      return { type, ...(head as { point: ForkPoint; settings: ChainSettings }) };
    case 'fetched': {
      const facts = head as { address: string; fidelity: StateFidelity };
      return { type, ...facts, shardAccount: blob(bytes.length - end) };
    }
    case 'settings':
      return { type, settings: head as ChainSettings };
    case 'restored':
      return { type, seqno: (head as { seqno: number }).seqno };
    case 'block': {
      const { genUtime, startLt, settled, changes, transactions } = head as BlockHead;
      const account = (address: string, length: number): AccountChange => ({
        address,
        shardAccount: blob(length),
      });
      const block: BlockInput = {
        genUtime,
        startLt: BigInt(startLt),
        changes: changes.map(([address, length]) => account(address, length)),
        transactions: transactions.map(([address, length, accountLength, ignored]) => {
          const boc = blob(length);
          return {
            boc,
            ...account(address, accountLength),
            ...(ignored === 1 ? { ignoreSignatures: true } : {}),
          };
        }),
      };
      return { type, block, settled };
    }
    default:
      throw new Error('unknown kind of entry');
  }
}
