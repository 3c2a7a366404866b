import type { StateFidelity } from '../../accounts/accountSource';
import type { ForkPoint } from '../fork/forkPoint';
import type { ChainSettings } from '../chain/chainSettings';
import type { KeptBlock } from '../chain/ledger';
import type { BlockHead } from './blockEntry';
import { joinBlock, splitBlock } from './blockEntry';

/** What happened to a chain, in order. Applied one after the other, entries give the chain again. */
export type JournalEntry =
  /** An external message (with its hash, base64) was accepted; it is answered only after this is written. */
  | { type: 'accepted'; hash: string; boc: Buffer }
  /** A block was made; `settled` are the accepted messages (hashes, base64) that it executed or dropped. */
  | { type: 'block'; block: KeptBlock; settled: string[] }
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

interface Parts {
  head: unknown;
  blobs: Buffer[];
}

function split(entry: JournalEntry): Parts {
  switch (entry.type) {
    case 'accepted':
      return { head: { hash: entry.hash }, blobs: [entry.boc] };
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
    case 'block':
      return splitBlock(entry.block, entry.settled);
  }
}

/** The opposite of {@link encodeEntry}; throws when the bytes are no entry. A block keeps views of `bytes`. */
export function decodeEntry(bytes: Buffer): JournalEntry {
  const type = types[bytes[0] ?? -1];
  const end = 5 + bytes.readUInt32BE(1);
  const head: unknown = JSON.parse(bytes.toString('utf8', 5, end));
  let offset = end;
  const view = (length: number): Buffer => {
    offset += length;
    return bytes.subarray(offset - length, offset);
  };
  const blob = (length: number): Buffer => Buffer.from(view(length));
  switch (type) {
    case 'accepted':
      return { type, hash: (head as { hash: string }).hash, boc: blob(bytes.length - end) };
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
      const block = joinBlock(head as BlockHead, view);
      return { type, block, settled: (head as BlockHead).settled };
    }
    default:
      throw new Error('unknown kind of entry');
  }
}
