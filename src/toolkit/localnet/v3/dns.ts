import { createHash } from 'node:crypto';
import type { Slice } from '@ton/core';
import { Address, beginCell, Dictionary } from '@ton/core';
import { ApiError } from '../api/apiError';
import { rawAddress } from '../chain/readMessage';
import { methodIdOf, runGetMethod } from '../chain/runGetMethod';
import { addressBookOnly } from './books';
import type { V3Context } from './context';
import type { Json } from './encodeDescription';
import { tokensOf } from './jettons';
import type { Query } from './query';
import { takePage } from './query';

const resolveMethod = methodIdOf('dnsresolve');
const categories = ['dns_next_resolver', 'wallet', 'site', 'storage'] as const;
const hashOf = new Map(
  categories.map((name) => [name, BigInt(`0x${createHash('sha256').update(name).digest('hex')}`)]),
);

/** GET /dns/records: of the domain items on this network, from their own get-methods. */
export async function dnsRecords(context: V3Context, query: Query): Promise<Json> {
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
  const records: Json[] = [];
  for (const { account, token } of tokensOf(context, 'nft-item', undefined)) {
    if (token.domain === null) {
      continue;
    }
    const row = {
      nft_item_address: account.address,
      nft_item_owner: token.owner,
      domain: `${token.domain}.ton`,
      ...(await resolve(context, account.address)),
    };
    if (domain === undefined ? row.dns_wallet === wallet : row.domain === domain) {
      records.push(row);
    }
  }
  const rows = takePage(records, page);
  return { records: rows, ...(await addressBookOnly(context, query, rows)) };
}

interface Records {
  dns_next_resolver: string | null;
  dns_wallet: string | null;
  dns_site_adnl: string | null;
  dns_storage_bag_id: string | null;
}

/** All records of an item (TEP-81): `dnsresolve` of the item itself, category 0. */
async function resolve({ chain }: V3Context, address: string): Promise<Records> {
  const self = beginCell().storeUint(0, 8).endCell();
  const { exitCode, stack } = await runGetMethod(chain, address, resolveMethod, [
    { type: 'slice', cell: self },
    { type: 'int', value: 0n },
  ]);
  const result: Records = {
    dns_next_resolver: null,
    dns_wallet: null,
    dns_site_adnl: null,
    dns_storage_bag_id: null,
  };
  const found = stack[1];
  if (exitCode !== 0 || found?.type !== 'cell') {
    return result;
  }
  const records = found.cell
    .beginParse()
    .loadDictDirect(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  const record = (name: (typeof categories)[number]): Slice | undefined =>
    records.get(hashOf.get(name) ?? 0n)?.beginParse();
  result.dns_next_resolver = readSmc(record('dns_next_resolver'), 0xba93);
  result.dns_wallet = readSmc(record('wallet'), 0x9fd3);
  result.dns_site_adnl = readBits(record('site'), 0xad01);
  result.dns_storage_bag_id = readBits(record('storage'), 0x7473);
  return result;
}

function readSmc(slice: Slice | undefined, tag: number): string | null {
  if (slice === undefined || slice.remainingBits < 16 || slice.loadUint(16) !== tag) {
    return null;
  }
  const address = slice.loadAddressAny();
  return Address.isAddress(address) ? rawAddress(address.workChain, address.hash) : null;
}

function readBits(slice: Slice | undefined, tag: number): string | null {
  return slice === undefined || slice.remainingBits < 272 || slice.loadUint(16) !== tag
    ? null
    : slice.loadBuffer(32).toString('hex').toUpperCase();
}
