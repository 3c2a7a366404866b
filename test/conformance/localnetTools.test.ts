import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { beginCell, Cell, loadMessage } from '@ton/core';
import { installClients } from '../../scripts/lib/installClients.mjs';
import { root } from '../../scripts/lib/root.mjs';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import type { LocalAccount } from '../../src/toolkit/accounts/localAccount';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { BlueprintProject } from './support/blueprintProject';
import { until } from '../support/until';

/** What a Blueprint project has under scripts/: our counter, deployed by the wallet that Blueprint was given. */
const deployScript = `
import { beginCell, Cell, contractAddress, toNano } from '@ton/core';
import { NetworkProvider } from '@ton/blueprint';
import { readFileSync } from 'node:fs';

export async function run(provider: NetworkProvider) {
  const { hex } = JSON.parse(readFileSync('build/Counter.compiled.json', 'utf8'));
  const code = Cell.fromBoc(Buffer.from(hex, 'hex'))[0];
  const data = beginCell().storeAddress(provider.sender().address!).storeInt(7, 64).endCell();
  const address = contractAddress(0, { code, data });
  await provider.sender().send({ to: address, value: toNano('0.5'), init: { code, data } });
  await provider.waitForDeploy(address, 20, 200);
  const { stack } = await provider.provider(address).get('counterAfter', [{ type: 'int', value: 35n }]);
  provider.ui().write('the counter says ' + stack.readBigNumber());
  const { electorAddress } = await provider.getConfig();
  provider.ui().write('the elector is at ' + electorAddress.toRawString());
}
`;

interface TonwebBig {
  toString(): string;
}

/** The part of tonweb that is used here; its own types do not say it. */
interface Tonweb {
  provider: {
    getBalance(address: string): Promise<string>;
    getAddressInfo(address: string): Promise<{ state: string }>;
    getExtendedAddressInfo(address: string): Promise<{ account_state: { '@type': string } }>;
    getWalletInfo(address: string): Promise<{ wallet_type?: string; seqno?: number }>;
    getTransactions(address: string, limit: number): Promise<{ in_msg: { value: string } }[]>;
    getMasterchainInfo(): Promise<{ last: { seqno: number } }>;
    getBlockShards(seqno: number): Promise<{ shards: unknown[] }>;
    getBlockHeader(workchain: number, shard: string, seqno: number): Promise<{ id: { seqno: number } }>;
    getMasterchainBlockHeader(seqno: number): Promise<{ id: { seqno: number } }>;
    getMasterchainBlockTransactions(seqno: number): Promise<{ transactions: unknown[] }>;
    getConfigParam(id: number): Promise<{ bits: unknown }>;
    getEstimateFee(query: object): Promise<{ source_fees: { gas_fee: number } }>;
    call(address: string, method: string, parameters: unknown[]): Promise<{ stack: [string, string][] }>;
    call2(address: string, method: string, parameters: unknown[]): Promise<TonwebBig>;
  };
  dns: { getWalletAddress(domain: string): Promise<{ toString(...form: boolean[]): string } | null> };
  wallet: { all: Record<string, new (provider: unknown, options: object) => TonwebWallet> };
}
interface TonwebWallet {
  getAddress(): Promise<{ toString(...form: boolean[]): string }>;
  methods: {
    seqno(): { call(): Promise<number> };
    transfer(options: object): { send(): Promise<unknown>; getQuery(): Promise<unknown> };
  };
}
type TonwebClass = (new (provider: unknown) => Tonweb) & {
  HttpProvider: new (url: string) => Tonweb['provider'];
  utils: { toNano(coins: string): unknown };
};

describe('popular tools against the local network', () => {
  let clients: string;
  let local: Localnet;
  const account = (name: string): LocalAccount => {
    const found = local.accounts.find((one) => one.name === name);
    assert.ok(found);
    return found;
  };

  before(async () => {
    clients = await installClients();
    local = await startLocalnet({ port: 0, log: silentLog });
  });
  after(() => local?.close());

  /** Runs the script in a fresh project as its author would; answers what Blueprint printed. */
  const blueprint = async (wallet: LocalAccount, ...network: string[]): Promise<string> => {
    const project = await BlueprintProject.create();
    try {
      await mkdir(path.join(project.folder, 'scripts'));
      await cp(path.join(root, 'examples/build'), path.join(project.folder, 'build'), { recursive: true });
      await writeFile(path.join(project.folder, 'scripts/deployCounter.ts'), deployScript);
      return await project.run(
        ['run', 'deployCounter', '--mnemonic', '--custom', `${local.v2}/jsonRPC`, ...network],
        { WALLET_MNEMONIC: wallet.mnemonic, WALLET_VERSION: wallet.kind },
      );
    } finally {
      await project.remove();
    }
  };

  for (const [type, name] of [
    ['testnet', 'alice'],
    ['mainnet', 'carol'],
    ['custom', 'erin'],
    ['testnet', 'bob'],
  ] as const) {
    it(`@ton/blueprint run --custom-type ${type} deploys a contract with ${name}'s words, and reads the configuration`, async () => {
      const printed = await blueprint(account(name), '--custom-version', 'v2', '--custom-type', type);
      assert.match(printed, /the counter says 42/);
      assert.match(printed, /the elector is at -1:3333/);
    });
  }

  describe("tonweb's HttpProvider", () => {
    let TonWeb: TonwebClass;
    let tonweb: Tonweb;
    before(() => {
      TonWeb = createRequire(path.join(clients, 'package.json'))('tonweb') as TonwebClass;
      tonweb = new TonWeb(new TonWeb.HttpProvider(`${local.v2}/jsonRPC`));
    });
    const wallet = (name: string): TonwebWallet => {
      const { v4R2 } = tonweb.wallet.all;
      assert.ok(v4R2);
      const publicKey = Buffer.from(account(name).publicKey, 'hex');
      return new v4R2(tonweb.provider, { publicKey: new Uint8Array(publicKey), wc: 0 });
    };
    const transfer = async (amount: string): Promise<ReturnType<TonwebWallet['methods']['transfer']>> =>
      wallet('dave').methods.transfer({
        secretKey: new Uint8Array(Buffer.from(account('dave').secretKey, 'hex')),
        toAddress: account('alice').address,
        amount: TonWeb.utils.toNano(amount),
        seqno: (await wallet('dave').methods.seqno().call()) ?? 0,
        payload: 'from tonweb',
        sendMode: 3,
      });

    it('finds the wallets by their keys, and reads accounts', async () => {
      const { address } = account('dave');
      const own = await wallet('dave').getAddress();
      assert.equal(own.toString(false), address);
      assert.equal(await tonweb.provider.getBalance(address), '1000000000000000');
      assert.equal((await tonweb.provider.getAddressInfo(address)).state, 'active');
      const { account_state: state } = await tonweb.provider.getExtendedAddressInfo(address);
      assert.match(state['@type'], /accountState/);
      assert.equal((await tonweb.provider.getWalletInfo(address)).wallet_type, 'wallet v4 r2');
    });

    it('runs get-methods', async () => {
      const { address } = account('dave');
      const { stack } = await tonweb.provider.call(address, 'get_subwallet_id', []);
      assert.deepEqual(stack, [['num', '0x29a9a317']]);
      assert.equal(
        String(
          await tonweb.provider.call2(address, 'is_plugin_installed', [
            ['num', 0],
            ['num', 5],
          ]),
        ),
        '0',
      );
    });

    it('sends a transfer, and reads it back', async () => {
      await (await transfer('2.5')).send();
      const { address } = account('alice');
      await until(
        async () => (await tonweb.provider.getTransactions(address, 1)).length === 1,
        'alice is paid',
      );
      const [received] = await tonweb.provider.getTransactions(address, 1);
      assert.equal(received?.in_msg.value, '2500000000');
    });

    it('estimates fees', async () => {
      const query = (await (await transfer('1')).getQuery()) as {
        toBoc(withIndex: boolean): Promise<Uint8Array>;
      };
      const { address } = account('dave');
      const body = Buffer.from(await bodyOf(query)).toString('base64');
      const fees = await tonweb.provider.getEstimateFee({
        address,
        body,
        init_code: '',
        init_data: '',
        ignore_chksig: true,
      });
      assert.ok(fees.source_fees.gas_fee > 0);
    });

    it('finds a wallet by its name', async () => {
      const { address } = account('alice');
      await callControl(local.control, 'domain', { domain: 'shop.ton', wallet: address });
      assert.equal((await tonweb.dns.getWalletAddress('shop.ton'))?.toString(false), address);
      assert.equal(await tonweb.dns.getWalletAddress('nobody.ton'), null);
    });

    it('reads blocks and the configuration', async () => {
      const { last } = await tonweb.provider.getMasterchainInfo();
      assert.equal((await tonweb.provider.getBlockShards(last.seqno)).shards.length, 1);
      assert.equal((await tonweb.provider.getMasterchainBlockHeader(last.seqno)).id.seqno, last.seqno);
      assert.ok(
        Array.isArray((await tonweb.provider.getMasterchainBlockTransactions(last.seqno)).transactions),
      );
      assert.ok((await tonweb.provider.getConfigParam(0)).bits);
    });
  });
});

/** The body of an external message that tonweb has made. */
async function bodyOf(message: { toBoc(withIndex: boolean): Promise<Uint8Array> }): Promise<Uint8Array> {
  const [cell] = Cell.fromBoc(Buffer.from(await message.toBoc(false)));
  const { body } = loadMessage((cell ?? beginCell().endCell()).beginParse());
  return body.toBoc();
}
