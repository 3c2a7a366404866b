import type { Exact } from '../../api/openObject';
import type { V3AddressBookRow, V3MetadataRow, V3TokenInfo } from '../../api/v3Objects';
import { canonicalAddress } from '../../address/canonicalAddress';
import { v3JettonWalletExtra } from '../../api/v3Objects';
import { writeAnswer } from '../../api/writeAnswer';
import { friendlyAddress } from '../api/parseAddress';
import { localWallets } from '../../opcodes/localWallets';
import { mapInTurns } from '../../turns';
import type { AccountRecord } from '../records/records';
import type { Token } from '../tokens/token';
import { readTokenContent } from '../../cell/tokenContent';
import type { V3Context } from './context';
import type { Query } from './query';

/** What follows the rows of an answer, by raw address. */
export interface Books {
  address_book: Record<string, Exact<V3AddressBookRow>>;
  metadata: Record<string, Exact<V3MetadataRow>>;
}

/** Address book and metadata for every address in an answer. */
export async function books(context: V3Context, query: Query, answer: unknown): Promise<Books> {
  const addresses = await addressesIn(answer);
  await context.tokens.refresh();
  return {
    address_book: query.hides('address_book')
      ? {}
      : await rows(addresses, (address) => addressBookRow(context, address)),
    metadata: query.hides('metadata') ? {} : await metadataRows(context, addresses),
  };
}

/** For the few answers without metadata. */
export async function addressBookOnly(
  context: V3Context,
  query: Query,
  answer: unknown,
): Promise<Pick<Books, 'address_book'>> {
  const { address_book } = await books(context, query, answer);
  return { address_book };
}

async function rows<Row>(
  addresses: Iterable<string>,
  row: (address: string) => Row | undefined,
): Promise<Record<string, Row>> {
  const found = await mapInTurns(addresses, (address) => [address, row(address)] as const);
  return Object.fromEntries(found.flatMap(([address, one]) => (one === undefined ? [] : [[address, one]])));
}

const interfaceNames: Record<Token['kind'], string> = {
  'jetton-master': 'jetton_master',
  'jetton-wallet': 'jetton_wallet',
  'nft-collection': 'nft_collection',
  'nft-item': 'nft_item',
  'nft-sale': 'nft_sale',
  multisig: 'multisig_v2',
  'multisig-order': 'multisig_order_v2',
  vesting: 'vesting',
};

/** Interfaces of an account, as far as its code and get-methods show. */
export function interfacesOf({ tokens }: V3Context, account: AccountRecord | undefined): string[] {
  const codeHash = account?.versions.at(-1)?.codeHash ?? null;
  const wallet = codeHash === null ? undefined : localWallets.get(codeHash);
  const token = account === undefined ? undefined : tokens.known(account.address);
  return [
    ...(wallet === undefined ? [] : [wallet.interface]),
    ...(token === undefined ? [] : [interfaceNames[token.kind]]),
  ];
}

/** Wallets and accounts without code are shown non-bounceable. */
export function addressBookRow(context: V3Context, address: string): Exact<V3AddressBookRow> {
  const account = context.ledger.accounts.get(address);
  const codeHash = account?.versions.at(-1)?.codeHash ?? null;
  return {
    user_friendly: friendlyAddress(address, codeHash !== null && !localWallets.has(codeHash)),
    domain: context.tokens.domainOf(address),
    interfaces: interfacesOf(context, account),
  };
}

/** Metadata of tokens; a jetton wallet's comes with its master's, which has the symbol and the decimals. */
export async function metadataRows(
  context: V3Context,
  addresses: Iterable<string>,
): Promise<Record<string, Exact<V3MetadataRow>>> {
  const all = new Set(addresses);
  for (const address of [...all]) {
    const token = context.tokens.known(address);
    if (token?.kind === 'jetton-wallet' && token.jetton !== null) {
      all.add(token.jetton);
    }
  }
  return rows(all, (address) => metadataRow(context, address));
}

/** Only tokens have one. */
function metadataRow({ tokens }: V3Context, address: string): Exact<V3MetadataRow> | undefined {
  const token = tokens.known(address);
  const info = token === undefined ? undefined : tokenInfo(token);
  return info === undefined ? undefined : { is_indexed: true, token_info: [info] };
}

function tokenInfo(token: Token): Exact<V3TokenInfo> | undefined {
  switch (token.kind) {
    case 'jetton-wallet':
      return {
        valid: true,
        type: 'jetton_wallets',
        extra: extraOf(token),
      };
    case 'jetton-master':
      return { valid: true, type: 'jetton_masters', ...contentInfo(token.content) };
    case 'nft-collection':
      return { valid: true, type: 'nft_collections', ...contentInfo(token.content) };
    case 'nft-item': {
      const info = token.fullContent === null ? {} : contentInfo(token.fullContent);
      return { valid: true, type: 'nft_items', nft_index: token.index.toString(), ...info };
    }
    default:
      return undefined;
  }
}

function extraOf({
  balance,
  owner,
  jetton,
}: Extract<Token, { kind: 'jetton-wallet' }>): Record<string, unknown> {
  return writeAnswer(v3JettonWalletExtra, { balance, owner, jetton }) as Record<string, unknown>;
}

function contentInfo(content: Parameters<typeof readTokenContent>[0]): Exact<V3TokenInfo> {
  const { name, symbol, description, image, ...extra } = readTokenContent(content).attributes;
  return {
    ...(name === undefined ? {} : { name }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(description === undefined ? {} : { description }),
    ...(image === undefined ? {} : { image }),
    extra,
  };
}

const rawForm = /^-?\d+:[0-9a-f]{64}$/i;

/**
 * Every address in an answer; raw ones are recognized by their form, also in action details, which are in wire
 * format.
 */
export async function addressesIn(answer: unknown): Promise<Set<string>> {
  const found = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') {
      if (value.length >= 66 && value.length <= 69 && rawForm.test(value)) {
        found.add(value);
      }
    } else if (Array.isArray(value)) {
      value.forEach(collect);
    } else if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(collect);
    }
  };
  // Row by row, and in a trace transaction by transaction.
  await mapInTurns(containersIn(answer, 3), collect);
  return new Set([...found].map((address) => canonicalAddress(address) ?? address));
}

/** The parts of a value this many levels down, or at its end. */
function* containersIn(value: unknown, depth: number): Iterable<unknown> {
  if (depth === 0 || typeof value !== 'object' || value === null) {
    yield value;
  } else {
    for (const inner of Object.values(value)) {
      yield* containersIn(inner, depth - 1);
    }
  }
}
