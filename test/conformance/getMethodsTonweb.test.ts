import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { HighloadWalletContractV2 } from '@ton-community/assets-sdk/dist/wallets/HighloadWalletContractV2';
import { Address, beginCell, Cell, Dictionary } from '@ton/core';
import { TonClient } from '@ton/ton';
import { installClients } from '../../scripts/lib/installClients.mjs';
import { createAccess } from '../../src/toolkit/access/createAccess';
import type { Access } from '../../src/toolkit/access/createAccess';
import { knownSignature } from '../../src/toolkit/getMethods/summarizeResult';
import { runGetMethod } from '../../src/toolkit/getMethods/runGetMethod';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { parseStackText } from '../../src/toolkit/stack/parseStackText';
import { compileContract } from '../support/localTraces';

/*
 * Wrappers with get-methods that the other suites do not have: the highload wallet of assets-sdk, and of tonweb those whose
 * code it brings, and its domains (which bring none, so that the code is ours). tonweb's subscriptions and payment channels
 * stay out: nobody sees either on a network any more.
 */

interface Big {
  toString(): string;
}
interface TonwebContract {
  createStateInit(): Promise<{ code: TonwebCell; data: TonwebCell }>;
  getAddress(): Promise<{ toString(...form: boolean[]): string }>;
  methods: Record<string, (...parameters: unknown[]) => Promise<unknown>>;
  getBalances?(): Promise<unknown>;
}
interface TonwebCell {
  toBoc(withIndex: boolean): Promise<Uint8Array>;
}
type ContractClass = new (provider: unknown, options: object) => TonwebContract;
type Tonweb = (new (provider: unknown) => { provider: unknown }) & {
  HttpProvider: new (url: string) => unknown;
  Address: new (text: string) => object;
  utils: { BN: new (text: string) => Big };
  HighloadWallets: {
    HighloadWalletContractV3: ContractClass;
    HighloadQueryId: { fromSeqno(seqno: bigint): { getQueryId(): bigint } };
  };
  LockupWallets: { LockupWalletV1: ContractClass; VestingWalletV1: ContractClass };
  dns: { DnsItem: ContractClass };
};

/** A domain that knows its records by category (TEP-81). Data: ^name, records. */
const domainSource = `
import "@stdlib/tvm-dicts"
fun onInternalMessage(in: InMessage) {}
get fun get_domain(): slice {
    var data = contract.getData().beginParse();
    return data.loadRef().beginParse();
}
get fun dnsresolve(subdomain: slice, category: int): (int, cell?) {
    var data = contract.getData().beginParse();
    data.loadRef();
    val records = data.loadDict();
    if (category == 0) {
        return (8, records);
    }
    val (record, _) = records.uDictGetRef(256, category);
    return (8, record);
}
`;

const publicKey = Buffer.from('5d'.repeat(32), 'hex');
const keyNumber = BigInt(`0x${publicKey.toString('hex')}`);

describe('get-methods of contracts from assets-sdk and tonweb, compared with their own wrappers', () => {
  let network: Localnet;
  let access: Access;
  let TonWeb: Tonweb;
  let provider: unknown;

  before(async () => {
    const clients = await installClients();
    TonWeb = createRequire(path.join(clients, 'package.json'))('tonweb') as Tonweb;
    network = await startLocalnet({ port: 0, log: silentLog });
    provider = new TonWeb.HttpProvider(`${network.v2}/jsonRPC`);
    const { v2, v3 } = network;
    access = createAccess({ network: { name: 'Local', kind: 'local', v2, v3, globalId: -239 } });
  });
  after(() => network?.close());

  const deployCells = async (code: Cell, data: Cell): Promise<string> => {
    const boc = (cell: Cell): string => cell.toBoc().toString('base64');
    const init = { code: boc(code), data: boc(data) };
    return (await callControl(network.control, 'deploy', init)).address;
  };

  const deploy = async (contract: TonwebContract): Promise<string> => {
    const { code, data } = await contract.createStateInit();
    const [codeCell, dataCell] = await Promise.all(
      [code, data].map(async (cell) => Cell.fromBoc(Buffer.from(await cell.toBoc(false)))[0] as Cell),
    );
    const address = await deployCells(codeCell as Cell, dataCell as Cell);
    assert.equal(address, Address.parse((await contract.getAddress()).toString(false)).toRawString());
    return address;
  };

  /** The stack over both APIs, which must be the same, as plain values. */
  const run = async (address: string, method: string, args = ''): Promise<unknown[]> => {
    const call = { address, method, stack: parseStackText(args) };
    const answers = [
      await runGetMethod(access, call),
      await runGetMethod(access, call, { preferredApi: 'v2' }),
    ];
    const [v3, v2] = answers.map(({ exitCode, stack }) => {
      assert.equal(exitCode, 0, method);
      return stack.map(({ value }) =>
        'cell' in value ? value.cell.hash().toString('hex') : 'value' in value ? value.value : value.type,
      );
    });
    assert.deepEqual(v2, v3);
    return v3 as unknown[];
  };

  const number = async (answer: Promise<unknown> | undefined): Promise<bigint> =>
    BigInt(String(await answer));

  const addressIn = async (address: string, method: string, at: number): Promise<string | undefined> => {
    const { stack } = await runGetMethod(access, { address, method, stack: [] });
    const value = stack[at]?.value;
    return value !== undefined && 'cell' in value
      ? value.cell.beginParse().loadMaybeAddress()?.toRawString()
      : undefined;
  };

  it('highload wallet v2, of assets-sdk', async () => {
    const wallet = HighloadWalletContractV2.create({ workchain: 0, publicKey });
    const address = await deployCells(wallet.init.code, wallet.init.data);
    assert.equal(address, wallet.address.toRawString());
    const client = new TonClient({ endpoint: `${network.v2}/jsonRPC` });
    const query = (BigInt(Math.floor(Date.now() / 1000) + 600) << 32n) | 7n;
    const own = await client.open(wallet).getProcessedStatus(query);
    assert.equal(own, 'unprocessed');
    assert.deepEqual(await run(address, 'processed?', String(query)), [0n]);
    assert.deepEqual(await run(address, 'get_public_key'), [keyNumber]);
  });

  it('highload wallet v3', async () => {
    const wallet = new TonWeb.HighloadWallets.HighloadWalletContractV3(provider, {
      publicKey: new Uint8Array(publicKey),
      timeout: 3_600,
    });
    const address = await deploy(wallet);
    const { methods } = wallet;
    const pairs: readonly (readonly [string, string])[] = [
      ['get_public_key', 'getPublicKey'],
      ['get_subwallet_id', 'getWalletId'],
      ['get_timeout', 'getTimeout'],
      ['get_last_clean_time', 'getLastCleanTime'],
    ];
    for (const [method, own] of pairs) {
      assert.deepEqual(await run(address, method), [await number(methods[own]?.())], method);
    }
    const query = TonWeb.HighloadWallets.HighloadQueryId.fromSeqno(1_024n);
    assert.equal(await methods['isProcessed']?.(query, false), false);
    assert.deepEqual(await run(address, 'processed?', `${query.getQueryId()} false`), [0n]);
  });

  it('vesting wallet v1', async () => {
    const [sender, owner] = ['bob', 'carol'].map(
      (name) => network.accounts.find((one) => one.name === name)?.address ?? '',
    ) as [string, string];
    const start = 1_900_000_000;
    const wallet = new TonWeb.LockupWallets.VestingWalletV1(provider, {
      wc: 0,
      publicKey: new Uint8Array(publicKey),
      vestingStartTime: start,
      vestingTotalDuration: 1_000,
      unlockPeriod: 100,
      cliffDuration: 200,
      vestingTotalAmount: new TonWeb.utils.BN('5000000000'),
      vestingSenderAddress: new TonWeb.Address(sender),
      ownerAddress: new TonWeb.Address(owner),
    });
    const address = await deploy(wallet);
    const { methods } = wallet;
    for (const time of [start - 1, start + 150, start + 550, start + 2_000]) {
      const own = await number(methods['getLockedAmount']?.(time));
      assert.deepEqual(await run(address, 'get_locked_amount', String(time)), [own], String(time));
    }
    assert.deepEqual(await run(address, 'get_public_key'), [keyNumber]);
    const data = (await methods['getVestingData']?.()) as Record<string, Big>;
    const stack = await run(address, 'get_vesting_data');
    assert.deepEqual(
      stack.slice(0, 5).map(String),
      ['vestingStartTime', 'vestingTotalDuration', 'unlockPeriod', 'cliffDuration', 'vestingTotalAmount'].map(
        (field) => String(data[field]),
      ),
    );
    assert.deepEqual(
      [await addressIn(address, 'get_vesting_data', 5), await addressIn(address, 'get_vesting_data', 6)],
      [sender, owner],
    );
    const result = await runGetMethod(access, { address, method: 'get_vesting_data', stack: [] });
    assert.ok(knownSignature(result), 'recognized as a vesting wallet');
    assert.deepEqual(await methods['getWhitelist']?.(), []);
  });

  it('lockup wallet v1', async () => {
    const wallet = new TonWeb.LockupWallets.LockupWalletV1(provider, {
      wc: 0,
      publicKey: new Uint8Array(publicKey),
      config: { wallet_type: 'lockup-0.1', config_public_key: publicKey.toString('base64') },
    });
    const address = await deploy(wallet);
    const { methods } = wallet;
    assert.deepEqual(await run(address, 'get_public_key'), [await number(methods['getPublicKey']?.())]);
    // Its code has no such method: the wrapper fails as the call does.
    await assert.rejects(async () => methods['getWalletId']?.());
    const { exitCode } = await runGetMethod(access, { address, method: 'get_subwallet_id', stack: [] });
    assert.equal(exitCode, 11);
    const balances = (await wallet.getBalances?.()) as Big[];
    assert.deepEqual((await run(address, 'get_balances')).map(String), balances.map(String));
  });

  it('domain', async () => {
    const bob = network.accounts.find((one) => one.name === 'bob')?.address ?? '';
    const { code } = await compileContract(domainSource);
    const record = beginCell()
      .storeUint(0x9fd3, 16)
      .storeAddress(Address.parse(bob))
      .storeUint(0, 8)
      .endCell();
    const records = Dictionary.empty(Dictionary.Keys.BigUint(256), Dictionary.Values.Cell());
    const wallet = 0xe8d44050873dba865aa7c170ab4cce64d90839a34dcfd6cf71d14e0205443b1bn;
    records.set(wallet, record);
    const data = beginCell()
      .storeRef(beginCell().storeStringTail('example').endCell())
      .storeDict(records)
      .endCell();
    const address = await deployCells(code as Cell, data);
    const item = new TonWeb.dns.DnsItem(provider, { address: new TonWeb.Address(address) });
    const resolved = (await item.methods['resolve']?.('.', 'wallet', true)) as {
      toString(...form: boolean[]): string;
    };
    assert.equal(Address.parse(resolved.toString(false)).toRawString(), bob);
    const answer = await run(address, 'dnsresolve', `slice x{00} ${wallet}`);
    assert.deepEqual(answer, [8n, record.hash().toString('hex')]);
    assert.equal(await item.methods['getDomain']?.(), 'example');
  });
});
