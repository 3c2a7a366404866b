import type { TypedAccountAddress, V2Answer } from './v2Answer';
import type { Cell } from '@ton/core';
import { methodIdOf } from '../../abi/methodIdOf';
import type { LocalChain } from '../chain/localChain';
import { rawAddress } from '../../cell/light/readMessage';
import type { DnsRecord } from '../dns/dnsRecords';
import { encodeDomain, readDnsRecord, readDnsRecords } from '../dns/dnsRecords';
import { runAt } from './runAt';
import type { V2Parameters } from './v2Parameters';

const method = methodIdOf('dnsresolve');
/** Bytes that fit one cell; no name on the chain is that long. */
const longestDomain = 126;
/** Maximum chain of resolvers. */
const mostResolvers = 16;

/** dnsResolve: queries resolver after resolver, from the configuration's root. An unknown name has no entries. */
export async function dnsResolve(
  chain: LocalChain,
  parameters: V2Parameters,
): Promise<V2Answer<'dnsResolve'>> {
  const domain = parameters.text('domain');
  if (domain === undefined) {
    throw parameters.invalid('empty domain');
  }
  if (Buffer.byteLength(domain) > longestDomain) {
    throw parameters.invalid('domain is too long');
  }
  const given =
    parameters.text('resolver_address') === undefined ? undefined : parameters.address('resolver_address');
  let resolver = given ?? rootResolver(chain);
  let rest = encodeDomain(domain);
  for (let asked = 0; resolver !== undefined && asked < mostResolvers; asked += 1) {
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
    resolver = next.type === 'next-resolver' ? next.value : undefined;
    rest = rest.beginParse().skip(Number(bits.value)).asCell();
  }
  return { '@type': 'dns.resolved', entries: [] };
}

function rootResolver({ config }: LocalChain): string | undefined {
  const hash = config.parameters.get(4)?.beginParse();
  return hash === undefined || hash.remainingBits < 256 ? undefined : rawAddress(-1, hash.loadBuffer(32));
}

/** A record's value: its fields depend on `@type`. */
type DnsEntryData = V2Answer<'dnsResolve'>['entries'][number]['entry'];

function resolved(name: string, records: Cell): V2Answer<'dnsResolve'> {
  return {
    '@type': 'dns.resolved',
    entries: readDnsRecords(records).map(({ category, record }) => ({
      '@type': 'dns.entry',
      name,
      category: category.toString(16).padStart(64, '0'),
      entry: encodeRecord(record),
    })),
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
