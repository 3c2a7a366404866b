import { createHash } from 'node:crypto';
import { JettonMinter } from '@ton-community/assets-sdk/dist/jetton/JettonMinter';
import { JettonWallet } from '@ton-community/assets-sdk/dist/jetton/JettonWallet';
import { NftCollection } from '@ton-community/assets-sdk/dist/nft/NftCollection';
import { NftItem } from '@ton-community/assets-sdk/dist/nft/NftItem';
import { NftSale } from '@ton-community/assets-sdk/dist/nft/NftSale';
import type { Cell, StateInit } from '@ton/core';
import {
  Address,
  beginCell,
  contractAddress,
  Dictionary,
  internal,
  SendMode,
  storeMessageRelaxed,
  toNano,
} from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import type { Localnet } from '../../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../../src/toolkit/base/log';
import { compileContract } from '../../support/localTraces';
import { externalBoc, addressOf, transfer } from '../../unit/localnet/support/testChain';
import { mintBody, transferBody } from '../../unit/localnet/support/scenario';
import { domainItem, multisig, multisigOrder, sampleContract, vestingWallet } from './sampleContracts';

/** A local network on which a bit of everything has happened. Addresses raw with upper-case hex. */
export interface BusyNetwork {
  network: Localnet;
  alice: string;
  bob: string;
  /** Her message is pending. */
  carol: string;
  minter: string;
  aliceJettons: string;
  bobJettons: string;
  collection: string;
  item: string;
  sale: string;
  domain: string;
  tickTock: string;
  multisig: string;
  order: string;
  vesting: string;
  /** Hash of the library the network carries, hex. */
  library: string;
  /** Normalized hash (base64) of a message that was accepted but is in no block yet. */
  pendingHash: string;
  /** An account with coins whose contract is not deployed yet; BoCs in base64. */
  undeployed: { address: string; init_code: string; init_data: string };
  /** One that is pending already: sending it again changes nothing. */
  repeatable: string;
  call(method: 'GET' | 'POST', url: string, body?: unknown): Promise<{ status: number; body: unknown }>;
  control(command: string, body: unknown): Promise<unknown>;
}

/** More transactions than this, and a trace is answered without them. */
const maximumTraceTransactions = 8;

const custom = beginCell().storeUint(0, 32).storeStringTail('custom').endCell();
const upper = (address: Address): string =>
  `${address.workChain}:${address.hash.toString('hex').toUpperCase()}`;
const bytes = (cell: Cell | null | undefined): string | undefined => cell?.toBoc().toString('base64');

/** A network that makes blocks when told to. */
export function startManualNetwork(): Promise<Localnet> {
  return startLocalnet({ port: 0, mode: { kind: 'manual' }, maximumTraceTransactions, log: silentLog });
}

export async function fillNetwork(network: Localnet): Promise<BusyNetwork> {
  const origin = `http://127.0.0.1:${network.port}`;
  const call: BusyNetwork['call'] = async (method, url, body) => {
    const response = await fetch(origin + url, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    return { status: response.status, body: await response.json() };
  };
  const control: BusyNetwork['control'] = async (command, body) => {
    const answer = await call('POST', `/control/${command}`, body);
    if (answer.status !== 200) {
      throw new Error(`${command}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  };
  const send = async (boc: Buffer): Promise<string> => {
    const { status, body } = await call('POST', '/api/v3/message', { boc: boc.toString('base64') });
    if (status !== 200) {
      throw new Error(JSON.stringify(body));
    }
    return (body as { message_hash_norm: string }).message_hash_norm;
  };
  const [alice, bob] = [addressOf('alice'), addressOf('bob')];
  const admin = Address.parseRaw(alice);
  let seqno = 0;
  /** Signed by alice, and executed. */
  const fromAlice = async (
    to: string,
    value: string,
    body?: Cell | string,
    init?: StateInit,
  ): Promise<void> => {
    const more = { ...(body === undefined ? {} : { body }), ...(init === undefined ? {} : { init }) };
    await send(transfer('alice', { seqno, to, value: toNano(value), bounce: true, ...more }));
    seqno += 1;
    await control('mine', {});
  };
  const deploy = async (init: StateInit, value = '1', workchain = 0): Promise<string> => {
    const [code, data] = [bytes(init.code), bytes(init.data)];
    await control('deploy', { code, data, value: toNano(value).toString(), workchain });
    await control('mine', {});
    return upper(contractAddress(workchain, init));
  };

  // Coins: with a comment, into nothing (bounced), refused by the receiver.
  await fromAlice(bob, '2', 'hello');
  await fromAlice(`0:${'77'.repeat(32)}`, '1', beginCell().storeUint(0x12345678, 32).endCell());
  const library = beginCell().storeUint(0xfeed, 16).endCell();
  const { hash } = (await control('library', { boc: bytes(library) })) as { hash: string };

  const minter = JettonMinter.createFromConfig({
    admin,
    content: jettonContent(),
  });
  const jettonsOf = (owner: string): string =>
    upper(
      JettonWallet.createFromConfig({ owner: Address.parseRaw(owner), jettonMaster: minter.address }).address,
    );
  const minterAddress = upper(minter.address);
  await fromAlice(minterAddress, '1', undefined, minter.init);
  await fromAlice(minterAddress, '1', mintBody(minter.address, admin, 1_000n));
  await fromAlice(jettonsOf(alice), '1', transferBody(Address.parseRaw(bob), admin, 400n, custom));
  await fromAlice(jettonsOf(alice), '1', burnBody(50n, admin, custom));
  await fromAlice(jettonsOf(alice), '1', transferBody(Address.parseRaw(bob), admin, 10n));
  await fromAlice(jettonsOf(alice), '1', burnBody(5n, admin));
  await fromAlice(minterAddress, '1', beginCell().storeUint(0x12345678, 32).endCell());

  const collection = NftCollection.createFromConfig({
    admin,
    content: beginCell()
      .storeRef(beginCell().storeUint(1, 8).storeStringTail('https://example.org/collection.json').endCell())
      .storeRef(beginCell().storeStringTail('https://example.org/').endCell())
      .endCell(),
  });
  const collectionAddress = upper(collection.address);
  await fromAlice(collectionAddress, '1', undefined, collection.init);
  for (const index of [0n, 1n]) {
    await fromAlice(collectionAddress, '1', mintItem(index, admin));
  }
  const itemAt = (index: bigint): Address =>
    NftItem.createFromConfig({ index, collection: collection.address }).address;
  await fromAlice(upper(itemAt(0n)), '1', itemTransfer(Address.parseRaw(bob), admin, custom));
  const sale = NftSale.createFromConfig({
    createdAt: 1_700_000_000,
    marketplace: Address.parseRaw(bob),
    nft: itemAt(1n),
    fullPrice: toNano('5'),
    marketplaceFeeTo: Address.parseRaw(bob),
    marketplaceFee: toNano('0.1'),
    royaltyTo: admin,
    royalty: toNano('0.2'),
    canDeployByExternal: false,
  });
  await deploy(sale.init as StateInit);
  await fromAlice(upper(itemAt(1n)), '1', itemTransfer(sale.address, admin));

  const resolver = Address.parseRaw(bob);
  const domain = await deploy({
    ...(await compileContract(domainItem)),
    data: beginCell()
      .storeAddress(admin)
      .storeAddress(collection.address)
      .storeRef(beginCell().storeStringTail('example').endCell())
      .storeDict(dnsRecords(resolver))
      .endCell(),
  });
  const walletAddress = await deploy({
    ...(await compileContract(multisig)),
    data: beginCell().storeDict(people(admin)).storeDict(people(resolver)).endCell(),
  });
  const order = await deploy({
    ...(await compileContract(multisigOrder)),
    data: beginCell()
      .storeAddress(Address.parseRaw(walletAddress))
      .storeDict(people(admin, resolver))
      .storeRef(orderOf(resolver))
      .endCell(),
  });
  const whitelist = Dictionary.empty(Dictionary.Keys.BigUint(264), Dictionary.Values.Uint(0));
  whitelist.set(BigInt(`0x${addressOf('carol').slice(2)}`), 0);
  const vesting = await deploy({
    ...(await compileContract(vestingWallet)),
    data: beginCell().storeAddress(admin).storeAddress(resolver).storeDict(whitelist).endCell(),
  });
  const sample = await compileContract(sampleContract);
  const tickTock = await deploy(sample, '1', -1);
  const undeployed = contractAddress(0, sample).toString();
  await control('faucet', { address: undeployed, amount: toNano('1').toString() });
  await control('setAccount', { address: tickTock, tick: true, tock: true });
  await control('setAccount', { address: alice, extraCurrencies: { 100: '12345' } });
  await control('mine', {});

  // A trace that is too large to be answered whole, the pending message, and one that waits.
  await send(fanOut(seqno, bob));
  await control('mine', {});
  const pending = transfer('carol', { seqno: 0, to: bob, value: 1n, body: 'pending' });
  const pendingHash = await send(pending);
  return {
    network,
    alice: upper(Address.parseRaw(alice)),
    bob: upper(Address.parseRaw(bob)),
    carol: upper(Address.parseRaw(addressOf('carol'))),
    minter: minterAddress,
    aliceJettons: jettonsOf(alice),
    bobJettons: jettonsOf(bob),
    collection: collectionAddress,
    item: upper(itemAt(0n)),
    sale: upper(sale.address),
    domain,
    tickTock,
    multisig: walletAddress,
    order,
    vesting,
    library: hash,
    pendingHash,
    undeployed: {
      address: undeployed,
      init_code: bytes(sample.code) ?? '',
      init_data: bytes(sample.data) ?? '',
    },
    repeatable: pending.toString('base64'),
    call,
    control,
  };
}

function fanOut(seqno: number, to: string): Buffer {
  const alice = namedAccounts.find(({ name }) => name === 'alice');
  const wallet = WalletContractV5R1.create({ publicKey: Buffer.from(alice?.publicKey ?? '', 'hex') });
  const messages = Array.from({ length: maximumTraceTransactions }, () =>
    internal({ to, value: 1n, bounce: false }),
  );
  const body = wallet.createTransfer({
    seqno,
    secretKey: Buffer.from(alice?.secretKey ?? '', 'hex'),
    messages,
    sendMode: SendMode.PAY_GAS_SEPARATELY,
    timeout: 2_000_000_000,
  });
  return externalBoc(wallet.address.toRawString(), body);
}

function burnBody(amount: bigint, response: Address, custom: Cell | null = null): Cell {
  return beginCell()
    .storeUint(0x595f07bc, 32)
    .storeUint(11, 64)
    .storeCoins(amount)
    .storeAddress(response)
    .storeMaybeRef(custom)
    .endCell();
}

/** The reference collection's message for one item. */
function mintItem(index: bigint, owner: Address): Cell {
  const content = beginCell().storeStringTail(`${index}.json`).endCell();
  return beginCell()
    .storeUint(1, 32)
    .storeUint(12, 64)
    .storeUint(index, 64)
    .storeCoins(toNano('0.1'))
    .storeRef(beginCell().storeAddress(owner).storeRef(content).endCell())
    .endCell();
}

/** TEP-62 transfer with a text comment. */
function itemTransfer(to: Address, response: Address, custom: Cell | null = null): Cell {
  return beginCell()
    .storeUint(0x5fcc3d14, 32)
    .storeUint(13, 64)
    .storeAddress(to)
    .storeAddress(response)
    .storeMaybeRef(custom)
    .storeCoins(toNano('0.2'))
    .storeBit(true)
    .storeRef(beginCell().storeUint(0, 32).storeStringTail('for you').endCell())
    .endCell();
}

/** All four records of TEP-81. */
function dnsRecords(to: Address): Dictionary<bigint, Cell> {
  const records = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  const put = (name: string, value: Cell): void => {
    records.set(BigInt(`0x${sha256Of(name)}`), value);
  };
  put('dns_next_resolver', beginCell().storeUint(0xba93, 16).storeAddress(to).endCell());
  put('wallet', beginCell().storeUint(0x9fd3, 16).storeAddress(to).storeUint(0, 8).endCell());
  put('site', beginCell().storeUint(0xad01, 16).storeUint(0xabcd, 256).storeUint(0, 8).endCell());
  put('storage', beginCell().storeUint(0x7473, 16).storeUint(0xef01, 256).endCell());
  return records;
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function people(...members: Address[]): Dictionary<number, Address> {
  const dictionary = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Address());
  members.forEach((member, place) => dictionary.set(place, member));
  return dictionary;
}

/** An order of multisig v2: one message with a comment, and a change of the multisig itself. */
function orderOf(to: Address): Cell {
  const body = beginCell().storeUint(0, 32).storeStringTail('paid by many').endCell();
  const message = beginCell()
    .store(storeMessageRelaxed(internal({ to, value: toNano('1'), bounce: true, body })))
    .endCell();
  const actions = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Cell());
  actions.set(0, beginCell().storeUint(0xf1381e5b, 32).storeUint(3, 8).storeRef(message).endCell());
  actions.set(1, beginCell().storeUint(0x1d0cfbd3, 32).storeUint(1, 8).endCell());
  return beginCell().storeDictDirect(actions).endCell();
}

/** On-chain attributes of TEP-64. */
function jettonContent(): Cell {
  const attributes = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
  const texts = {
    name: 'Example',
    symbol: 'EXA',
    description: 'For tests',
    image: 'https://example.org/image.png',
    decimals: '9',
  };
  for (const [name, text] of Object.entries(texts)) {
    const value = beginCell().storeUint(0, 8).storeStringTail(text).endCell();
    attributes.set(BigInt(`0x${sha256Of(name)}`), value);
  }
  return beginCell().storeUint(0, 8).storeDict(attributes).endCell();
}
