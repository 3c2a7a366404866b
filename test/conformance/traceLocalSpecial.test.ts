import assert from 'node:assert/strict';
import { JettonMinter } from '@ton-community/assets-sdk/dist/jetton/JettonMinter';
import { JettonWallet } from '@ton-community/assets-sdk/dist/jetton/JettonWallet';
import { Dictionary, beginCell, contractAddress, internal, toNano } from '@ton/core';
import type { DictionaryValue } from '@ton/core';
import { getMethodSourceOf } from '../../src/toolkit/getMethods/runGetMethod';
import { startLocalnet } from '../../src/toolkit/localnet/startLocalnet';
import { silentLog } from '../../src/toolkit/base/log';
import { buildTrace } from '../../src/toolkit/trace/buildTrace';
import { JettonBook } from '../../src/toolkit/trace/jettonBook';
import { moneyOf } from '../../src/toolkit/trace/money';
import { readTraces } from '../../src/toolkit/trace/readTraces';
import { traceActions } from '../../src/toolkit/trace/traceActions';
import { TraceContext } from '../../src/toolkit/trace/traceContext';
import { traceText } from '../../src/toolkit/trace/traceText';
import { transactionText } from '../../src/toolkit/trace/transactionText';
import { verdictOf } from '../../src/toolkit/trace/verdict';
import { answerOf, checkBooks } from '../support/checkBooks';
import { missingLeaves } from '../support/missingLeaves';
import { messageOf } from '../support/messageOf';
import { onChainContent } from '../support/onChainContent';
import { LocalTraces, compileContract } from '../support/localTraces';

/** Whom the tocks pay. */
const pension = `0:${'11'.repeat(32)}`;

/** Counts its calls; each tock pays a pension. */
const clock = `
fun onInternalMessage(in: InMessage) {}
fun onRunTickTock(isTock: bool) {
    var data = contract.getData().beginParse();
    contract.setData(beginCell().storeUint(data.loadUint(64) + 1, 64).endCell());
    if (isTock) {
        sendRawMessage(beginCell().storeUint(0x10, 6).storeAddress(address("${pension}"))
            .storeCoins(ton("0.25")).storeUint(0, 107).endCell(), 1);
    }
}
`;

const nothing: DictionaryValue<true> = { serialize: () => undefined, parse: () => true };

describe('traces that only a network can produce', () => {
  let local: LocalTraces;

  before(async () => {
    local = new LocalTraces(await startLocalnet({ port: 0, log: silentLog, blockDelayMs: 5 }));
  });
  after(() => local.network.close());

  it('says why nothing ran at an address that the network has suspended', async () => {
    const init = await compileContract(clock, 1);
    const address = contractAddress(0, init);
    const addresses = Dictionary.empty(Dictionary.Keys.Buffer(36), nothing);
    addresses.set(Buffer.concat([Buffer.alloc(4), address.hash]), true);
    const until = Math.floor(Date.now() / 1000) + 3600;
    // block.tlb: suspended_address_list#00 addresses:(HashmapE 288 Unit) suspended_until:uint32
    await local.configure(
      44,
      beginCell().storeUint(0, 8).storeDict(addresses).storeUint(until, 32).endCell(),
    );
    const { context } = await local.send('alice', [internal({ to: address, value: toNano('0.1'), init })]);
    checkBooks(context);
    assert.match(
      verdictOf(context) ?? '',
      /^\S+ did not run its code of transfer: account suspended; 0\.\d+ TON of 0\.1 TON bounced to A alice\.$/,
    );
    assert.match(traceText(context), /✗ +B \S+ +transfer +0\.1 +not run: account suspended/);
    const node = context.model.nodes[1];
    assert.ok(node);
    assert.match(transactionText(node, context), /compute +skipped: account suspended/);
  });

  it('keeps the books of a message in the name of an account that gets an answer', async () => {
    const init = await compileContract('fun onInternalMessage(in: InMessage) { assert (false) throw 77 }', 5);
    const boc = (cell: { toBoc(): Buffer } | null | undefined): string => cell?.toBoc().toString('hex') ?? '';
    const { address } = await local.control('deploy', { code: boc(init.code), data: boc(init.data) });
    const bob = local.wallet('bob').address.toRawString();
    await local.control('sendAs', { from: bob, to: address, value: toNano('0.1').toString() });
    const [context] = await local.newest(bob, 1);
    assert.ok(context);
    checkBooks(context);
    const rows = moneyOf(context).rows.filter(({ account }) => account === bob);
    assert.deepEqual(
      rows.map(({ coins, outside }) => [coins > 0n, outside]),
      [
        [true, false],
        [false, true],
      ],
    );
    assert.match(traceText(context), /^\w bob \(outside this trace\) +-0\.1$/m);
  });

  it('reads the ticks and tocks of a special account, with the messages they send', async () => {
    const init = await compileContract(clock);
    const boc = (cell: { toBoc(): Buffer } | null | undefined): string => cell?.toBoc().toString('hex') ?? '';
    const { address } = await local.control('deploy', {
      code: boc(init.code),
      data: boc(init.data),
      workchain: -1,
      value: toNano('5').toString(),
    });
    await local.control('setAccount', { address, tick: true, tock: true });
    await local.control('mine', {});
    await local.control('setAccount', { address, tick: false, tock: false });
    // What the last tock sent arrives in the block after it.
    await local.control('mine', {});
    const names = new Map([...local.names, [address, 'clock'], [pension, 'pension']]);
    const called = (await local.newest(address, 10, { names })).filter(
      ({ model }) => model.nodes[0]?.transaction?.description?.type === 'tick_tock',
    );
    const byWords = new Map<string, TraceContext>(
      called.map((context) => [traceActions(context)[0]?.words ?? '', context]),
    );
    const tick = byWords.get('tick of clock');
    const tock = byWords.get('tock of clock');
    assert.ok(tick !== undefined && tock !== undefined);
    [tick, tock].forEach((context) => checkBooks(context));
    assert.match(traceText(tick), /^✓ tick of clock\n[^]*✓ +A clock +tick +exit 0 +0\.\d/);
    assert.match(traceText(tock), /✓ +A clock +tock +exit 0 [^]*B pension +transfer +0\.25/);
    const rows = moneyOf(tock).rows;
    assert.equal(rows.find(({ account }) => account === pension)?.coins, toNano('0.25'));
    const spent = rows.find(({ account }) => account === address)?.coins ?? 0n;
    assert.equal(spent, -toNano('0.25') - moneyOf(tock).fees.total);
    const root = tock.model.nodes[0];
    assert.ok(root);
    assert.match(transactionText(root, tock), /is_tock +yes/);
  });

  it('shows all of a pending trace, and what is still unknown', async () => {
    await local.control('mode', { mode: 'manual' });
    try {
      const to = local.wallet('bob').address;
      const hash = await local.submit('alice', [internal({ to, value: toNano('3'), bounce: false })]);
      const [model] = readTraces(
        await local.source.request('pendingTraces', { ext_msg_hash: [hash] }, undefined),
      );
      assert.ok(model);
      const context = new TraceContext(model, { names: local.names });
      assert.equal(model.state, 'pending');
      assert.match(traceText(context), /^◌ [^]*A alice +external message/);
      assert.deepEqual(missingLeaves(answerOf(model), context), []);
      assert.deepEqual(moneyOf(context).unknown, ['3 TON is on the way to B bob: no transaction yet.']);
    } finally {
      // The next test asks for alice's seqno: her message must be through by then.
      await local.control('mine', { blocks: 2 });
      await local.control('mode', { mode: 'automatic', milliseconds: 5 });
    }
  });

  it('shows jettons in their own units even if the answer does not describe them', async () => {
    const alice = local.wallet('alice').address;
    const content = onChainContent({ symbol: 'GRM', decimals: '3' });
    const minter = JettonMinter.createFromConfig({ admin: alice, content });
    const deploy = await messageOf(minter, (c, p, s) => c.sendDeploy(p, s, toNano('0.1')), alice);
    await local.send('alice', [deploy]);
    const mint = await messageOf(
      minter,
      (c, p, s) => c.sendMint(p, s, alice, 9000n, { value: toNano('0.2') }),
      alice,
    );
    const wallet = JettonWallet.createFromConfig({ owner: alice, jettonMaster: minter.address });
    const bob = local.wallet('bob').address;
    const pay = await messageOf(
      wallet,
      (c, p, s) => c.send(p, s, bob, 2500n, { value: toNano('0.2') }),
      alice,
    );
    const book = new JettonBook(getMethodSourceOf(local.access));
    const told: string[] = [];
    for (const message of [mint, pay, pay]) {
      const { context } = await local.send('alice', [message]);
      const bare = buildTrace({ ...context.model.source, actions: null });
      const known = await book.complete(new TraceContext(bare, { names: local.names }));
      checkBooks(known);
      told.push(traceActions(known)[0]?.words ?? '');
    }
    assert.match(told[0] ?? '', /^jetton mint 9 GRM to alice$/);
    assert.deepEqual(told.slice(1), Array(2).fill('jetton transfer 2.5 GRM, alice → bob'));
  });
});
