import type { JournalEntry } from '../records/journalEntry';
import { joinEntry, splitEntry } from '../../journal/entryBytes';
import type { StateFidelity } from '../../accounts/accountSource';
import type { ForkPoint } from '../records/forkPoint';
import type { ChainSettings } from '../records/chainSettings';
import type { LedgerBase } from '../records/blockInput';
import type { BlockHead } from './blockEntry';
import { joinBlock, splitBlock } from './blockEntry';
import { keptAddress, keptHash, keptSettings } from './keptForms';

/** The journal's format: a head with the entry's type, and its byte strings. */
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

/** The head written by {@link encodeEntry}. */
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

/** The inverse of {@link encodeEntry}; throws if the bytes are not an entry. A block keeps views of `bytes`. */
export function decodeEntry(bytes: Buffer): JournalEntry {
  const { head: read, rest } = splitEntry(bytes);
  const head = read as Head;
  switch (head.type) {
    case 'restored':
      return head;
    case 'settings':
    case 'fork':
      return { ...head, settings: keptSettings(head.settings) };
    case 'loaded':
      return { type: 'loaded', base: { ...head.base, endLt: BigInt(head.base.endLt) } };
    case 'accepted':
      return { ...head, hash: keptHash(head.hash), boc: Buffer.from(rest) };
    case 'injected': {
      const destination = keptAddress(head.destination);
      return { ...head, hash: keptHash(head.hash), destination, boc: Buffer.from(rest) };
    }
    case 'library':
      return { ...head, boc: Buffer.from(rest) };
    case 'fetched':
      return { ...head, address: keptAddress(head.address), shardAccount: Buffer.from(rest) };
    case 'block': {
      let offset = 0;
      const view = (length: number): Buffer => {
        offset += length;
        return rest.subarray(offset - length, offset);
      };
      return { type: 'block', block: joinBlock(head, view), settled: head.settled.map(keptHash) };
    }
    default:
      throw new Error('an entry of a kind that this version does not support');
  }
}
