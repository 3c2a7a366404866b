import type { Access, CallOptions } from '../../toolkit/access/createAccess';
import { WorkbenchError } from '../../toolkit/errors';
import { visibleText } from '../../toolkit/text';
import { formatCoins, formatInteger, formatTable, formatUnits } from '../../toolkit/trace/figures';

/** What the reader knows that the network does not. */
export interface AccountTextOptions {
  /** The name of a raw address, if it has one. */
  names: (address: string) => string | undefined;
  coin: string;
}

/** Reads an account over v3, or over v2 where the network has no v3, and writes it down. */
export async function accountText(
  access: Access,
  address: string,
  options: AccountTextOptions,
  call: CallOptions,
): Promise<string> {
  const facts =
    access.network.v3 === undefined
      ? await factsOfV2(access, address, call)
      : await factsOfV3(access, address, call);
  const jettons = access.network.v3 === undefined ? [] : await jettonsOf(access, address, call);
  const name = options.names(facts.raw);
  const rows: [string, string][] = [
    ['address', facts.raw],
    ...(facts.friendly === undefined ? [] : [['friendly', facts.friendly] as [string, string]]),
    ['balance', `${formatCoins(facts.balance)} ${options.coin}  (${formatInteger(facts.balance)} nanocoins)`],
    ['state', facts.state],
    ...facts.more,
  ];
  const table = formatTable(rows, ['left', 'left']).map((line) => `  ${line}`);
  const held = formatTable(jettons, ['left', 'decimal', 'left']).map((line) => `  ${line}`);
  const boc = facts.bocs.flatMap(([label, text]) => ['', label, `  ${text}`]);
  return [
    `${name ?? facts.friendly ?? facts.raw}, ${facts.state} on ${access.network.name}`,
    '',
    ...table,
    ...(held.length === 0 ? [] : ['', 'jettons', ...held]),
    ...boc,
    '',
  ].join('\n');
}

interface Facts {
  raw: string;
  friendly: string | undefined;
  balance: bigint;
  state: string;
  more: [string, string][];
  bocs: [string, string][];
}

async function factsOfV3(access: Access, address: string, call: CallOptions): Promise<Facts> {
  const answer = await access.v3.accountStates({ address: [address], include_boc: true }, call);
  const { parseAddressInput } = await import('../../toolkit/access/address');
  const raw = parseAddressInput(address).toRawString();
  const row = answer.accounts?.[0];
  const book = Object.entries(answer.address_book ?? {}).find(([key]) => key.toLowerCase() === raw)?.[1];
  const friendly = book?.user_friendly ?? parseAddressInput(address).toString();
  if (row === undefined) {
    return {
      raw,
      friendly,
      balance: 0n,
      state: 'nonexist (nothing was ever sent to it, or it was deleted)',
      more: [],
      bocs: [],
    };
  }
  const interfaces = row.interfaces ?? book?.interfaces ?? [];
  const methods = await methodNames(row.contract_methods ?? []);
  return {
    raw,
    friendly,
    balance: row.balance ?? 0n,
    state: row.status ?? 'unknown',
    more: [
      ...(book?.domain == null ? [] : [['domain', visibleText(book.domain)] as [string, string]]),
      ...(interfaces.length === 0
        ? []
        : [['is a', interfaces.map((one) => visibleText(one)).join(', ')] as [string, string]]),
      ...(methods.length === 0 ? [] : [['get-methods', methods.join(', ')] as [string, string]]),
      ...(row.last_transaction_lt == null
        ? []
        : [['last lt', formatInteger(row.last_transaction_lt)] as [string, string]]),
      ...(row.last_transaction_hash == null
        ? []
        : [['last tx', row.last_transaction_hash] as [string, string]]),
      ...(row.code_hash == null ? [] : [['code hash', row.code_hash] as [string, string]]),
      ...(row.data_hash == null ? [] : [['data hash', row.data_hash] as [string, string]]),
    ],
    bocs: [
      ...(row.code_boc == null ? [] : [['code, a BoC in base64', row.code_boc] as [string, string]]),
      ...(row.data_boc == null ? [] : [['data, a BoC in base64', row.data_boc] as [string, string]]),
    ],
  };
}

async function factsOfV2(access: Access, address: string, call: CallOptions): Promise<Facts> {
  const answer = await access.v2.getAddressInformation({ address }, call);
  const { parseAddressInput } = await import('../../toolkit/access/address');
  const parsed = parseAddressInput(address);
  return {
    raw: parsed.toRawString(),
    friendly: parsed.toString(),
    balance: answer.balance,
    state: answer.state,
    more: [['last tx', answer.last_transaction_id.hash]],
    bocs: [
      ...(answer.code ? [['code, a BoC in base64', answer.code] as [string, string]] : []),
      ...(answer.data ? [['data, a BoC in base64', answer.data] as [string, string]] : []),
    ],
  };
}

/** Names of the method ids that many contracts have; the others stay numbers. */
async function methodNames(ids: readonly number[]): Promise<string[]> {
  const { knownMethodName } = await import('../getMethods/knownMethodNames');
  return ids.map((id) => knownMethodName(id) ?? String(id));
}

/** What the account holds in jettons; a network that cannot tell holds nothing against it. */
async function jettonsOf(access: Access, address: string, call: CallOptions): Promise<string[][]> {
  try {
    const answer = await access.v3.jettonWallets(
      { owner_address: [address], exclude_zero_balance: true, limit: 50 },
      call,
    );
    return (answer.jetton_wallets ?? []).map((wallet) => {
      const token = Object.entries(answer.metadata ?? {}).find(
        ([key]) => key.toLowerCase() === wallet.jetton,
      )?.[1]?.token_info?.[0];
      const decimals = Number(token?.extra?.['decimals'] ?? 9);
      const symbol = visibleText(token?.symbol ?? 'jetton', 16);
      return [
        symbol,
        formatUnits(
          wallet.balance ?? 0n,
          Number.isInteger(decimals) && decimals >= 0 && decimals < 100 ? decimals : 9,
        ),
        wallet.jetton ?? '',
      ];
    });
  } catch (error) {
    if (WorkbenchError.is(error, 'aborted')) {
      throw error;
    }
    return [];
  }
}
