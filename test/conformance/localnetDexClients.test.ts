import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Address, Cell, OpenedContract, Sender } from '@ton/core';
import type { TonClient, WalletContractV5R1 } from '@ton/ton';
import { callControl } from '../../src/toolkit/localnet/callControl';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import type { DeployedJetton } from '../support/jetton';
import { deployJetton } from '../support/jetton';
import { compileContract } from '../support/localTraces';
import type { Dedust, Ston, Ton } from './support/dexClients';
import { loadDexClients } from './support/dexClients';
import { until } from '../support/until';

/**
 * Answers as the exchanges' own contracts do, whose code their SDKs do not bring: addresses that follow from the assets,
 * and the state of a router. It keeps what it is sent.
 */
const exchangeSource = `
fun derived(hash: int): slice {
    return beginCell().storeUint(4, 3).storeInt(0, 8).storeUint(hash, 256).endCell().beginParse();
}
fun onInternalMessage(in: InMessage) {}
get fun get_pool_address(token0: slice, token1: slice): slice {
    return derived(beginCell().storeSlice(token0).storeSlice(token1).endCell().hash());
}
get fun get_vault_address(asset: slice): slice {
    return derived(beginCell().storeSlice(asset).endCell().hash());
}
get fun get_router_data(): (int, slice, cell, cell, cell, cell) {
    val part = beginCell().storeUint(7, 8).endCell();
    return (-1, derived(5), part, contract.getData(), part, part);
}
`;

const transferNotification = 0x7362d09c;

describe('SDKs of exchanges, unmodified, against the local network', () => {
  const asked = new Set<string>();
  const onHttp = (message: unknown): void => {
    asked.add(String((message as { request: ClientRequest }).request.getHeader('host')));
  };
  const onFetch = (message: unknown): void => {
    asked.add(new URL(String((message as { request: { origin: string } }).request.origin)).host);
  };

  let network: Localnet;
  let ton: Ton;
  let ston: Ston;
  let dedust: Dedust;
  let client: TonClient;
  let wallet: OpenedContract<WalletContractV5R1>;
  let alice: Sender;
  let jetton: DeployedJetton;
  let other: DeployedJetton;
  let exchange: Address;

  before(async () => {
    ({ ton, ston, dedust } = await loadDexClients());
    network = await startLocalnet({ port: 0, log: silentLog });
    subscribe('http.client.request.start', onHttp);
    subscribe('undici:request:create', onFetch);
    client = new ton.TonClient({ endpoint: `${network.v2}/jsonRPC` });
    const account = network.accounts.find(({ name }) => name === 'alice');
    assert.ok(account);
    wallet = client.open(ton.WalletContractV5R1.create({ publicKey: Buffer.from(account.publicKey, 'hex') }));
    const inner = wallet.sender(Buffer.from(account.secretKey, 'hex'));
    alice = {
      address: wallet.address,
      send: async (message) => {
        const before = await wallet.getSeqno();
        await inner.send(message);
        await until(async () => (await wallet.getSeqno()) > before, 'the message is processed');
      },
    };
    const own = async (url: string): Promise<DeployedJetton> => {
      const { minter, owner, wallet: ofOwner } = await deployJetton(network.v2, url);
      const [a, b, c] = [minter, owner, ofOwner].map((one) => ton.Address.parse(one.toRawString()));
      assert.ok(a && b && c);
      return { minter: a, owner: b, wallet: c };
    };
    jetton = await own('https://example.invalid/one.json');
    other = await own('https://example.invalid/other.json');
    const { code, data } = await compileContract(exchangeSource);
    const boc = (cell: Cell | null | undefined): string => (cell ?? assert.fail()).toBoc().toString('base64');
    const { address } = await callControl(network.control, 'deploy', {
      code: boc(code),
      data: boc(data),
    });
    exchange = ton.Address.parse(address);
  });
  after(async () => {
    unsubscribe('http.client.request.start', onHttp);
    unsubscribe('undici:request:create', onFetch);
    await network?.close();
  });

  it("reads a wallet's state through the SDKs' @ton/ton", async () => {
    assert.ok(wallet.address.equals(jetton.owner));
    assert.equal(await client.isContractDeployed(wallet.address), true);
    assert.equal((await client.getContractState(wallet.address)).state, 'active');
    assert.ok((await client.getBalance(wallet.address)) > ton.toNano('999990'));
    assert.equal(await wallet.getSeqno(), 4);
  });

  describe('@ston-fi/sdk', () => {
    it('reads a jetton and the wallets of its owners', async () => {
      const minter = client.open(ston.DEX.v1.Pool.create(jetton.minter));
      const data = await minter.getJettonData();
      assert.equal(data.totalSupply, 1000n);
      assert.equal(data.canIncSupply, true);
      assert.ok(data.adminAddress?.equals(jetton.owner));
      assert.equal(data.contentRaw.beginParse().skip(8).loadStringTail(), 'https://example.invalid/one.json');
      assert.ok((await minter.getWalletAddress(jetton.owner)).equals(jetton.wallet));

      const held = client.open(await minter.getJettonWallet({ ownerAddress: jetton.owner }));
      assert.ok(held.address.equals(jetton.wallet));
      const state = await held.getWalletData();
      assert.equal(state.balance, 1000n);
      assert.ok(state.ownerAddress.equals(jetton.owner));
      assert.ok(state.jettonMasterAddress.equals(jetton.minter));
      assert.ok(state.jettonWalletCode.equals(data.jettonWalletCode));
    });

    it('reports that a jetton wallet without a contract holds nothing', async () => {
      const minter = client.open(ston.DEX.v1.Pool.create(jetton.minter));
      const none = client.open(await minter.getJettonWallet({ ownerAddress: exchange }));
      assert.equal(await none.getBalance(), 0n);
    });

    it("finds the pool of two jettons, and reads a router's state", async () => {
      const router = client.open(ston.DEX.v1.Router.create(exchange));
      const pool = await router.getPool({ token0: jetton.minter, token1: other.minter.toString() });
      const owned = async (one: DeployedJetton): Promise<Address> =>
        client.open(ston.DEX.v1.Pool.create(one.minter)).getWalletAddress(exchange);
      const assets = ton
        .beginCell()
        .storeAddress(await owned(jetton))
        .storeAddress(await owned(other));
      assert.equal(pool.address.toRawString(), `0:${assets.endCell().hash().toString('hex')}`);

      const state = await router.getRouterData();
      assert.equal(state.isLocked, true);
      assert.equal(state.adminAddress.toRawString(), `0:${'5'.padStart(64, '0')}`);
      assert.equal(state.poolCode.bits.length, 64);
    });

    it('sends a swap of one jetton for another', async () => {
      const router = client.open(ston.DEX.v1.Router.create(exchange));
      await router.sendSwapJettonToJetton(alice, {
        userWalletAddress: jetton.owner,
        offerJettonAddress: jetton.minter,
        askJettonAddress: other.minter,
        offerAmount: 250n,
        minAskAmount: 11n,
        queryId: 77,
      });
      const minter = client.open(ston.DEX.v1.Pool.create(jetton.minter));
      const received = client.open(await minter.getJettonWallet({ ownerAddress: exchange }));
      await until(async () => (await received.getBalance()) === 250n, 'the router is paid');
      assert.equal(
        await client.open(await minter.getJettonWallet({ ownerAddress: jetton.owner })).getBalance(),
        750n,
      );

      await until(
        async () => (await client.getTransactions(exchange, { limit: 1 })).length === 1,
        'the router knows',
      );
      const [notified] = await client.getTransactions(exchange, { limit: 1 });
      assert.equal(notified?.inMessage?.info.type, 'internal');
      assert.ok(notified.inMessage.info.src.equals(received.address));
      const body = notified.inMessage.body.beginParse();
      assert.equal(body.loadUint(32), transferNotification);
      assert.equal(body.loadUint(64), 77);
      assert.equal(body.loadCoins(), 250n);
      assert.ok(body.loadAddress().equals(jetton.owner));
      const swap = body.loadRef().beginParse();
      assert.equal(swap.loadUint(32), 0x25938561);
      const askWallet = await client.open(ston.DEX.v1.Pool.create(other.minter)).getWalletAddress(exchange);
      assert.ok(swap.loadAddress().equals(askWallet));
      assert.equal(swap.loadCoins(), 11n);
    });
  });

  describe('@dedust/sdk', () => {
    it('reads a jetton and the wallets of its owners', async () => {
      const root = client.open(dedust.JettonRoot.createFromAddress(other.minter));
      const data = await root.getJettonData();
      assert.equal(data.totalSupply, 1000n);
      assert.equal(data.isMintable, true);
      assert.ok(data.adminAddress?.equals(other.owner));
      assert.equal(data.content.beginParse().skip(8).loadStringTail(), 'https://example.invalid/other.json');
      assert.ok((await root.getWalletAddress(other.owner)).equals(other.wallet));

      const state = await client.open(await root.getWallet(other.owner)).getWalletData();
      assert.equal(state.balance, 1000n);
      assert.ok(state.ownerAddress.equals(other.owner));
      assert.ok(state.minterAddress.equals(other.minter));
      assert.ok(state.walletCode.equals(data.walletCode));
    });

    it('finds vaults, and sees whether they are deployed', async () => {
      const factory = client.open(dedust.Factory.createFromAddress(exchange));
      const { minter } = other;
      const asset = ton.beginCell().storeUint(1, 4).storeInt(minter.workChain, 8).storeBuffer(minter.hash);
      const vault = await factory.getJettonVault(minter);
      assert.equal(vault.address.toRawString(), `0:${asset.endCell().hash().toString('hex')}`);
      const { NOT_DEPLOYED: notDeployed, READY: ready } = dedust.ReadinessStatus;
      assert.equal(await client.open(vault).getReadinessStatus(), notDeployed);
      assert.equal(await client.open(await factory.getNativeVault()).getReadinessStatus(), notDeployed);
      const deployed = client.open(dedust.VaultNative.createFromAddress(exchange));
      assert.equal(await deployed.getReadinessStatus(), ready);
    });

    it('sends a jetton transfer that requests a swap', async () => {
      const root = client.open(dedust.JettonRoot.createFromAddress(other.minter));
      const held = client.open(await root.getWallet(other.owner));
      const { address: vault } = await client
        .open(dedust.Factory.createFromAddress(exchange))
        .getJettonVault(other.minter);
      const swap = dedust.VaultJetton.createSwapPayload({ poolAddress: exchange, limit: 3n });
      await held.sendTransfer(alice, ton.toNano('0.3'), {
        queryId: 78,
        amount: 400n,
        destination: vault,
        responseAddress: other.owner,
        forwardAmount: ton.toNano('0.2'),
        forwardPayload: swap,
      });
      const received = await root.getWallet(vault);
      await until(() => client.isContractDeployed(received.address), 'the vault has a jetton wallet');
      assert.equal(await client.open(received).getBalance(), 400n);
      assert.equal(await held.getBalance(), 600n);

      await until(async () => (await client.getBalance(vault)) > 0n, 'the vault knows');
      const [notified] = await client.getTransactions(vault, { limit: 1 });
      assert.equal(notified?.inMessage?.info.type, 'internal');
      assert.equal(notified.inMessage.info.value.coins, ton.toNano('0.2'));
      const body = notified.inMessage.body.beginParse();
      assert.equal(body.loadUint(32), transferNotification);
      assert.equal(body.loadUint(64), 78);
      assert.equal(body.loadCoins(), 400n);
      assert.ok(body.loadAddress().equals(other.owner));
      assert.equal(body.loadBit(), true);
      assert.ok(body.loadRef().equals(swap));
    });

    it('gets coins to swap back from a vault that is not deployed', async () => {
      const factory = client.open(dedust.Factory.createFromAddress(exchange));
      const vault = client.open(await factory.getNativeVault());
      const before = await client.getBalance(wallet.address);
      await vault.sendSwap(alice, { queryId: 79, amount: ton.toNano('5'), poolAddress: exchange });
      const latest = async (): ReturnType<TonClient['getTransactions']> =>
        client.getTransactions(wallet.address, { limit: 1 });
      await until(async () => (await latest())[0]?.inMessage?.info.type === 'internal', 'the bounce is back');
      const [returned] = await latest();
      assert.equal(returned?.inMessage?.info.type, 'internal');
      assert.equal(returned.inMessage.info.bounced, true);
      assert.ok(returned.inMessage.info.src.equals(vault.address));
      const body = returned.inMessage.body.beginParse();
      assert.equal(body.loadUint(32), 0xffffffff);
      assert.equal(body.loadUint(32), 0xea06185d);
      const lost = before - (await client.getBalance(wallet.address));
      assert.ok(lost > 0n && lost < ton.toNano('0.02'), `${lost} lost`);
      assert.equal(await client.isContractDeployed(vault.address), false);
    });
  });

  // Of its own, because mocha runs what is nested last.
  describe('together', () => {
    it('ask only the local network', () => {
      const { host } = new URL(network.v2);
      assert.ok(asked.has(host));
      // Other suites of this process may still ask servers of their own on this machine.
      const elsewhere = [...asked].filter(
        (one) => !one.startsWith('127.0.0.1:') && !one.startsWith('localhost:'),
      );
      assert.deepEqual(elsewhere, []);
    });
  });
});
