import { ownValue } from '../base/collections';
import { parseAddressInput } from '../address/parseAddressInput';
import type { Access, CallOptions } from '../access/createAccess';
import type { V3TokenInfo } from '../api/v3Objects';
import { wasDeleted } from '../accounts/wasDeleted';
import { WorkbenchError } from '../base/errors';

/** The facts that are always read about an account. */
export interface AccountReport {
  network: string;
  /** Raw, lower case. */
  raw: string;
  friendly: string;
  /** Nanocoins; undefined if the service does not report them. */
  balance: bigint | undefined;
  /** As the API calls it. */
  state: string;
  /** It existed, but has been deleted. */
  isDeleted: boolean;
  domain?: string | undefined;
  interfaces: readonly string[];
  methodIds: readonly number[];
  lastLt?: bigint | undefined;
  /** Hashes are lowercase hex on v3, base64 on v2. */
  lastHash?: string | undefined;
  codeHash?: string | undefined;
  dataHash?: string | undefined;
  /** BoCs, base64. */
  code?: string | undefined;
  data?: string | undefined;
  /** Undefined if it is not a wallet. */
  wallet: WalletReport | WorkbenchError | undefined;
  /** If it is a jetton wallet or a jetton master. */
  ownJetton?: OwnJetton | undefined;
  /** Undefined on a network without v3; `unknown` if the service does not say. */
  jettons: JettonHoldings | WorkbenchError | 'unknown' | undefined;
}

/** The jetton that an account is a wallet or the master of. */
export interface OwnJetton {
  /** Of a jetton wallet: whose it is, raw, and how much is in it. */
  wallet?: { owner: string | undefined; balance: bigint | undefined };
  /** Raw. */
  master: string;
  /** Undefined if the service does not know them: then amounts are in base units. */
  unit: { symbol: string; decimals: number } | undefined;
}

/** Facts about a wallet; undefined if the service does not report them. */
export interface WalletReport {
  type: string | undefined;
  seqno: number | undefined;
  id: number | undefined;
  /** Only of v5 wallets. */
  isSignatureAllowed: boolean | undefined;
}

interface JettonHoldings {
  rows: JettonHolding[];
  /** There are more than were requested. */
  isCut: boolean;
}

/** One jetton held by an account; facts that the service does not report are undefined. */
interface JettonHolding {
  symbol: string | undefined;
  /** Undefined if unknown: then the balance is shown in base units. */
  decimals: number | undefined;
  /** In the smallest unit. */
  balance: bigint | undefined;
  master: string | undefined;
  isScam: boolean;
}

type V3Metadata =
  NonNullable<Awaited<ReturnType<Access['v3']['jettonWallets']>>['metadata']> | null | undefined;

/** Maximum jettons shown. */
export const mostJettons = 50;

/** Reads an account over v3, or over v2 if the network has no v3. @param address in any form */
export async function readAccountReport(
  access: Access,
  address: string,
  call: CallOptions,
): Promise<AccountReport> {
  return access.network.v3 === undefined ? overV2(access, address, call) : overV3(access, address, call);
}

async function overV3(access: Access, address: string, call: CallOptions): Promise<AccountReport> {
  const parsed = parseAddressInput(address);
  const raw = parsed.toRawString();
  const [answer, wallet, jettons] = await Promise.all([
    access.v3.accountStates({ address: [raw], include_boc: true }, call),
    orError(walletOverV3(access, raw, call)),
    orError(jettonsOf(access, raw, call)),
  ]);
  const row = answer.accounts?.find((one) => one.address === raw);
  const book = bookRow(answer.address_book, raw);
  // An answer without a list says nothing about the account; a list without the account means that it does
  // not exist.
  const isAbsent = row === undefined && answer.accounts !== undefined;
  const state = isAbsent ? 'nonexist' : (row?.status ?? 'unknown');
  return {
    network: access.network.name,
    raw,
    friendly: book?.user_friendly ?? parsed.toString(),
    balance: isAbsent ? 0n : (row?.balance ?? undefined),
    state,
    isDeleted: state === 'nonexist' && (await wasDeleted(access, raw, call)),
    domain: book?.domain ?? undefined,
    interfaces: row?.interfaces ?? book?.interfaces ?? [],
    methodIds: row?.contract_methods ?? [],
    lastLt: row?.last_transaction_lt ?? undefined,
    lastHash: row?.last_transaction_hash ?? undefined,
    codeHash: row?.code_hash ?? undefined,
    dataHash: row?.data_hash ?? undefined,
    code: row?.code_boc ?? undefined,
    data: row?.data_boc ?? undefined,
    wallet,
    jettons,
    ownJetton: await ownJettonOf(access, raw, row?.interfaces ?? book?.interfaces ?? [], call),
  };
}

/** Asked only if the service says that the account is one; undefined if it cannot be read, too. */
async function ownJettonOf(
  access: Access,
  raw: string,
  interfaces: readonly string[],
  call: CallOptions,
): Promise<OwnJetton | undefined> {
  const isOne = (kind: RegExp): boolean => interfaces.some((name) => kind.test(name));
  if (isOne(/^jetton_wallet/)) {
    const answer = await orError(access.v3.jettonWallets({ address: [raw] }, call));
    const row = WorkbenchError.is(answer)
      ? undefined
      : answer.jetton_wallets?.find(({ address }) => address === raw);
    return WorkbenchError.is(answer) || row?.jetton == null
      ? undefined
      : {
          wallet: { owner: row.owner ?? undefined, balance: row.balance ?? undefined },
          master: row.jetton,
          unit: unitOf(answer.metadata, row.jetton),
        };
  }
  if (isOne(/^jetton_(?:master|minter)/)) {
    const answer = await orError(access.v3.jettonMasters({ address: [raw] }, call));
    return WorkbenchError.is(answer) ? undefined : { master: raw, unit: unitOf(answer.metadata, raw) };
  }
  return undefined;
}

/** How amounts of a jetton are written, if its content was read: then no decimals mean 9 (TEP-64). */
function unitOf(metadata: V3Metadata, master: string): OwnJetton['unit'] {
  const token = bookRow(metadata, master)?.token_info?.[0];
  const symbol = token?.symbol || token?.name;
  const decimals = decimalsOf(token);
  return symbol == null || symbol === '' || decimals === undefined ? undefined : { symbol, decimals };
}

/** Undefined if they are not known. */
function decimalsOf(token: V3TokenInfo | undefined): number | undefined {
  const isRead = token?.symbol != null || token?.name != null;
  const decimals = Number(token?.extra?.['decimals'] ?? (isRead ? 9 : NaN));
  return Number.isInteger(decimals) && decimals >= 0 && decimals < 100 ? decimals : undefined;
}

async function overV2(access: Access, address: string, call: CallOptions): Promise<AccountReport> {
  const parsed = parseAddressInput(address);
  const raw = parsed.toRawString();
  const [answer, wallet] = await Promise.all([
    access.v2.getAddressInformation({ address: raw }, call),
    orError(walletOverV2(access, raw, call)),
  ]);
  return {
    network: access.network.name,
    raw,
    friendly: parsed.toString(),
    balance: answer.balance,
    state: answer.state,
    isDeleted: false,
    interfaces: [],
    methodIds: [],
    lastHash: answer.last_transaction_id.hash,
    code: answer.code || undefined,
    data: answer.data || undefined,
    wallet,
    jettons: undefined,
  };
}

/** The entry for one account in an address book or metadata. */
export function bookRow<Row>(
  book: Readonly<Record<string, Row>> | null | undefined,
  raw: string | null | undefined,
): Row | undefined {
  return raw == null ? undefined : ownValue(book ?? {}, raw);
}

/** The value, or the error: a failed part does not affect the others. */
async function orError<T>(reading: Promise<T>): Promise<T | WorkbenchError> {
  try {
    return await reading;
  } catch (error) {
    if (!WorkbenchError.is(error) || error.code === 'aborted') {
      throw error;
    }
    return error;
  }
}

async function walletOverV3(
  access: Access,
  raw: string,
  call: CallOptions,
): Promise<WalletReport | undefined> {
  const { wallets } = await access.v3.walletStates({ address: [raw] }, call);
  const row = wallets?.find((one) => one.address === raw);
  return row === undefined || row.is_wallet === false || (row.is_wallet == null && row.wallet_type == null)
    ? undefined
    : walletFacts(row);
}

async function walletOverV2(
  access: Access,
  raw: string,
  call: CallOptions,
): Promise<WalletReport | undefined> {
  const row = await access.v2.getWalletInformation({ address: raw }, call);
  return row.wallet ? walletFacts(row) : undefined;
}

function walletFacts(row: {
  wallet_type?: string | null | undefined;
  seqno?: number | null | undefined;
  wallet_id?: number | null | undefined;
  is_signature_allowed?: boolean | null | undefined;
}): WalletReport {
  return {
    type: row.wallet_type ?? undefined,
    seqno: row.seqno ?? undefined,
    id: row.wallet_id ?? undefined,
    isSignatureAllowed: row.is_signature_allowed ?? undefined,
  };
}

async function jettonsOf(
  access: Access,
  raw: string,
  call: CallOptions,
): Promise<JettonHoldings | 'unknown'> {
  const answer = await access.v3.jettonWallets(
    { owner_address: [raw], exclude_zero_balance: true, limit: mostJettons + 1 },
    call,
  );
  if (answer.jetton_wallets === undefined) {
    return 'unknown';
  }
  const wallets = answer.jetton_wallets ?? [];
  const rows = wallets.slice(0, mostJettons).map((wallet): JettonHolding => {
    const token = bookRow(answer.metadata, wallet.jetton)?.token_info?.[0];
    return {
      symbol: token?.symbol ?? undefined,
      decimals: decimalsOf(token),
      balance: wallet.balance ?? undefined,
      master: wallet.jetton ?? undefined,
      isScam: token?.is_scam === true,
    };
  });
  return { rows, isCut: wallets.length > mostJettons };
}
