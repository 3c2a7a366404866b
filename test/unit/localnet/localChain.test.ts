import assert from 'node:assert/strict';
import { beginCell, Cell, contractAddress, internal, loadTransaction, SendMode, toNano } from '@ton/core';
import { WalletContractV5R1 } from '@ton/ton';
import { namedAccounts } from '../../../src/toolkit/localnet/accounts/namedAccounts';
import { readLightCell } from '../../../src/toolkit/cell/light/lightCell';
import { accountFacts } from '../../../src/toolkit/localnet/chain/ledger';
import type { RejectedMessageError } from '../../../src/toolkit/localnet/chain/inboundMessage';
import { addressOf, externalBoc, ManualClock, mineWith, testChain, transfer } from './support/testChain';

const [alice, bob, carol] = ['alice', 'bob', 'carol'].map(addressOf) as [string, string, string];

describe('LocalChain', () => {
  it('runs a transfer and its delivery in one block, linked as the protocol links them', async () => {
    const chain = await testChain();
    const block = await mineWith(chain, transfer('alice', { seqno: 0, to: bob, value: toNano('3') }));
    const [sent, received] = block.transactions;
    assert.ok(sent && received);
    assert.equal(sent.account.address, alice);
    assert.equal(received.account.address, bob);
    assert.equal(received.inMessage, sent.outMessages[0]);
    assert.equal(received.trace, sent.trace);
    assert.equal(sent.trace.pendingMessages, 0);
    assert.ok(received.lt > sent.lt);
    // The records agree with what @ton/core reads from the transactions themselves.
    for (const record of [sent, received]) {
      const cell = Cell.fromBoc(record.boc)[0] as Cell;
      const transaction = loadTransaction(cell.beginParse());
      assert.equal(cell.hash().toString('hex'), record.hash);
      assert.equal(transaction.lt, record.lt);
      const { facts } = record.account;
      assert.equal(facts.lastTransactionHash, record.hash);
      assert.equal(facts.account.hexHash, transaction.stateUpdate.newHash.toString('hex'));
    }
  });

  it("links an account's transactions and rebuilds each of its states", async () => {
    const chain = await testChain();
    for (const seqno of [0, 1, 2]) {
      await mineWith(chain, transfer('alice', { seqno, to: bob, value: 1n }));
    }
    const account = chain.ledger.accounts.get(alice);
    assert.ok(account);
    assert.equal(account.transactions.length, 3);
    let previous = '0'.repeat(64);
    for (const record of account.transactions) {
      const transaction = loadTransaction((Cell.fromBoc(record.boc)[0] as Cell).beginParse());
      assert.equal(transaction.prevTransactionHash.toString(16).padStart(64, '0'), previous);
      previous = record.hash;
      const after = accountFacts(chain.ledger, record.after);
      assert.equal(after.account.hexHash, transaction.stateUpdate.newHash.toString('hex'));
      assert.ok(record.before);
      const before = accountFacts(chain.ledger, record.before);
      assert.equal(before.account.hexHash, transaction.stateUpdate.oldHash.toString('hex'));
    }
    assert.equal(chain.ledger.versionAt(alice, 1), account.versions[0]);
    assert.equal(chain.ledger.versionAt(alice, 3)?.transaction, account.transactions[1]);
    assert.equal(chain.ledger.versionAt(carol, 0), undefined);
  });

  it('links blocks and never lets time or lt go backward', async () => {
    const clock = new ManualClock();
    const chain = await testChain({ clock });
    await mineWith(chain, transfer('alice', { seqno: 0, to: bob, value: 1n }));
    clock.milliseconds -= 100_000;
    await chain.mine();
    clock.milliseconds += 105_000;
    await mineWith(chain, transfer('alice', { seqno: 1, to: bob, value: 1n }));
    const { blocks } = chain.ledger;
    assert.deepEqual(
      blocks.map((block) => block.genUtime - 1_800_000_000),
      [0, 0, 0, 5],
    );
    for (let place = 1; place < blocks.length; place += 1) {
      assert.ok((blocks[place]?.startLt ?? 0n) > (blocks[place - 1]?.endLt ?? 0n));
    }
    assert.equal(new Set(blocks.map((block) => block.master.rootHash)).size, 4);
    const last = chain.ledger.transactions.at(-1);
    assert.equal(last?.now, 1_800_000_005);
  });

  it('has equal hashes for equal histories', async () => {
    const run = async (): Promise<string[]> => {
      const chain = await testChain();
      const block = await mineWith(
        chain,
        transfer('alice', { seqno: 0, to: bob, value: 5n }),
        transfer('bob', { seqno: 0, to: carol, value: 7n }),
      );
      return [block.master.rootHash, ...block.transactions.map((transaction) => transaction.hash)];
    };
    assert.deepEqual(await run(), await run());
  });

  it('accepts only what the contract accepts in its current state', async () => {
    const chain = await testChain();
    const first = transfer('bob', { seqno: 0, to: carol, value: 1n });
    await chain.submit(first);
    // Not yet in a block: the wallet's state still has seqno 0.
    const second = transfer('bob', { seqno: 1, to: carol, value: 1n });
    await assert.rejects(chain.submit(second), (error: RejectedMessageError) => error.exitCode === 33);
    await chain.mine();
    await chain.submit(second);
    await assert.rejects(chain.submit(first), (error: RejectedMessageError) => error.exitCode === 33);
    assert.equal(chain.pending.size, 1);
  });

  it('drops the second of two messages that were both acceptable before the block', async () => {
    const chain = await testChain();
    const block = await mineWith(
      chain,
      transfer('alice', { seqno: 0, to: bob, value: 1n }),
      transfer('alice', { seqno: 0, to: bob, value: 2n }),
    );
    assert.equal(block.transactions.length, 2);
    assert.equal(chain.pending.size, 0);
  });

  it("refuses messages in the service's words", async () => {
    const chain = await testChain();
    const reasonOf = async (boc: Buffer): Promise<string> => {
      let reason = '';
      await assert.rejects(chain.submit(boc), (error: RejectedMessageError) => {
        ({ reason } = error);
        return true;
      });
      return reason;
    };
    assert.match(await reasonOf(Buffer.from('nothing')), /not a valid bag of cells/);
    assert.match(await reasonOf(beginCell().storeUint(1, 8).endCell().toBoc()), /not a \(Message Any\)/);
    assert.match(
      await reasonOf(externalBoc(`0:${'ab'.repeat(32)}`, Cell.EMPTY)),
      /^Failed to unpack account state/,
    );
    assert.match(
      await reasonOf(externalBoc(alice, Cell.EMPTY)),
      /inbound external message rejected by transaction 8C95.*:\nexitcode=9, steps=\d+, gas_used=0\nVM Log/,
    );
  });

  it('recognizes the v5r1 wallets of a client that assumes the test network, and tells others what to do', async () => {
    const chain = await testChain();
    const { publicKey, secretKey, testnetAddress } = namedAccounts[0]!;
    const sent = (networkGlobalId: number): Buffer => {
      const wallet = WalletContractV5R1.create({
        publicKey: Buffer.from(publicKey, 'hex'),
        walletId: { networkGlobalId },
      });
      const body = wallet.createTransfer({
        seqno: 0,
        secretKey: Buffer.from(secretKey, 'hex'),
        messages: [internal({ to: bob, value: 1_000_000_000n, bounce: false })],
        sendMode: SendMode.PAY_GAS_SEPARATELY,
        timeout: 2_000_000_000,
      });
      return externalBoc(wallet.address.toRawString(), body);
    };
    const block = await mineWith(chain, sent(-3));
    assert.equal(block.transactions[0]?.account.address, testnetAddress);
    assert.equal(block.transactions.length, 2);
    await assert.rejects(chain.submit(sent(-7)), ({ reason }: RejectedMessageError) => {
      assert.match(reason, /^Failed to unpack account state: this network has no account UQ/);
      assert.match(reason, /v5r1 wallet id is \d+ \(not one of the usual ones\): send it coins first/);
      return true;
    });
  });

  it('continues a cascade that is too long for one block in the next', async () => {
    const chain = await testChain();
    // Sends the message on to itself for ever: accepts, and forwards everything with mode 64.
    const code = Cell.fromBase64(bouncingCode);
    const init = { code, data: Cell.EMPTY };
    const to = contractAddress(0, init).toRawString();
    const block = await mineWith(chain, transfer('alice', { seqno: 0, to, value: toNano('100'), init }));
    assert.equal(block.transactions.length, 1000);
    const trace = block.transactions[0]?.trace;
    assert.equal(trace?.pendingMessages, 1);
    assert.ok(chain.ledger.openTraces.has(trace));
    const next = await chain.mine();
    assert.equal(next.transactions.length, 1000);
    assert.equal(next.transactions[0]?.trace, trace);
  });

  it('bounces messages that an absent account cannot accept', async () => {
    const chain = await testChain();
    const nobody = `0:${'cd'.repeat(32)}`;
    const block = await mineWith(
      chain,
      transfer('alice', { seqno: 0, to: nobody, value: toNano('1'), bounce: true }),
    );
    assert.deepEqual(
      block.transactions.map((transaction) => transaction.account.address),
      [alice, nobody, alice],
    );
    assert.equal(chain.ledger.accounts.get(nobody)?.facts.status, 'nonexist');
  });

  it('finds messages by raw and by normalized hash', async () => {
    const chain = await testChain();
    const { hash, normalized } = await chain.submit(transfer('alice', { seqno: 0, to: bob, value: 1n }));
    await chain.mine();
    assert.equal(chain.ledger.messages(hash)[0], chain.ledger.messages(normalized)[0]);
    const cell = readLightCell(transfer('alice', { seqno: 0, to: bob, value: 1n }));
    assert.equal(cell.hexHash, hash);
  });

  it('makes a block automatically after the delay', async () => {
    const chain = await testChain({ mode: { kind: 'automatic', delay: 5 } });
    const block = new Promise<number>((resolve) =>
      chain.onBlock(({ transactions }) => resolve(transactions.length)),
    );
    await chain.submit(transfer('alice', { seqno: 0, to: bob, value: 1n }));
    assert.equal(await block, 2);
    await chain.close();
  });
});

const bouncingCode = 'te6ccgEBBAEAMgABFP8A9KQT9LzyyAsBAgFiAgMAMNAw+JHyQMjPhYj4KAH6UnDPC27JgED7AAAHoO744w==';
