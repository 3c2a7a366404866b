import type { TypedAccountAddress, V2Answer } from './encodeIds';
import type { Cell } from '@ton/core';
import { methodIdOf } from '../../contracts/abi/methodIdOf';
import type { LocalChain } from '../chain/localChain';
import type { DnsRecord } from '../dns/dnsRecords';
import { dnsCategory, encodeDomain, readDnsRecord, readDnsRecords } from '../dns/dnsRecords';
import { runAt } from './v2RunGetMethod';
import type { V2Parameters } from './transactions';

const method = methodIdOf('dnsresolve');
/** Bytes that fit one cell; no name on the chain is that long. */
const longestDomain = 126;
/** Maximum chain of resolvers. */
const mostResolvers = 16;

/**
 * dnsResolve: asks the resolver `address` for `name`, and at most `ttl` further ones (none by default): where it
 * stops early, the entry is the next resolver. An unknown name has no entries. The service reads `category` and
 * ignores it.
 */
export async function dnsResolve(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'dnsResolve'>> {
  let resolver = parameters.address();
  const domain = parameters.text('name') ?? '.';
  if (Buffer.byteLength(domain) > longestDomain) {
    throw parameters.invalid('name is too long');
  }
  const ttl = parameters.integer('ttl') ?? 0;
  if (ttl < 0) {
    throw parameters.invalid('ttl should be non-negative');
  }
  let rest = encodeDomain(domain);
  for (let asked = 0; asked < mostResolvers; asked += 1) {
    const { exitCode, stack } = await runAt(chain, parameters, resolver, method, [
      { type: 'slice', cell: rest },
      { type: 'int', value: 0n },
    ]);
    const [bits, records] = stack;
    if (exitCode !== 0 || bits?.type !== 'int' || records?.type !== 'cell' || bits.value <= 0n) {
      break;
    }
    if (bits.value >= BigInt(rest.bits.length)) {
      return resolved(domain, records.cell);
    }
    const next = readDnsRecord(records.cell);
    if (next.type !== 'next-resolver') {
      break;
    }
    if (asked >= ttl) {
      return {
        '@type': 'dns.resolved',
        entries: [entryOf(resolvedPart(domain, rest, bits.value), nextResolver, next)],
      };
    }
    resolver = next.value;
    rest = rest.beginParse().skip(Number(bits.value)).asCell();
  }
  return { '@type': 'dns.resolved', entries: [] };
}

const nextResolver = dnsCategory('dns_next_resolver');

/** The labels of a name that were resolved so far: those at its end. */
function resolvedPart(domain: string, rest: Cell, bits: bigint): string {
  const labels = domain.split('.').filter((label) => label !== '');
  const left = rest.beginParse().skip(Number(bits));
  const open = left
    .loadBuffer(left.remainingBits >> 3)
    .toString('utf8')
    .split('\0');
  return labels.slice(open.filter((label) => label !== '').length).join('.');
}

/** A record's value: its fields depend on `@type`. */
type DnsEntryData = V2Answer<'dnsResolve'>['entries'][number]['entry'];

function resolved(name: string, records: Cell): V2Answer<'dnsResolve'> {
  return {
    '@type': 'dns.resolved',
    entries: readDnsRecords(records).map(({ category, record }) => entryOf(name, category, record)),
  };
}

function entryOf(
  name: string,
  category: bigint,
  record: DnsRecord,
): V2Answer<'dnsResolve'>['entries'][number] {
  return {
    '@type': 'dns.entry',
    name,
    category: category.toString(16).padStart(64, '0'),
    entry: encodeRecord(record),
  };
}

function encodeRecord(record: DnsRecord): DnsEntryData {
  const account = (raw: string): TypedAccountAddress => ({
    '@type': 'accountAddress',
    account_address: raw,
  });
  switch (record.type) {
    case 'next-resolver':
      return { '@type': 'dns.entryDataNextResolver', resolver: account(record.value) };
    case 'contract':
      return { '@type': 'dns.entryDataSmcAddress', smc_address: account(record.value) };
    case 'adnl':
      return {
        '@type': 'dns.entryDataAdnlAddress',
        adnl_address: { '@type': 'adnlAddress', adnl_address: record.value },
      };
    case 'storage':
      return {
        '@type': 'dns.entryDataStorageAddress',
        bag_id: record.value,
      };
    case 'text':
      return { '@type': 'dns.entryDataText', text: record.value };
    case 'unknown':
      return { '@type': 'dns.entryDataUnknown', bytes: record.value.toBoc().toString('base64') };
  }
}
