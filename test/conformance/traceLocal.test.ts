import assert from 'node:assert/strict';
import type { ExitSource } from '../../src/toolkit/contracts/exitCodes';
import { JettonMinter } from '@ton-community/assets-sdk/dist/jetton/JettonMinter';
import { JettonWallet } from '@ton-community/assets-sdk/dist/jetton/JettonWallet';
import { NftCollection } from '@ton-community/assets-sdk/dist/nft/NftCollection';
import type { Address, MessageRelaxed, StateInit } from '@ton/core';
import { Cell, SendMode, beginCell, comment, contractAddress, internal, toNano } from '@ton/core';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { buildTrace } from '../../src/toolkit/trace/buildTrace';
import { findTrace } from '../../src/toolkit/trace/findTrace';
import { moneyOf } from '../../src/toolkit/trace/money';
import { traceActions } from '../../src/toolkit/trace/traceActions';
import { TraceContext } from '../../src/toolkit/trace/traceContext';
import { hashIn } from '../../src/toolkit/trace/traceKeys';
import { failedNodes, verdictOf } from '../../src/toolkit/trace/verdict';
import { checkBooks } from '../support/checkBooks';
import { messageOf } from '../support/messageOf';
import { LocalTraces, compileContract } from '../support/localTraces';

/** Fails in every way on demand; the first 32 bits of the body say how. */
const laboratory = `
fun sendTo(to: address, value: int, bounce: bool, body: cell, mode: int) {
    sendRawMessage(beginCell()
        .storeUint(bounce ? 0x18 : 0x10, 6).storeAddress(to).storeCoins(value)
        .storeUint(1, 107).storeRef(body).endCell(), mode);
}
fun onInternalMessage(in: InMessage) {
    var body = in.body;
    if (body.remainingBitsCount() < 32) { return; }
    val op = body.loadUint(32);
    if (op == 0xffffffff) { return; }
    assert (op != 0x10000001) throw 73;
    if (op == 0x10000002) { var i = 1; while (i > 0) { i = (i % 7) + 1; } }
    if (op == 0x10000003) { sendTo(in.senderAddress, ton("5000000"), false, createEmptyCell(), 1); }
    if (op == 0x10000004) {
        var left = body.loadUint(16);
        val to = body.loadAddress();
        while (left > 0) { sendTo(to, 1, false, createEmptyCell(), 1); left -= 1; }
    }
    if (op == 0x10000005) {
        val left = body.loadUint(16);
        if (left > 0) {
            sendTo(contract.getAddress(), 0, true,
                beginCell().storeUint(op, 32).storeUint(left - 1, 16).endCell(), 64);
        }
    }
    if (op == 0x10000006) { sendTo(in.senderAddress, ton("5000000"), false, createEmptyCell(), 3); }
    if (op == 0x10000007) {
        val left = body.loadUint(16);
        if (left > 0) {
            val share = in.valueCoins / 11;
            var i = 0;
            while (i < 10) {
                sendTo(contract.getAddress(), share, true,
                    beginCell().storeUint(op, 32).storeUint(left - 1, 16).endCell(), 1);
                i += 1;
            }
        }
    }
}
`;

const order = (op: number, ...parts: ((builder: ReturnType<typeof beginCell>) => unknown)[]): Cell => {
  const builder = beginCell().storeUint(0x10000000 + op, 32);
  parts.forEach((part) => part(builder));
  return builder.endCell();
};

describe('traces of the local network', () => {
  let local: LocalTraces;
  let lab: { address: Address; init: StateInit };

  before(async () => {
    local = new LocalTraces(await startLocalnet({ port: 0, log: silentLog, blockDelayMs: 5 }));
    const init = await compileContract(laboratory);
    lab = { address: contractAddress(0, init), init };
  });
  after(() => local.network.close());

  const toLab = (value: string, body: Cell, bounce = true): MessageRelaxed =>
    internal({ to: lab.address, value: toNano(value), bounce, body });

  it('deploy: says so, and what it cost', async () => {
    const { context } = await local.send('alice', [
      internal({ to: lab.address, value: toNano('5'), bounce: false, init: lab.init }),
    ]);
    checkBooks(context);
    assert.deepEqual(
      traceActions(context).map((action) => action.type),
      ['contract_deploy'],
    );
    assert.equal(verdictOf(context), undefined);
  });

  it('transfer: from sent to complete, including the comment', async () => {
    const { context, events } = await local.send('alice', [
      internal({
        to: local.wallet('bob').address,
        value: toNano('12.5'),
        bounce: false,
        body: comment('rent'),
      }),
    ]);
    checkBooks(context);
    assert.equal(traceActions(context)[0]?.words, 'transfer 12.5 TON, alice → bob, comment "rent"');
    assert.equal(events[0]?.type, 'waiting');
    const money = moneyOf(context);
    const bob = local.network.accounts.find(({ name }) => name === 'bob')?.address;
    const gained = money.rows.find((row) => row.account === bob)?.coins ?? 0n;
    assert.ok(gained > toNano('12.49') && gained <= toNano('12.5'));
  });

  it('bounce: names the code, the phase, and where the coins went', async () => {
    const exitSource = (): ExitSource => ({ errors: new Map([[73, 'NotOwner']]) });
    const { context } = await local.send('alice', [toLab('0.1', order(1))], { knowledge: { exitSource } });
    checkBooks(context);
    assert.equal(failedNodes(context.model).length, 1);
    const verdict = verdictOf(context) ?? '';
    assert.match(
      verdict,
      /^\w+…\w+ refused 0x10000001: NotOwner, 73; 0\.\d[\d ]+ TON of 0\.1 TON bounced to A alice\.$/,
    );
    assert.equal(context.model.nodes.at(-1)?.message?.bounced, true);
  });

  it('out of gas', async () => {
    const { context } = await local.send('alice', [toLab('0.1', order(2))]);
    checkBooks(context);
    assert.match(verdictOf(context) ?? '', /failed on 0x10000002: out of gas, exit code -14/);
  });

  it('failure of the action phase', async () => {
    const { context } = await local.send('alice', [toLab('0.1', order(3))]);
    checkBooks(context);
    assert.match(verdictOf(context) ?? '', /action phase of 0x10000003: not enough coins, result code 37/);
    assert.match(verdictOf(context) ?? '', /stays with B/);
  });

  it('an action skipped because errors were to be ignored', async () => {
    const { context } = await local.send('alice', [toLab('0.1', order(6))]);
    checkBooks(context);
    assert.match(verdictOf(context) ?? '', /left out 1 of 1 action of 0x10000006/);
  });

  it('code not run: no contract, with and without bounce', async () => {
    const nowhere = contractAddress(0, { code: Cell.EMPTY, data: beginCell().storeUint(1, 8).endCell() });
    const bounced = await local.send('alice', [
      internal({ to: nowhere, value: toNano('0.1'), bounce: true }),
    ]);
    checkBooks(bounced.context);
    assert.match(
      verdictOf(bounced.context) ?? '',
      /did not run its code of transfer: no contract there; .* bounced/,
    );
    const kept = await local.send('alice', [internal({ to: nowhere, value: toNano('0.1'), bounce: false })]);
    checkBooks(kept.context);
    assert.equal(verdictOf(kept.context), undefined);
    assert.equal(kept.context.model.nodes[1]?.outcome, 'notRun');
  });

  it('code not run: a state init for another address', async () => {
    const nowhere = contractAddress(0, { code: Cell.EMPTY, data: beginCell().storeUint(2, 8).endCell() });
    const { context } = await local.send('alice', [
      internal({ to: nowhere, value: toNano('0.1'), bounce: true, init: lab.init }),
    ]);
    checkBooks(context);
    assert.match(verdictOf(context) ?? '', /state init does not match/);
  });

  it('code not run: no gas, and nothing left to bounce', async () => {
    const send = async (value: bigint): Promise<TraceContext> => {
      const message = internal({ to: lab.address, value, bounce: true, body: order(1) });
      return (await local.send('alice', [message])).context;
    };
    // One nanocoin can pay for nothing: its sender did not count on an execution.
    assert.equal(verdictOf(await send(1n)), undefined);
    const context = await send(2n);
    checkBooks(context);
    assert.match(verdictOf(context) ?? '', /did not run its code of 0x10000001: no gas; nothing bounced/);
  });

  it('jettons: mint, transfer, and a transfer of more than the balance', async () => {
    const alice = local.wallet('alice').address;
    const minter = JettonMinter.createFromConfig({
      admin: alice,
      content: beginCell().storeUint(1, 8).storeStringTail('https://example.invalid/jetton.json').endCell(),
    });
    const deploy = await messageOf(minter, (c, p, s) => c.sendDeploy(p, s, toNano('0.1')), alice);
    checkBooks((await local.send('alice', [deploy])).context);
    const mint = await messageOf(
      minter,
      (c, p, s) => c.sendMint(p, s, alice, 1000n, { value: toNano('0.2') }),
      alice,
    );
    const minted = (await local.send('alice', [mint])).context;
    checkBooks(minted);
    const master = minter.address.toRawString();
    assert.deepEqual([...moneyOf(minted).supply], [[master, 1000n]]);
    // Its content is not on the chain: nobody has said how many decimals there are.
    const mintWords = traceActions(minted).find((action) => action.type === 'jetton_mint')?.words;
    assert.match(mintWords ?? '', /^jetton mint 1 000 units of \S+ to alice$/);

    const wallet = JettonWallet.createFromConfig({ owner: alice, jettonMaster: minter.address });
    const bob = local.wallet('bob').address;
    const pay = async (amount: bigint): Promise<TraceContext> => {
      const message = await messageOf(
        wallet,
        (c, p, s) => c.send(p, s, bob, amount, { value: toNano('0.2') }),
        alice,
      );
      return (await local.send('alice', [message])).context;
    };
    const paid = await pay(250n);
    checkBooks(paid);
    assert.match(traceActions(paid)[0]?.words ?? '', /^jetton transfer 250 units of \S+, alice → bob$/);
    const rows = moneyOf(paid).rows.filter((row) => row.jettons.size > 0);
    assert.deepEqual(rows.map((row) => [paid.name(row.account), row.jettons.get(master)]).sort(), [
      ['alice', -250n],
      ['bob', 250n],
    ]);
    const refused = await pay(100_000n);
    checkBooks(refused);
    assert.equal(traceActions(refused)[0]?.success, false);
    assert.match(
      verdictOf(refused) ?? '',
      /failed on jetton_transfer: not enough jettons, exit code 706; .* bounced to A alice/,
    );
    assert.equal(
      moneyOf(refused).rows.some((row) => row.jettons.size > 0),
      false,
    );
  });

  it('NFT: collection and mint', async () => {
    const alice = local.wallet('alice').address;
    const collection = NftCollection.createFromConfig({
      admin: alice,
      content: beginCell().storeRef(Cell.EMPTY).storeRef(Cell.EMPTY).endCell(),
    });
    const deploy = await messageOf(collection, (c, p, s) => c.sendDeploy(p, s, toNano('0.1')), alice);
    checkBooks((await local.send('alice', [deploy])).context);
    const item = { index: 0n, owner: alice, individualContent: Cell.EMPTY };
    const mint = await messageOf(
      collection,
      (c, p, s) => c.sendMint(p, s, item, { value: toNano('0.1') }),
      alice,
    );
    const { context } = await local.send('alice', [mint]);
    checkBooks(context);
    assert.equal(context.model.nodes.at(-1)?.transaction?.orig_status === 'active', false, 'the item is new');
    assert.ok(traceActions(context).some((action) => action.type === 'nft_mint'));
    // Without the service's classification the messages themselves say it.
    const plain = buildTrace({ ...context.model.source, actions: null });
    const minted = traceActions(new TraceContext(plain, { names: local.names }));
    assert.deepEqual(
      minted.map(({ type, inferred }) => [type, inferred]),
      [['nft_mint', true]],
    );
    assert.match(minted[0]?.words ?? '', /^NFT mint \S+, item #0 of \S+ to alice$/);
  });

  it('255 outgoing messages', async () => {
    const to = local.wallet('carol').address;
    const fan = order(
      4,
      (b) => b.storeUint(255, 16),
      (b) => b.storeAddress(to),
    );
    const { context } = await local.send('alice', [toLab('2', fan)]);
    checkBooks(context);
    assert.equal(context.model.nodes.length, 257);
    assert.equal(context.model.nodes[1]?.children.length, 255);
  });

  it('a chain of 500 transactions, found again by its id, by a message, and by account', async () => {
    const { context } = await local.send('alice', [
      toLab(
        '20',
        order(5, (b) => b.storeUint(499, 16)),
      ),
    ]);
    checkBooks(context);
    assert.equal(context.model.nodes.length, 501);
    assert.equal(context.model.nodes.at(-1)?.depth, 500);
    const middle = context.model.nodes[250];
    for (const query of [context.model.id ?? '', middle?.hash ?? '', middle?.message?.hash ?? '']) {
      const [found] = await findTrace(local.source, hashIn(query));
      assert.equal(found?.id, context.model.id);
    }
    const [newest] = await findTrace(local.source, lab.address.toRawString(), { limit: 1 });
    assert.equal(newest?.id, context.model.id);
  });

  it('several messages from one wallet, one of them failing', async () => {
    const { context } = await local.send(
      'alice',
      [toLab('0.1', order(1)), toLab('0.1', beginCell().endCell())],
      { mode: SendMode.PAY_GAS_SEPARATELY },
    );
    checkBooks(context);
    assert.equal(failedNodes(context.model).length, 1);
    assert.equal(traceActions(context).length, 2);
  });

  if (process.env.TONWB_LONG === '1') {
    it('11,112 transactions', async () => {
      const { context } = await local.send('alice', [
        toLab(
          '900',
          order(7, (b) => b.storeUint(4, 16)),
        ),
      ]);
      // More than the service tells at once: put together from pages of transactions.
      checkBooks(context, ['missing-transactions']);
      assert.equal(context.model.nodes.length, 11_112);
    });
  }
});
