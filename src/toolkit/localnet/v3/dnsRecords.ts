import type { Exact } from '../../api/openObject';
import type { V3Answer } from './v3Answer';
import type { V3DnsRecord } from '../../api/v3Contracts';
import { ApiError } from '../api/apiError';
import type { DnsEntry, DnsRecord } from '../dns/dnsRecords';
import { dnsWallet } from '../tokens/tokenIndex';
import { addressBookOnly } from './books';
import type { V3Context } from './context';
import { tokensOf } from './jettons';
import type { Query } from './query';
import { takePage } from './page';

/** GET /dns/records: of this network's domain items, from their own get-methods. */
export async function dnsRecords(context: V3Context, query: Query): Promise<V3Answer<'dnsRecords'>> {
  const wallet = query.address('wallet');
  const domain = query.text('domain');
  if (wallet === undefined && domain === undefined) {
    throw new ApiError(422, 'either wallet address or domain is required');
  }
  if (wallet !== undefined && domain !== undefined) {
    throw new ApiError(422, 'provide either wallet address or domain, not both');
  }
  const page = query.page(500, 100);
  await context.tokens.refresh();
  const records: Exact<V3DnsRecord>[] = [];
  for (const { account, token } of tokensOf(context, 'nft-item', undefined)) {
    if (token.domain === null) {
      continue;
    }
    const row: Exact<V3DnsRecord> = {
      nft_item_address: account.address,
      nft_item_owner: token.owner,
      domain: `${token.domain}.ton`,
      ...fields(token.records),
    };
    if (domain === undefined ? dnsWallet(token.records) === wallet : row.domain === domain) {
      records.push(row);
    }
  }
  const rows = takePage(records, page);
  return { records: rows, ...(await addressBookOnly(context, query, rows)) };
}

function fields(entries: readonly DnsEntry[]): Exact<V3DnsRecord> {
  const of = (name: string, type: DnsRecord['type']): string | null => {
    const record = entries.find((entry) => entry.name === name)?.record;
    return record?.type === type && typeof record.value === 'string' ? record.value : null;
  };
  return {
    dns_next_resolver: of('dns_next_resolver', 'next-resolver'),
    dns_wallet: of('wallet', 'contract'),
    dns_site_adnl: of('site', 'adnl'),
    dns_storage_bag_id: of('storage', 'storage'),
  };
}
