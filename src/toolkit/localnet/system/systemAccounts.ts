import { Address, Cell, Dictionary, beginCell, contractAddress, toNano } from '@ton/core';
import { WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import { makeShardAccount } from '../../accounts/makeShardAccount';
import { writeLightCell } from '../../cell/light/lightCell';
import { rawAddress } from '../../cell/light/readMessage';
import type { NetworkConfig } from '../../execution/emulator/networkConfig';
import { WorkbenchError } from '../../base/errors';
import { fitsCoins } from '../../base/numberWidths';
import type { LocalAccount } from '../../accounts/localAccount';
import { namedAccounts } from '../accounts/namedAccounts';
import type { AccountChange } from '../records/blockInput';
import type { AccountRecord } from '../records/records';
import { systemCodes } from './systemCodes';

/** Initial balance of each wallet, nanocoins: a million coins. */
export const genesisBalance = 1_000_000_000_000_000n;

/** The wallets a chain starts with. */
export interface Genesis {
  accounts: readonly LocalAccount[];
  /** Nanocoins each. */
  balance: bigint;
}

/** What a new chain should start with. */
export interface GenesisWish {
  /** Default: the usual ten. */
  accounts?: readonly LocalAccount[] | undefined;
  /** Nanocoins each; default a million TON. */
  balance?: bigint | undefined;
}

export const defaultGenesis: Genesis = { accounts: namedAccounts, balance: genesisBalance };

/** The v5r1 wallet ids that clients use for a key: the main network's and the test network's. */
const networkIds = [-239, -3] as const;

/**
 * The wallets, deployed and funded (seqno 0, default wallet ids), with storage paid up to `now`; v5r1 wallets also
 * with the test network's wallet id.
 */
export function genesisAccounts(
  now: number,
  { accounts, balance }: Genesis = defaultGenesis,
): AccountChange[] {
  if (!fitsCoins(balance)) {
    throw new WorkbenchError({
      code: 'localnet-accounts-invalid',
      kind: 'input',
      message: `No account can have ${balance} nanocoins: amounts have at most 120 bits.`,
    });
  }
  const wallets = accounts.map(walletsOf);
  return [...wallets.flatMap((own) => own.slice(0, 1)), ...wallets.flatMap((own) => own.slice(1))].map(
    (wallet) => activeAccount(wallet, balance, now),
  );
}

type Wallet = WalletContractV4 | WalletContractV5R1;

function walletsOf({ kind, publicKey }: LocalAccount): Wallet[] {
  const key = Buffer.from(publicKey, 'hex');
  return kind === 'v5r1'
    ? networkIds.map((networkGlobalId) =>
        WalletContractV5R1.create({ publicKey: key, walletId: { networkGlobalId } }),
      )
    : [WalletContractV4.create({ workchain: 0, publicKey: key })];
}

/** The ShardAccount of a contract that has never had a transaction. */
function activeAccount(
  { address, init }: Pick<Wallet, 'address' | 'init'>,
  balance: bigint,
  now: number,
): AccountChange {
  const shardAccount = makeShardAccount({
    address,
    status: 'active',
    balance,
    code: init.code,
    data: init.data,
    frozenHash: undefined,
    lastLt: 0n,
    lastMessages: 0,
    lastHash: undefined,
    lastPaid: now,
  });
  const raw = rawAddress(address.workChain, address.hash);
  return { address: raw, shardAccount: Buffer.from(shardAccount, 'base64') };
}

/** Far more than storage costs in a lifetime. */
const balance = toNano('10000');

/** The contracts that tools expect on every network, at the configured or usual addresses. */
export interface SystemAddresses {
  config: Address;
  elector: Address;
  /** The root DNS resolver. */
  dnsRoot: Address;
  /** The `.ton` resolver. */
  tonDomains: Address;
}

/** Their addresses under a configuration (parameters 0, 1 and 4). */
export function systemAddresses({ parameters }: NetworkConfig): SystemAddresses {
  const of = (id: number, usual: string): Address => {
    const slice = parameters.get(id)?.beginParse();
    const hash = slice !== undefined && slice.remainingBits >= 256 ? slice.loadBuffer(32) : undefined;
    return new Address(-1, hash ?? Buffer.from(usual.repeat(32), 'hex'));
  };
  return {
    config: of(0, '55'),
    elector: of(1, '33'),
    dnsRoot: of(4, '44'),
    tonDomains: contractAddress(0, { code: systemCodes.dnsResolver, data: nameData(new Map()) }),
  };
}

/**
 * The changes that bring the system contracts in line with this configuration: missing contracts, and the
 * configuration contract if its data differs. Empty if all is well.
 */
export function systemChanges(
  accounts: ReadonlyMap<string, AccountRecord>,
  config: NetworkConfig,
  now: number,
): AccountChange[] {
  const { config: configAddress, elector, dnsRoot, tonDomains } = systemAddresses(config);
  const wanted = [
    { address: elector, init: { code: systemCodes.elector, data: electorData() } },
    {
      address: dnsRoot,
      init: { code: systemCodes.dnsResolver, data: nameData(new Map([['ton', tonDomains]])) },
    },
    { address: tonDomains, init: { code: systemCodes.dnsResolver, data: nameData(new Map()) } },
  ];
  return [
    ...configChange(accounts.get(rawOf(configAddress)), configAddress, config.root, now),
    ...wanted
      .filter(({ address }) => !isActive(accounts.get(rawOf(address))))
      .map((contract) => activeAccount(contract, balance, now)),
  ];
}

/** The resolver of a name (one label) below one of our resolvers. */
export function resolverIn(resolver: AccountRecord, name: string): Address | undefined {
  return readTable(resolver).get(nameKey(name));
}

/** A resolver extended by these names. @param names each label with its resolver */
export function withNames(
  resolver: AccountRecord,
  names: ReadonlyMap<string, Address>,
  now: number,
): AccountChange {
  return withData(resolver, nameData(names, readTable(resolver)), now);
}

/** The key of a label: the hash of the cell with its bytes. Also the index of a domain's item (TEP-81). */
export function nameKey(name: string): bigint {
  return BigInt(`0x${beginCell().storeBuffer(Buffer.from(name)).endCell().hash().toString('hex')}`);
}

/** Where a resolver stores the addresses of next resolvers: by label key. */
type NameTable = Dictionary<bigint, Address>;

function emptyTable(): NameTable {
  return Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Address());
}

function readTable({ facts: { data } }: AccountRecord): NameTable {
  const cell = data === null ? undefined : Cell.fromBoc(writeLightCell(data))[0];
  return (
    cell?.beginParse().loadDict(Dictionary.Keys.BigUint(256), Dictionary.Values.Address()) ?? emptyTable()
  );
}

function nameData(names: ReadonlyMap<string, Address>, table = emptyTable()): Cell {
  for (const [name, resolver] of names) {
    table.set(nameKey(name), resolver);
  }
  return beginCell().storeDict(table).endCell();
}

function rawOf({ workChain, hash }: Address): string {
  return rawAddress(workChain, hash);
}

function isActive(account: AccountRecord | undefined): boolean {
  return account?.facts.status === 'active';
}

/** As on the public network: the configuration, the seqno, the key that may change it (none), proposals (none). */
function configData(root: Cell): Cell {
  return beginCell().storeRef(root).storeUint(0, 32).storeUint(0, 256).storeBit(false).endCell();
}

function electorData(): Cell {
  // No election, no credits, no past elections, nothing owned, no validators.
  return beginCell().storeUint(0, 3).storeCoins(0).storeUint(0, 32).storeUint(0, 256).endCell();
}

function configChange(
  account: AccountRecord | undefined,
  address: Address,
  root: Cell,
  now: number,
): AccountChange[] {
  if (account === undefined || !isActive(account)) {
    const init = { code: systemCodes.config, data: configData(root) };
    return [activeAccount({ address, init }, balance, now)];
  }
  const isCurrent = account.facts.data?.refs[0]?.hexHash === root.hash().toString('hex');
  return isCurrent ? [] : [withData(account, configData(root), now)];
}

/** An active account with new data, its storage paid up to `now`. */
function withData({ address, facts }: AccountRecord, data: Cell, now: number): AccountChange {
  const { code, balance: own, lastTransactionLt, lastTransactionHash } = facts;
  const shardAccount = makeShardAccount({
    address: Address.parseRaw(address),
    status: 'active',
    balance: own,
    code: code === null ? undefined : Cell.fromBoc(writeLightCell(code))[0],
    data,
    frozenHash: undefined,
    lastLt: lastTransactionLt,
    lastMessages: 0,
    lastHash: lastTransactionHash,
    lastPaid: now,
  });
  return { address, shardAccount: Buffer.from(shardAccount, 'base64') };
}
