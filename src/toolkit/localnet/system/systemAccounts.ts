import { Address, beginCell, Cell, contractAddress, Dictionary, toNano } from '@ton/core';
import { makeShardAccount } from '../../accounts/makeShardAccount';
import type { NetworkConfig } from '../../emulator/networkConfig';
import { writeLightCell } from '../../cell/light/writeLightCell';
import type { AccountChange } from '../records/blockInput';
import type { AccountRecord } from '../records/records';
import { activeAccount } from './genesis';
import { rawAddress } from '../../cell/light/readMessage';
import { systemCodes } from './systemCodes';

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
