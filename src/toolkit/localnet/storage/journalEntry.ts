import { joinEntry, splitEntry } from '../../journal/entryBytes';
import type { StateFidelity } from '../../accounts/accountSource';
import type { ForkPoint } from '../fork/forkPoint';
import type { ChainSettings } from '../chain/chainSettings';
import type { KeptBlock, LedgerBase } from '../chain/ledger';
import type { BlockHead } from './blockEntry';
import { joinBlock, splitBlock } from './blockEntry';

/** What happened to a chain, in order. Applied one after the other, entries give the chain again. */
export type JournalEntry =
  /** An external message (with its hash, base64) was accepted; it is answered only after this is written. */
  | { type: 'accepted'; hash: string; boc: Buffer }
  /** An internal message from outside the protocol waits for its block. */
  | { type: 'injected'; hash: string; destination: string; boc: Buffer }
  /** A block was made; `settled` are the messages above (hashes, base64) that it executed or dropped. */
  | { type: 'block'; block: KeptBlock; settled: string[] }
  | { type: 'settings'; settings: ChainSettings }
  /** The chain was taken back to the end of that block. */
  | { type: 'restored'; seqno: number }
  /** The chain goes on from a state that was loaded, which the next block brings; the first entry of such a chain. */
  | { type: 'loaded'; base: LedgerBase }
  /** The chain goes on from a block of another network; the first entry of a fork. */
  | { type: 'fork'; point: ForkPoint; settings: ChainSettings }
  /** An account was read from that network; an empty ShardAccount says that there is none. */
  | { type: 'fetched'; address: string; fidelity: StateFidelity; shardAccount: Buffer }
  | { type: 'library'; boc: Buffer };

/** As the journal keeps it: a head with the entry's type, and the byte strings it speaks of. */
export function encodeEntry(entry: JournalEntry): Buffer {
  const { head, blobs } = split(entry);
  return joinEntry({ head: { type: entry.type, ...head }, blobs });
}

function split(entry: JournalEntry): { head: object; blobs: readonly Buffer[] } {
  switch (entry.type) {
    case 'accepted':
      return { head: { hash: entry.hash }, blobs: [entry.boc] };
    case 'injected':
      return { head: { hash: entry.hash, destination: entry.destination }, blobs: [entry.boc] };
    case 'settings':
      return { head: { settings: entry.settings }, blobs: [] };
    case 'restored':
      return { head: { seqno: entry.seqno }, blobs: [] };
    case 'loaded':
      return { head: { base: { ...entry.base, endLt: entry.base.endLt.toString() } }, blobs: [] };
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

/** What {@link encodeEntry} puts into a head. */
type Head =
  | { type: 'accepted'; hash: string }
  | { type: 'injected'; hash: string; destination: string }
  | { type: 'settings'; settings: ChainSettings }
  | { type: 'restored'; seqno: number }
  | { type: 'loaded'; base: Omit<LedgerBase, 'endLt'> & { endLt: string } }
  | { type: 'fork'; point: ForkPoint; settings: ChainSettings }
  | { type: 'fetched'; address: string; fidelity: StateFidelity }
  | { type: 'library' }
  | ({ type: 'block' } & BlockHead);

/** The opposite of {@link encodeEntry}; throws when the bytes are no entry. A block keeps views of `bytes`. */
export function decodeEntry(bytes: Buffer): JournalEntry {
  const { head: read, rest } = splitEntry(bytes);
  const head = read as Head;
  switch (head.type) {
    case 'settings':
    case 'restored':
    case 'fork':
      return head;
    case 'loaded':
      return { type: 'loaded', base: { ...head.base, endLt: BigInt(head.base.endLt) } };
    case 'accepted':
    case 'injected':
    case 'library':
      return { ...head, boc: Buffer.from(rest) };
    case 'fetched':
      return { ...head, shardAccount: Buffer.from(rest) };
    case 'block': {
      let offset = 0;
      const view = (length: number): Buffer => {
        offset += length;
        return rest.subarray(offset - length, offset);
      };
      return { type: 'block', block: joinBlock(head, view), settled: head.settled };
    }
    default:
      throw new Error('an entry of a kind that this version does not know');
  }
}
