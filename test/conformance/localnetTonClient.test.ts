import assert from 'node:assert/strict';
import { JettonMinter, JettonWallet } from '@ton-community/assets-sdk';
import type { Sender } from '@ton/core';
import { beginCell, Cell, contractAddress, internal, SendMode, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import { TonClient, WalletContractV4 } from '@ton/ton';
import type { Localnet } from '../../src/toolkit/localnet/localnet';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { LocalWallets } from './support/localWallets';

const threeArguments = `
fun onInternalMessage(in: InMessage) {}
get fun sumUp(number: int, box: cell, view: slice): (int, cell, slice) {
    var inside = box.beginParse();
    return (number * 2 + inside.loadUint(32), beginCell().storeSlice(view).endCell(), inside);
}
`;

describe('@ton/ton, unmodified, against the local network', () => {
  let network: Localnet;
  let client: TonClient;
  let wallets: LocalWallets;

  before(async () => {
    network = await startLocalnet({ port: 0, log: silentLog });
    client = new TonClient({ endpoint: `${network.v2}/jsonRPC` });
    wallets = new LocalWallets(network, client);
  });
  after(() => network.close());

  it('starts with ten named wallets of both kinds, funded and deployed', async () => {
    assert.equal(network.accounts.length, 10);
    assert.deepEqual(new Set(network.accounts.map((one) => one.kind)), new Set(['v5r1', 'v4r2']));
    for (const { name, address } of network.accounts) {
      const wallet = wallets.open(name);
      assert.equal(wallet.address.toRawString(), address);
      assert.equal(await client.isContractDeployed(wallet.address), true);
      assert.equal(await client.getBalance(wallet.address), toNano('1000000'));
      assert.equal(await wallet.getSeqno(), 0);
    }
  });

  for (const [from, to] of [
    ['alice', 'bob'],
    ['bob', 'alice'],
  ] as const) {
    it(`sends a signed transfer from ${from} and reads the transactions back`, async () => {
      const receiver = wallets.open(to);
      const before = await client.getBalance(receiver.address);
      await wallets.sender(from).send({
        to: receiver.address,
        value: toNano('12.5'),
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        bounce: false,
        body: beginCell().storeUint(0, 32).storeStringTail(`from ${from}`).endCell(),
      });
      const [received] = await client.getTransactions(receiver.address, { limit: 1 });
      assert.equal(received?.inMessage?.info.type, 'internal');
      assert.ok(wallets.open(from).address.equals(received.inMessage.info.src));
      assert.equal(received.inMessage.info.value.coins, toNano('12.5'));
      assert.equal(received.inMessage.body.beginParse().skip(32).loadStringTail(), `from ${from}`);
      const gained = (await client.getBalance(receiver.address)) - before;
      assert.ok(gained > toNano('12.49') && gained <= toNano('12.5'));

      const [sent] = await client.getTransactions(wallets.open(from).address, { limit: 1 });
      assert.equal(sent?.inMessage?.info.type, 'external-in');
      assert.equal(sent.outMessagesCount, 1);
      const again = await client.getTransaction(
        wallets.open(from).address,
        sent.lt.toString(),
        sent.hash().toString('base64'),
      );
      assert.deepEqual(again?.hash(), sent.hash());
    });
  }

  it('pages through an account with lt and hash', async () => {
    for (let round = 0; round < 3; round += 1) {
      await wallets
        .sender('carol')
        .send({ to: wallets.open('dave').address, value: toNano('1'), bounce: false });
    }
    const { address } = wallets.open('carol');
    const all = await client.getTransactions(address, { limit: 10 });
    assert.equal(all.length, 3);
    const [first, second] = all;
    assert.ok(first && second);
    const page = await client.getTransactions(address, {
      limit: 1,
      lt: first.lt.toString(),
      hash: first.hash().toString('base64'),
    });
    assert.deepEqual(page[0]?.hash(), second.hash());
    assert.equal(first.prevTransactionLt, second.lt);
  });

  it('refuses a message with a wrong seqno, with the exit code of the wallet', async () => {
    const wallet = client.open(
      WalletContractV4.create({
        workchain: 0,
        publicKey: Buffer.from(wallets.account('dave').publicKey, 'hex'),
      }),
    );
    const messages = [internal({ to: wallet.address, value: 1n, bounce: false })];
    const transfer = wallet.createTransfer({
      seqno: 7,
      secretKey: wallets.secret('dave'),
      messages,
      sendMode: SendMode.PAY_GAS_SEPARATELY,
    });
    await assert.rejects(
      wallet.send(transfer),
      (error: { response?: { status: number; data: { error: string } } }) => {
        assert.equal(error.response?.status, 500);
        assert.match(
          error.response.data.error,
          /^LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted\nCannot run message on account: inbound external message rejected by transaction [0-9A-F]{64}:\nexitcode=33, steps=\d\d+, gas_used=0\nVM Log \(truncated\):\n\.\.\./,
        );
        return true;
      },
    );
  });

  it('runs a get-method with a number, a cell and a slice', async () => {
    const compiled = await runTolkCompiler({
      entrypointFileName: 'main.tolk',
      fsReadCallback: () => threeArguments,
    });
    assert.equal(compiled.status, 'ok');
    const init = { code: Cell.fromBase64((compiled as { codeBoc64: string }).codeBoc64), data: Cell.EMPTY };
    const address = contractAddress(0, init);
    await wallets.sender('erin').send({ to: address, value: toNano('1'), bounce: false, init });
    const box = beginCell().storeUint(100, 32).storeUint(7, 3).endCell();
    const view = beginCell().storeAddress(address).endCell();
    const { stack } = await client.runMethod(address, 'sumUp', [
      { type: 'int', value: -21n },
      { type: 'cell', cell: box },
      { type: 'slice', cell: view },
    ]);
    assert.equal(stack.readBigNumber(), 58n);
    assert.ok(stack.readCell().equals(view));
    assert.equal(stack.readCell().beginParse().loadUint(3), 7);
  });

  it('deploys, mints and transfers jettons of @ton-community/assets-sdk', async () => {
    const admin = wallets.sender('frank');
    const content = beginCell().storeUint(1, 8).storeStringTail('https://example.org/jetton.json').endCell();
    assert.ok(admin.address);
    const minter = client.open(JettonMinter.createFromConfig({ admin: admin.address, content }));
    await minter.sendDeploy(admin, toNano('0.05'));
    await minter.sendMint(admin, admin.address, 1_000n);

    const data = await minter.getData();
    assert.equal(data.totalSupply, 1_000n);
    assert.equal(data.mintable, true);
    assert.ok(data.adminAddress?.equals(admin.address));
    assert.ok(data.jettonContent.equals(content));
    assert.ok(data.jettonWalletCode.equals(JettonWallet.code));

    const walletOf = (owner: NonNullable<Sender['address']>): JettonWallet =>
      JettonWallet.createFromConfig({ owner, jettonMaster: minter.address });
    const own = client.open(walletOf(admin.address));
    assert.ok((await minter.getWalletAddress(admin.address)).equals(own.address));
    assert.equal((await own.getData()).balance, 1_000n);

    const receiver = wallets.open('grace').address;
    await own.send(admin, receiver, 250n);
    const theirs = client.open(walletOf(receiver));
    assert.ok((await minter.getWalletAddress(receiver)).equals(theirs.address));
    assert.equal((await theirs.getData()).balance, 250n);
    assert.equal((await own.getData()).balance, 750n);
  });
});
