import assert from 'node:assert/strict';
import {
  JettonMinter,
  JettonWallet,
  NftCollection,
  NftItem,
  NftSale,
  SbtCollection,
} from '@ton-community/assets-sdk';
import { Address, beginCell, external, internal, SendMode, storeMessage, toNano } from '@ton/core';
import type { Cell, Contract, MessageRelaxed, OpenedContract, Transaction } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import type { KeyPair } from '@ton/crypto';
import * as tonClient from '@ton/ton';
import { TonClient } from '@ton/ton';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { LocalWallets } from './support/localWallets';
import { until } from '../support/until';

describe('third-party clients against the local network', () => {
  let network: Localnet;
  let client: TonClient;
  let wallets: LocalWallets;

  before(async () => {
    network = await startLocalnet({ port: 0, log: silentLog });
    client = new TonClient({ endpoint: `${network.v2}/jsonRPC` });
    wallets = new LocalWallets(network, client);
  });
  after(() => network.close());

  const last = async (address: Address): Promise<Transaction> => {
    const [transaction] = await client.getTransactions(address, { limit: 1 });
    assert.ok(transaction);
    return transaction;
  };
  const transferOf = async (name: string, to: Address): Promise<Cell> => {
    const wallet = wallets.open(name);
    const writer = wallet as unknown as { createTransfer(args: object): Cell };
    return writer.createTransfer({
      seqno: await wallet.getSeqno(),
      secretKey: wallets.secret(name),
      messages: [internal({ to, value: toNano('1'), bounce: false })],
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    });
  };

  describe("every method of @ton/ton's TonClient", () => {
    const alice = (): Address => wallets.open('alice').address;
    const bob = (): Address => wallets.open('bob').address;
    /** A transfer of alice's, the transaction that sent it and the one that received it. */
    let sent: Transaction;
    let received: Transaction;

    before(async () => {
      await wallets.sender('alice').send({ to: bob(), value: toNano('1'), bounce: false });
      await until(async () => (await client.getTransactions(bob(), { limit: 1 })).length > 0, 'bob is paid');
      [sent, received] = await Promise.all([last(alice()), last(bob())]);
    });

    const isHandedOver = async (send: (wallet: Contract, body: Cell) => Promise<void>): Promise<void> => {
      const wallet = wallets.open('carol');
      const before = await wallet.getSeqno();
      await send(wallet, await transferOf('carol', bob()));
      await until(async () => (await wallet.getSeqno()) === before + 1, 'carol has sent it');
    };
    const asMessage = ({ address }: Contract, body: Cell): ReturnType<typeof external> =>
      external({ to: address, body });

    const methods: Record<string, () => Promise<void>> = {
      getBalance: async () => assert.ok((await client.getBalance(bob())) > toNano('1000000')),
      runMethod: async () => assert.equal((await client.runMethod(alice(), 'seqno')).stack.readNumber(), 1),
      callGetMethod: async () =>
        assert.equal((await client.callGetMethod(alice(), 'seqno')).stack.readNumber(), 1),
      runMethodWithError: async () =>
        assert.equal((await client.runMethodWithError(alice(), 'no_such_method')).exit_code, 11),
      callGetMethodWithError: async () =>
        assert.ok((await client.callGetMethodWithError(alice(), 'seqno')).gas_used > 0),
      getTransactions: async () =>
        assert.equal((await client.getTransactions(alice(), { limit: 5, inclusive: true })).length, 1),
      getTransaction: async () => {
        const found = await client.getTransaction(alice(), String(sent.lt), sent.hash().toString('base64'));
        assert.deepEqual(found?.hash(), sent.hash());
      },
      tryLocateResultTx: async () => {
        const found = await client.tryLocateResultTx(alice(), bob(), String(createdLt()));
        assert.deepEqual(found.hash(), received.hash());
      },
      tryLocateSourceTx: async () => {
        const found = await client.tryLocateSourceTx(alice(), bob(), String(createdLt()));
        assert.deepEqual(found.hash(), sent.hash());
      },
      getMasterchainInfo: async () => {
        const { workchain, shard, latestSeqno } = await client.getMasterchainInfo();
        assert.deepEqual([workchain, shard], [-1, '-9223372036854775808']);
        assert.ok(latestSeqno > 1);
      },
      getWorkchainShards: async () => {
        const { latestSeqno } = await client.getMasterchainInfo();
        const shards = await client.getWorkchainShards(latestSeqno);
        assert.deepEqual(
          shards.map(({ workchain }) => workchain),
          [0],
        );
      },
      getShardTransactions: async () => {
        const { latestSeqno } = await client.getMasterchainInfo();
        const hashes: string[] = [];
        for (let seqno = 1; seqno <= latestSeqno; seqno += 1) {
          for (const shard of await client.getWorkchainShards(seqno)) {
            const rows = await client.getShardTransactions(shard.workchain, shard.seqno, shard.shard);
            hashes.push(...rows.map(({ hash }) => hash));
          }
        }
        assert.ok(hashes.includes(sent.hash().toString('base64')));
        assert.ok(hashes.includes(received.hash().toString('base64')));
      },
      sendMessage: () => isHandedOver((wallet, body) => client.sendMessage(asMessage(wallet, body))),
      sendFile: () =>
        isHandedOver((wallet, body) =>
          client.sendFile(
            beginCell()
              .store(storeMessage(asMessage(wallet, body)))
              .endCell()
              .toBoc(),
          ),
        ),
      sendExternalMessage: () => isHandedOver((wallet, body) => client.sendExternalMessage(wallet, body)),
      estimateExternalMessageFee: async () => {
        const { source_fees: fees } = await client.estimateExternalMessageFee(alice(), {
          body: await transferOf('alice', bob()),
          initCode: null,
          initData: null,
          ignoreSignature: true,
        });
        assert.ok(fees.gas_fee > 0 && fees.in_fwd_fee > 0);
      },
      isContractDeployed: async () => {
        assert.equal(await client.isContractDeployed(alice()), true);
        assert.equal(await client.isContractDeployed(new Address(0, Buffer.alloc(32, 9))), false);
      },
      getContractState: async () => {
        const state = await client.getContractState(alice());
        assert.equal(state.state, 'active');
        assert.ok(state.code && state.data);
        assert.equal(state.lastTransaction?.hash, sent.hash().toString('base64'));
      },
      open: async () => assert.equal(await wallets.open('dave').getSeqno(), 0),
      provider: async () => {
        const { state, balance } = await client.provider(alice()).getState();
        assert.equal(state.type, 'active');
        assert.ok(balance > 0n);
      },
    };
    const createdLt = (): bigint => {
      const [message] = sent.outMessages.values();
      assert.ok(message?.info.type === 'internal');
      return message.info.createdLt;
    };

    it('is covered', () => {
      const all = Object.getOwnPropertyNames(TonClient.prototype).filter((name) => name !== 'constructor');
      assert.deepEqual(Object.keys(methods).sort(), all.sort());
    });
    for (const [name, works] of Object.entries(methods)) {
      it(`${name} works`, works);
    }
  });

  describe('every wallet of @ton/ton', () => {
    const keys: KeyPair = keyPairFromSeed(Buffer.alloc(32, 7));
    interface Wallet extends Contract {
      getSeqno?: unknown;
      createTransfer(args: object): Cell;
    }
    type WalletClass = { create(args: { workchain: number; publicKey: Buffer }): Wallet };
    const classes = Object.entries(tonClient as unknown as Record<string, WalletClass>).filter(([name]) =>
      /^WalletContractV\dR?\d?$/.test(name),
    );

    it('is covered: v1 r1 to v5 r1', () => {
      assert.ok(classes.length >= 9, classes.map(([name]) => name).join(' '));
    });

    for (const [name, walletClass] of classes) {
      it(`${name} is deployed by its own message, sends, and receives`, async () => {
        const wallet = walletClass.create({ workchain: 0, publicKey: keys.publicKey });
        await wallets.sender('erin').send({ to: wallet.address, value: toNano('3'), bounce: false });
        await until(async () => (await client.getBalance(wallet.address)) === toNano('3'), 'it has coins');
        assert.equal(await client.isContractDeployed(wallet.address), false);
        const target = new Address(0, Buffer.alloc(32, classes.findIndex(([other]) => other === name) + 100));
        for (const seqno of [0, 1]) {
          const message: MessageRelaxed = internal({ to: target, value: toNano('1'), bounce: false });
          const single = /V1R/.test(name) ? { message } : {};
          const body = wallet.createTransfer({
            seqno,
            secretKey: keys.secretKey,
            messages: [message],
            sendMode: SendMode.PAY_GAS_SEPARATELY,
            ...single,
          });
          await client.sendExternalMessage(wallet, body);
          const expected = toNano(String(seqno + 1)) - 20_000_000n;
          await until(async () => (await client.getBalance(target)) > expected, `message ${seqno} arrives`);
        }
        assert.equal(await client.isContractDeployed(wallet.address), true);
        const poorer = await client.getBalance(wallet.address);
        await wallets.sender('erin').send({ to: wallet.address, value: toNano('2'), bounce: true });
        await until(
          async () => (await client.getBalance(wallet.address)) > poorer + toNano('1.99'),
          'it keeps what a deployed wallet receives',
        );
        assert.equal((await last(wallet.address)).outMessagesCount, 0);
      });
    }
  });

  it('says why the beta of wallet v5 does not work here: its code is in a library of the main network', async () => {
    const { publicKey, secretKey } = keyPairFromSeed(Buffer.alloc(32, 7));
    const wallet = tonClient.WalletContractV5Beta.create({ publicKey });
    await wallets.sender('erin').send({ to: wallet.address, value: toNano('1'), bounce: false });
    const body = wallet.createTransfer({ seqno: 0, secretKey, messages: [], sendMode: SendMode.NONE });
    await assert.rejects(
      client.sendExternalMessage(wallet, body),
      (error: { response?: { data: { error: string } } }) =>
        /exitcode=9[^]*failed to load library cell/.test(error.response?.data.error ?? ''),
    );
  });

  describe('@ton-community/assets-sdk', () => {
    const text = (value: string): Cell => beginCell().storeUint(1, 8).storeStringTail(value).endCell();
    const addressOf = (name: string): Address => wallets.open(name).address;
    const isThere = (contract: Contract): Promise<true> =>
      until(() => client.isContractDeployed(contract.address), 'the contract is there');

    it('burns a jetton and changes its admin', async () => {
      const admin = wallets.sender('frank');
      const minter = client.open(
        JettonMinter.createFromConfig({
          admin: addressOf('frank'),
          content: text('https://example.org/j.json'),
        }),
      );
      await minter.sendDeploy(admin, toNano('0.05'));
      await isThere(minter);
      await minter.sendMint(admin, addressOf('frank'), 1_000n);
      const own = client.open(
        JettonWallet.createFromConfig({ owner: addressOf('frank'), jettonMaster: minter.address }),
      );
      await isThere(own);
      await own.sendBurn(admin, 400n);
      await until(async () => (await minter.getData()).totalSupply === 600n, 'the supply is smaller');
      assert.equal((await own.getData()).balance, 600n);
      await minter.sendChangeAdmin(admin, addressOf('grace'));
      await until(
        async () => (await minter.getData()).adminAddress?.equals(addressOf('grace')) === true,
        'grace is the admin',
      );
    });

    const collectionOf = async (): Promise<OpenedContract<NftCollection>> => {
      const collection = client.open(
        NftCollection.createFromConfig({
          admin: addressOf('heidi'),
          content: beginCell()
            .storeRef(text('https://example.org/c.json'))
            .storeRef(beginCell().storeStringTail('https://example.org/').endCell())
            .endCell(),
          royalty: { numerator: 5n, denominator: 100n, recipient: addressOf('heidi') },
        }),
      );
      if (!(await client.isContractDeployed(collection.address))) {
        await collection.sendDeploy(wallets.sender('heidi'), toNano('0.05'));
        await isThere(collection);
      }
      return collection;
    };

    it('deploys an NFT collection, mints one NFT, mints a batch, and transfers one', async () => {
      const admin = wallets.sender('heidi');
      const collection = await collectionOf();
      const owner = addressOf('heidi');
      await collection.sendMint(admin, { index: 0n, owner, individualContent: '0.json' });
      await collection.sendBatchMint(
        admin,
        [1n, 2n].map((index) => ({ index, owner, individualContent: `${index}.json` })),
        { value: toNano('0.2') },
      );
      const items = [0n, 1n, 2n].map((index) =>
        client.open(NftItem.createFromConfig({ index, collection: collection.address })),
      );
      await Promise.all(items.map(isThere));
      const [item] = items;
      assert.ok(item);
      assert.ok((await collection.getItemAddress(0n)).equals(item.address));
      assert.equal((await collection.getData()).nextItemIndex, 3n);
      const royalty = await collection.getRoyaltyParams();
      assert.deepEqual([royalty.numerator, royalty.denominator], [5n, 100n]);

      await item.send(admin, addressOf('ivan'));
      await until(
        async () => (await item.getData()).owner?.equals(addressOf('ivan')) === true,
        'ivan owns it',
      );
      assert.ok((await item.getData()).collection?.equals(collection.address));
    });

    it('mints a soul-bound token', async () => {
      const admin = wallets.sender('judy');
      const collection = client.open(
        SbtCollection.createFromConfig({
          admin: addressOf('judy'),
          content: beginCell()
            .storeRef(text('https://example.org/s.json'))
            .storeRef(beginCell().endCell())
            .endCell(),
        }),
      );
      await collection.sendDeploy(admin, toNano('0.05'));
      await isThere(collection);
      const owner = addressOf('ivan');
      await collection.sendMint(admin, {
        index: 0n,
        owner,
        authority: addressOf('judy'),
        individualContent: '0',
      });
      const item = client.open(NftItem.createFromAddress(await collection.getItemAddress(0n)));
      await isThere(item);
      assert.ok((await item.getData()).owner?.equals(owner));
    });

    it('puts an NFT up for sale', async () => {
      const collection = await collectionOf();
      const nft = await collection.getItemAddress(1n);
      const sale = client.open(
        NftSale.createFromConfig({
          createdAt: Math.floor(Date.now() / 1000),
          marketplace: addressOf('dave'),
          nft,
          fullPrice: toNano('2'),
          marketplaceFeeTo: addressOf('dave'),
          marketplaceFee: toNano('0.1'),
          royaltyTo: addressOf('heidi'),
          royalty: toNano('0.1'),
          canDeployByExternal: false,
        }),
      );
      await sale.sendDeploy(wallets.sender('dave'), toNano('0.05'));
      await isThere(sale);
      const data = await sale.getData();
      assert.equal(data.fullPrice, toNano('2'));
      assert.ok(data.nft.equals(nft));
    });
  });
});
