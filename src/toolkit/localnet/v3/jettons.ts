import type { Cell } from '@ton/core';
import type { Exact } from '../../api/v3Objects';
import type {
  V3DnsRecord,
  V3JettonBurn,
  V3JettonMaster,
  V3JettonTransfer,
  V3JettonWallet,
  V3NftTransfer,
} from '../../api/v3Tokens';
import { readTokenContent } from '../../cell/tokenContent';
import { addressOf, integerOf } from '../../contracts/opcodes/decodedBody';
import { decodedBody } from '../../execution/encode/decodedBody';
import { ApiError } from '../api/apiError';
import type { DnsEntry, DnsRecord } from '../dns/dnsRecords';
import type { AccountRecord, TransactionRecord } from '../records/records';
import type { Token } from '../tokens/readToken';
import { dnsWallet } from '../tokens/tokenIndex';
import type { V3Answer } from './blocks';
import { addressBookOnly, books } from './blocks';
import { takePage } from './page';
import type { Query } from './query';
import type { BodyEvent, V3Context } from './v3Context';
import { tokenEvents } from './v3Context';

type Master = Extract<Token, { kind: 'jetton-master' }>;
type Wallet = Extract<Token, { kind: 'jetton-wallet' }>;

/** Shared by the rows of all tokens. */
export interface StateFields {
  address: string;
  last_transaction_lt: bigint;
  code_hash: string | null;
  data_hash: string | null;
}

/** Fields of every token's row. */
export function stateFields({ address, facts, versions }: AccountRecord): StateFields {
  return {
    address,
    last_transaction_lt: facts.lastTransactionLt,
    code_hash: versions.at(-1)?.codeHash ?? null,
    data_hash: facts.data?.hexHash ?? null,
  };
}

/** Tokens of one kind among the given addresses (or all of that kind), with their accounts. */
export function tokensOf<K extends Token['kind']>(
  { chain, tokens }: V3Context,
  kind: K,
  addresses: Iterable<string> | undefined,
): { account: AccountRecord; token: Extract<Token, { kind: K }> }[] {
  const result: { account: AccountRecord; token: Extract<Token, { kind: K }> }[] = [];
  for (const address of new Set(addresses ?? tokens.addresses(kind))) {
    const token = tokens.known(address);
    const account = chain.ledger.accounts.get(address);
    if (token?.kind === kind && account !== undefined) {
      result.push({ account, token: token as Extract<Token, { kind: K }> });
    }
  }
  return result;
}

/** GET /jetton/masters. */
export async function jettonMasters(context: V3Context, query: Query): Promise<V3Answer<'jettonMasters'>> {
  await context.tokens.refresh();
  const page = query.page();
  const addresses = query.addresses('address');
  const admins = query.addresses('admin_address');
  const source = addresses.length > 0 ? addresses : related(context, admins);
  const found = tokensOf(context, 'jetton-master', source).filter(
    ({ token }) => admins.length === 0 || admins.includes(token.admin ?? ''),
  );
  const rows = takePage(found, page).map(({ account, token }) => encodeMaster(account, token));
  return { jetton_masters: rows, ...(await books(context, query, rows)) };
}

function encodeMaster(account: AccountRecord, token: Master): Exact<V3JettonMaster> {
  return {
    ...stateFields(account),
    total_supply: token.totalSupply,
    mintable: token.mintable,
    admin_address: token.admin,
    jetton_content: readTokenContent(token.content).attributes,
    jetton_wallet_code_hash: token.walletCode.hash().toString('hex'),
  };
}

/** GET /jetton/wallets. */
export async function jettonWallets(context: V3Context, query: Query): Promise<V3Answer<'jettonWallets'>> {
  await context.tokens.refresh();
  const page = query.page();
  const addresses = query.addresses('address');
  const owners = query.addresses('owner_address');
  const jettons = query.addresses('jetton_address');
  if (jettons.length > 1 && owners.length !== 1) {
    throw new ApiError(422, 'exact one owner_address required for multiple jetton_address');
  }
  const withoutEmpty = query.flag('exclude_zero_balance', false);
  const source = addresses.length > 0 ? addresses : related(context, owners.length > 0 ? owners : jettons);
  const found = tokensOf(context, 'jetton-wallet', source).filter(
    ({ token }) =>
      (owners.length === 0 || owners.includes(token.owner ?? '')) &&
      (jettons.length === 0 || jettons.includes(token.jetton ?? '')) &&
      (!withoutEmpty || token.balance > 0n),
  );
  if (query.text('sort') !== undefined) {
    found.sort((a, b) => Number(a.token.balance - b.token.balance) * (page.ascending ? 1 : -1));
  }
  const rows = takePage(found, page).map(({ account, token }) => encodeWallet(account, token));
  return { jetton_wallets: rows, ...(await books(context, query, rows)) };
}

function encodeWallet(account: AccountRecord, token: Wallet): Exact<V3JettonWallet> {
  return {
    ...stateFields(account),
    balance: token.balance,
    owner: token.owner,
    jetton: token.jetton,
  };
}

/** Addresses that have one of the others as owner, admin, jetton, or collection; undefined without others: all. */
export function related({ tokens }: V3Context, addresses: readonly string[]): string[] | undefined {
  return addresses.length === 0 ? undefined : addresses.flatMap((address) => [...tokens.related(address)]);
}

/** GET /jetton/transfers. */
export async function jettonTransfers(
  context: V3Context,
  query: Query,
): Promise<V3Answer<'jettonTransfers'>> {
  await context.tokens.refresh();
  const owners = query.addresses('owner_address');
  const wallets = query.addresses('jetton_wallet');
  const master = query.address('jetton_master');
  const direction = query.text('direction');
  const rows = await tokenEvents(context, query, {
    name: 'jetton_transfer',
    kind: 'jetton-wallet',
    parties: owners,
    isWanted: isOf(wallets, master),
    row: ({ transaction, token, body }) => {
      const row = encodeTransfer(transaction, token, body);
      return matchesOwner(owners, direction, row.source, row.destination) ? row : undefined;
    },
  });
  return { jetton_transfers: rows, ...(await books(context, query, rows)) };
}

/** Events of one of the wallets, or of the jetton; without them, all events. */
function isOf(
  wallets: readonly string[],
  master: string | undefined,
): (transaction: TransactionRecord, wallet: Wallet) => boolean {
  return ({ account }, { jetton }) =>
    (wallets.length === 0 || wallets.includes(account.address)) &&
    (master === undefined || jetton === master);
}

/** Whether an owner is on the requested side. */
export function matchesOwner(
  owners: readonly string[],
  direction: string | undefined,
  from: unknown,
  to: unknown,
): boolean {
  const sent = owners.includes(String(from)) && direction !== 'in';
  const received = owners.includes(String(to)) && direction !== 'out';
  return owners.length === 0 || sent || received;
}

/** Shared by the rows of transfers and burns. */
type EventFields = Pick<
  Exact<V3JettonTransfer>,
  keyof Exact<V3JettonTransfer> & keyof Exact<V3JettonBurn> & keyof Exact<V3NftTransfer>
>;

/** Fields of every token event. */
export function eventFields(
  transaction: TransactionRecord,
  { body, aborted, custom }: BodyEvent,
): EventFields {
  return {
    query_id: integerOf(body, 'query_id') ?? 0n,
    transaction_hash: transaction.hash,
    transaction_lt: transaction.lt,
    transaction_now: transaction.now,
    transaction_aborted: aborted,
    response_destination: addressOf(body, 'response_destination') ?? null,
    ...customPayload(custom),
    trace_id: transaction.trace.transactions[0]?.hash ?? null,
  };
}

function customPayload(
  custom: Cell | null,
): Pick<Exact<V3JettonTransfer>, 'custom_payload' | 'decoded_custom_payload'> {
  return {
    custom_payload: custom?.toBoc().toString('base64') ?? null,
    decoded_custom_payload: custom === null ? null : decodedBody(custom),
  };
}

/** The attached payload, as BoC and decoded. */
export function forwardPayloadFields({
  payload,
}: BodyEvent): Pick<Exact<V3JettonTransfer>, 'forward_payload' | 'decoded_forward_payload'> {
  return {
    forward_payload: payload?.toBoc().toString('base64') ?? null,
    decoded_forward_payload: payload === null ? null : decodedBody(payload),
  };
}

function encodeTransfer(
  transaction: TransactionRecord,
  wallet: Wallet,
  event: BodyEvent,
): Exact<V3JettonTransfer> {
  return {
    ...eventFields(transaction, event),
    source: transaction.inMessage?.source ?? null,
    destination: addressOf(event.body, 'destination') ?? null,
    amount: integerOf(event.body, 'amount') ?? null,
    source_wallet: transaction.account.address,
    jetton_master: wallet.jetton,
    forward_ton_amount: integerOf(event.body, 'forward_ton_amount') ?? null,
    ...forwardPayloadFields(event),
  };
}

/** GET /jetton/burns. */
export async function jettonBurns(context: V3Context, query: Query): Promise<V3Answer<'jettonBurns'>> {
  await context.tokens.refresh();
  const owners = query.addresses('address');
  const wallets = query.addresses('jetton_wallet');
  const master = query.address('jetton_master');
  const rows = await tokenEvents(context, query, {
    name: 'jetton_burn',
    kind: 'jetton-wallet',
    parties: owners,
    isWanted: isOf(wallets, master),
    row: ({ transaction, token, body }) => ({
      ...eventFields(transaction, body),
      owner: transaction.inMessage?.source ?? null,
      jetton_wallet: transaction.account.address,
      jetton_master: token.jetton,
      amount: integerOf(body.body, 'amount') ?? null,
    }),
  });
  return { jetton_burns: rows, ...(await books(context, query, rows)) };
}

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
