import type { Exact, V3AccountBalance, V3WalletState } from '../../api/v3Objects';
import { mapInTurns } from '../../base/turns';
import { ApiError } from '../api/apiError';
import { readWallet } from '../api/readWallet';
import { parseAddress } from '../api/requestParameters';
import { accountSummary } from '../chain/ledger';
import type { AccountRecord } from '../records/records';
import type { V3Answer } from './blocks';
import { addressBookRow, books, metadataRows } from './blocks';
import type { V3Context } from './v3Context';
import { takePage } from './page';
import type { Query } from './query';

const zeroHash = '00'.repeat(32);

/** GET /walletStates; nonexistent accounts are omitted. */
export async function walletStates(context: V3Context, query: Query): Promise<V3Answer<'walletStates'>> {
  const addresses = query.addresses('address');
  if (addresses.length === 0) {
    throw new ApiError(422, 'address of account is required');
  }
  if (addresses.length > 1000) {
    throw new ApiError(422, 'maximum 1000 addresses allowed');
  }
  const wallets = [...new Set(addresses)]
    .map((address) => context.chain.ledger.accounts.get(address))
    .filter((account) => account !== undefined)
    .map(encodeWallet);
  return { wallets, ...(await books(context, query, wallets)) };
}

function encodeWallet(account: AccountRecord): Exact<V3WalletState> {
  const { facts } = account;
  const wallet = readWallet(account);
  return {
    address: account.address,
    is_wallet: wallet !== null,
    ...(wallet === null ? {} : { wallet_type: wallet.type, seqno: wallet.seqno }),
    ...(wallet?.walletId === undefined ? {} : { wallet_id: wallet.walletId }),
    ...(wallet?.isSignatureAllowed === undefined ? {} : { is_signature_allowed: wallet.isSignatureAllowed }),
    balance: facts.balance,
    extra_currencies: { ...facts.extraCurrencies },
    status: facts.status,
    code_hash: account.versions.at(-1)?.codeHash ?? null,
    last_transaction_hash: facts.lastTransactionHash,
    last_transaction_lt: facts.lastTransactionLt,
  };
}

/** GET /walletInformation. */
export function walletInformation({ chain }: V3Context, query: Query): V3Answer<'walletInformation'> {
  const address = query.address('address');
  if (address === undefined) {
    throw new ApiError(401, 'address of account is required');
  }
  const account = chain.ledger.accounts.get(address);
  const facts = account?.facts;
  const wallet = account === undefined ? null : readWallet(account);
  const exists = facts !== undefined && facts.status !== 'nonexist';
  if (exists && facts.status === 'active' && wallet === null) {
    throw new ApiError(409, 'not a wallet');
  }
  return {
    balance: facts?.balance ?? 0n,
    ...(wallet === null ? {} : { wallet_type: wallet.type, seqno: wallet.seqno }),
    ...(wallet?.walletId === undefined ? {} : { wallet_id: wallet.walletId }),
    last_transaction_lt: facts?.lastTransactionLt ?? 0n,
    last_transaction_hash: facts?.lastTransactionHash ?? zeroHash,
    status: exists ? facts.status : 'uninit',
  };
}

/** GET /addressBook: keyed by the exact texts of the request. */
export async function addressBook(context: V3Context, query: Query): Promise<V3Answer<'addressBook'>> {
  await context.tokens.refresh();
  return perAddress(query, (address) =>
    address === null
      ? { user_friendly: null, domain: null, interfaces: [] }
      : addressBookRow(context, address),
  );
}

/** GET /metadata: by raw address, whatever form was asked for; other texts are ignored. */
export async function metadata(context: V3Context, query: Query): Promise<V3Answer<'metadata'>> {
  await context.tokens.refresh();
  const addresses = askedAddresses(query)
    .map(parseAddress)
    .filter((address) => address !== null);
  return metadataRows(context, addresses);
}

function perAddress<Row>(query: Query, row: (address: string | null) => Row): Record<string, Row> {
  return Object.fromEntries(askedAddresses(query).map((text) => [text, row(parseAddress(text))]));
}

function askedAddresses(query: Query): readonly string[] {
  const texts = query.list('address');
  if (texts.length === 0) {
    throw new ApiError(422, 'at least 1 address required');
  }
  if (texts.length > 1024) {
    throw new ApiError(422, 'maximum 1024 addresses allowed');
  }
  return texts;
}

/** GET /topAccountsByBalance: a bare list. */
export async function topAccountsByBalance(
  { chain }: V3Context,
  query: Query,
): Promise<Exact<V3AccountBalance>[]> {
  const page = query.page(422);
  const accounts = await mapInTurns(chain.ledger.accounts.values(), (account) => {
    const { address, knownFacts, versions } = account;
    const { status, balance } = knownFacts ?? accountSummary(versions.at(-1) ?? null);
    return { address, status, balance };
  });
  const rich = accounts.filter(({ status }) => status !== 'nonexist');
  rich.sort((a, b) => (a.balance < b.balance ? 1 : a.balance > b.balance ? -1 : 0));
  return takePage(rich, page).map(({ address, balance }) => ({
    account: address,
    balance,
  }));
}
