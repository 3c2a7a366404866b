import { createHash } from 'node:crypto';
import type { Cell, Slice } from '@ton/core';
import { Address, beginCell } from '@ton/core';
import { readDictionary } from '../../cell/tokenContent';
import { WorkBudget } from '../../base/limits';
import { rawAddress } from '../../cell/light/readMessage';

/** Categories of TEP-81 by the hash that is their key in the dictionary. */
const categories = new Map(
  ['dns_next_resolver', 'wallet', 'site', 'storage'].map((name) => [dnsCategory(name), name]),
);

/** The key of a category's record in the dictionary: SHA-256 of its name. */
export function dnsCategory(name: string): bigint {
  return BigInt(`0x${createHash('sha256').update(name).digest('hex')}`);
}

/** The content of one record; addresses are raw, the rest is hex, both lowercase. */
export type DnsRecord =
  | { type: 'next-resolver' | 'contract' | 'adnl' | 'storage'; value: string }
  | { type: 'text'; value: string }
  | { type: 'unknown'; value: Cell };

/** One entry of a name's record dictionary. */
export interface DnsEntry {
  /** The key: SHA-256 of the category's name. */
  category: bigint;
  /** The category's name, if TEP-81 defines it. */
  name: string | undefined;
  record: DnsRecord;
}

/** The records of a name from `dnsresolve` for category 0; unreadable ones are skipped. */
export function readDnsRecords(dictionary: Cell): DnsEntry[] {
  const entries: DnsEntry[] = [];
  try {
    readDictionary(dictionary, 256, new WorkBudget('dictionaryCells'), (category, value) =>
      entries.push({
        category,
        name: categories.get(category),
        record: readDnsRecord(value.loadRef()),
      }),
    );
    return entries;
  } catch {
    return [];
  }
}

/** `DNSRecord` of block.tlb. */
export function readDnsRecord(cell: Cell): DnsRecord {
  try {
    const slice = cell.beginParse();
    switch (slice.loadUint(16)) {
      case 0xba93:
        return { type: 'next-resolver', value: readAccount(slice) };
      case 0x9fd3:
        return { type: 'contract', value: readAccount(slice) };
      case 0xad01:
        return { type: 'adnl', value: slice.loadBuffer(32).toString('hex') };
      case 0x7473:
        return { type: 'storage', value: slice.loadBuffer(32).toString('hex') };
      case 0x1eda:
        return { type: 'text', value: readText(slice) };
    }
  } catch {
    // Shown as is.
  }
  return { type: 'unknown', value: cell };
}

function readAccount(slice: Slice): string {
  const address = slice.loadAddressAny();
  if (!Address.isAddress(address)) {
    throw new TypeError('not a standard address');
  }
  return rawAddress(address.workChain, address.hash);
}

/** Chunks, each after the first in its own cell. */
function readText(slice: Slice): string {
  const chunks: Buffer[] = [];
  let current = slice;
  for (let left = slice.loadUint(8); left > 0; left -= 1) {
    chunks.push(current.loadBuffer(current.loadUint(8)));
    if (left > 1) {
      current = current.loadRef().beginParse();
    }
  }
  return Buffer.concat(chunks).toString('utf8');
}

/**
 * A name in the format of `dnsresolve`: labels in reverse, each ended by a zero byte; the name itself is one zero
 * byte.
 */
export function encodeDomain(name: string): Cell {
  const labels = name
    .toLowerCase()
    .split('.')
    .filter((label) => label !== '');
  const bytes = Buffer.from(`${labels.toReversed().join('\0')}\0`);
  return beginCell().storeBuffer(bytes).endCell();
}
