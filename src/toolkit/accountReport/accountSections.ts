import type { Access, CallOptions } from '../access/createAccess';
import { WorkbenchError } from '../base/errors';
import { visibleText } from '../base/text';
import { counted, formatCoins, formatTime } from '../trace/figures';
import { bookRow } from './readAccountReport';
import { readStorageBasis, storageForecastOf } from './readStorageForecast';
import { storageForecastText } from './storageForecastText';
import { formatTable } from '../base/formatTable';

/** The parts of an account that are fetched on demand, in document order. */
export const accountSections = {
  storageFees: {
    title: 'storage fees',
    lens: 'Show Storage Fees',
    none: 'It does not exist, so it owes nothing.',
    read: storageLines,
    isOverV2: true,
  },
  nfts: { title: 'NFTs', lens: 'Show NFTs', none: 'It owns no NFTs.', read: nftLines },
  names: {
    title: 'DNS names that resolve to it',
    lens: 'Show DNS Names',
    none: 'No DNS name resolves to it. Names that it owns are NFTs.',
    read: nameLines,
  },
  vesting: {
    title: 'vesting',
    lens: 'Show Vesting',
    none: 'It does not take part in any vesting.',
    read: vestingLines,
  },
  multisig: {
    title: 'multisig',
    lens: 'Show Multisig',
    none: 'It is not a multisig, and does not sign or propose for one.',
    read: multisigLines,
  },
} as const satisfies Record<string, AccountSection>;

export type AccountSectionId = keyof typeof accountSections;

export const accountSectionIds = Object.keys(accountSections) as AccountSectionId[];

/** The sections that a network without API v3 has, too. */
export const sectionsOverV2: ReadonlySet<AccountSectionId> = new Set(
  accountSectionIds.filter((id) => 'isOverV2' in accountSections[id]),
);

interface AccountSection {
  title: string;
  /** Label of the code lens that loads it. */
  lens: string;
  /** Shown if the answer is empty. */
  none: string;
  read: (access: Access, raw: string, call: CallOptions, coin: string) => Promise<string[]>;
  /** It is there without API v3, too. */
  isOverV2?: true;
}

/** Rows shown per section. */
const mostRows = 100;

const unknown = 'unknown';
/** Shown if the answer lacks the list. */
export const notTold = 'Unknown: the answer does not say.';
const longestName = 40;

/**
 * Fetches one section and renders it as lines; a failure also becomes the section's text.
 *
 * @param raw address `wc:hex`, lowercase
 * @param coin the label of amounts
 * @throws WorkbenchError `aborted`
 */
export async function readAccountSection(
  access: Access,
  raw: string,
  section: AccountSectionId,
  call: CallOptions,
  coin = 'TON',
): Promise<string[]> {
  const { read, none }: AccountSection = accountSections[section];
  try {
    const lines = await read(access, raw, call, coin);
    return lines.length === 0 ? [none] : lines;
  } catch (error) {
    if (!WorkbenchError.is(error) || error.code === 'aborted') {
      throw error;
    }
    return [`could not be read: ${visibleText(error.message)}`];
  }
}

/** Renders at most `mostRows` rows; one more is fetched to know whether there are more. */
function shown<Row>(rows: readonly Row[] | null | undefined, lines: (rows: Row[]) => string[]): string[] {
  if (rows === undefined) {
    return [notTold];
  }
  const all = rows ?? [];
  return [...lines(all.slice(0, mostRows)), ...cutLine(all.length, mostRows)];
}

/** A line that says that there are more rows than shown. */
export function cutLine(count: number, most: number): string[] {
  return count > most ? [`and more; only the first ${most} are shown`] : [];
}

async function storageLines(
  access: Access,
  raw: string,
  { signal }: CallOptions,
  coin: string,
): Promise<string[]> {
  return storageForecastText(storageForecastOf(await readStorageBasis(access, raw, signal)), coin);
}

async function nftLines(access: Access, raw: string, call: CallOptions): Promise<string[]> {
  const answer = await access.v3.nftItems(
    { owner_address: [raw], include_on_sale: true, limit: mostRows + 1 },
    call,
  );
  return shown(answer.nft_items, (items) =>
    formatTable(
      items.map((item) => {
        const token = bookRow(answer.metadata, item.address)?.token_info?.[0];
        const collection = bookRow(answer.metadata, item.collection_address)?.token_info?.[0];
        const name = textOf(item.content?.['domain']) ?? token?.name ?? textOf(item.content?.['name']);
        const flags = [
          ...(token?.is_scam === true ? ['scam'] : []),
          ...(item.on_sale === true ? ['on sale'] : []),
          ...(item.init === false ? ['not initialized'] : []),
        ];
        return [
          nameText(name ?? 'no name'),
          nameText(collection?.name ?? (item.collection_address == null ? 'no collection' : 'a collection')),
          item.address ?? unknown,
          flags.join(', '),
        ];
      }),
      ['left', 'left', 'left', 'left'],
    ),
  );
}

async function nameLines(access: Access, raw: string, call: CallOptions): Promise<string[]> {
  const { records } = await access.v3.dnsRecords({ wallet: raw, limit: mostRows + 1 }, call);
  return shown(records, (rows) =>
    formatTable(
      rows.map(({ domain, nft_item_owner: owner, nft_item_address: item }) => [
        nameText(domain ?? unknown),
        owner == null ? 'owner unknown' : owner === raw ? 'its own' : `owned by ${owner}`,
        item ?? unknown,
      ]),
      ['left', 'left', 'left'],
    ),
  );
}

async function vestingLines(access: Access, raw: string, call: CallOptions): Promise<string[]> {
  const [itself, partner] = await Promise.all([
    access.v3.vesting({ contract_address: [raw] }, call),
    access.v3.vesting({ wallet_address: [raw], limit: mostRows + 1 }, call),
  ]);
  const others = partner.vesting_contracts?.filter(({ address }) => address !== raw);
  const own = itself.vesting_contracts ?? [];
  return shown(
    others === undefined && own.length === 0 ? undefined : [...own, ...(others ?? [])],
    (contracts) =>
      contracts.flatMap((contract) => [
        contract.address === raw
          ? 'It is a vesting contract.'
          : `${roleIn(raw, contract)} of ${contract.address ?? 'an unknown address'}`,
        ...indented([
          ['amount', coins(contract.total_amount)],
          ['owner', contract.owner_address ?? unknown],
          ['sender', contract.sender_address ?? unknown],
          ['start', time(contract.start_time)],
          ['lasts', duration(contract.total_duration)],
          ['cliff', duration(contract.cliff_duration)],
          ['unlocked every', duration(contract.unlock_period)],
          ['whitelist', contract.whitelist == null ? unknown : counted(contract.whitelist.length, 'account')],
        ]),
      ]),
  );
}

function roleIn(
  raw: string,
  contract: { owner_address?: string | null | undefined; sender_address?: string | null | undefined },
): string {
  const roles = [
    ...(contract.owner_address === raw ? ['owner'] : []),
    ...(contract.sender_address === raw ? ['sender'] : []),
  ];
  return roles.length === 0 ? 'part' : roles.join(' and ');
}

type Multisigs = Awaited<ReturnType<Access['v3']['multisigWallets']>>['multisigs'];
type MultisigWallet = NonNullable<Multisigs>[number];

async function multisigLines(access: Access, raw: string, call: CallOptions): Promise<string[]> {
  const [itself, partner] = await Promise.all([
    access.v3.multisigWallets({ address: [raw], include_orders: true }, call),
    access.v3.multisigWallets({ wallet_address: [raw], include_orders: false, limit: mostRows + 1 }, call),
  ]);
  const list = partner.multisigs;
  const others = list?.filter(({ address }) => address !== raw) ?? list;
  return [
    ...(itself.multisigs ?? []).flatMap(ownMultisigLines),
    ...shown(others, (wallets) =>
      wallets.map(({ address, signers, proposers, threshold }) => {
        const roles = [
          ...(signers?.includes(raw) === true ? ['signs'] : []),
          ...(proposers?.includes(raw) === true ? ['proposes'] : []),
        ];
        const role = roles.length === 0 ? 'takes part' : roles.join(' and ');
        return `${role} in ${address ?? 'an unknown address'}  (${quorum(threshold, signers)})`;
      }),
    ),
  ];
}

function ownMultisigLines(wallet: MultisigWallet): string[] {
  const orders = wallet.orders ?? [];
  return [
    `It is a multisig: ${quorum(wallet.threshold, wallet.signers)}.`,
    ...indented([
      ['next order', wallet.next_order_seqno?.toString() ?? unknown],
      ...(wallet.signers ?? []).map((signer): [string, string] => ['signer', signer]),
      ...(wallet.proposers ?? []).map((proposer): [string, string] => ['proposer', proposer]),
      ...orders.slice(0, mostRows).map((order): [string, string] => {
        const state =
          order.sent_for_execution == null
            ? 'state unknown'
            : order.sent_for_execution
              ? 'executed'
              : `until ${time(order.expiration_date)}`;
        const approvals = `${order.approvals_num ?? unknown} of ${order.threshold ?? wallet.threshold ?? unknown} approvals`;
        return [
          `order ${order.order_seqno ?? unknown}`,
          `${approvals}, ${state}  ${order.address ?? unknown}`,
        ];
      }),
    ]),
    ...cutLine(orders.length, mostRows),
  ];
}

function quorum(threshold: number | null | undefined, signers: readonly string[] | null | undefined): string {
  return `${threshold ?? unknown} of ${signers == null ? 'an unknown number of signers' : counted(signers.length, 'signer')}`;
}

function indented(rows: readonly (readonly [string, string])[]): string[] {
  return formatTable(rows, ['left', 'left']).map((line) => `  ${line}`);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function nameText(text: string): string {
  return visibleText(text, longestName);
}

function coins(nanocoins: bigint | null | undefined): string {
  return nanocoins == null ? unknown : formatCoins(nanocoins);
}

function time(seconds: number | null | undefined): string {
  return seconds == null ? unknown : formatTime(seconds);
}

const day = 86_400;

function duration(seconds: number | null | undefined): string {
  if (seconds == null) {
    return unknown;
  }
  return seconds > 0 && seconds % day === 0 ? counted(seconds / day, 'day') : counted(seconds, 'second');
}
